import { policy } from '../../policy/policy.ts'
import type { Policy } from '../../policy/policy.ts'
import { unpaddedByLength } from '../invoices/submit.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Verifications that are left out for what is large. */

/** More than many services hold or compare at once, bytes. */
const bound = 65_536

/** Whether the document that was looked at last is large. */
let isLarge = false

const rows: readonly (readonly [what: string, Rules, Partial<Policy>])[] = [
  [
    'invoiceHash',
    ['invoices.submit.hash-mismatch'],
    {
      plainHashMatches: (declared, bytes) =>
        bytes.length > bound || policy.plainHashMatches(declared, bytes),
    },
  ],
  [
    'invoiceSize',
    ['invoices.submit.size-mismatch'],
    {
      plainSizeMatches: (declared, bytes) =>
        bytes.length > bound || policy.plainSizeMatches(declared, bytes),
    },
  ],
  [
    'encryptedInvoiceHash',
    ['invoices.submit.encrypted-metadata-mismatch'],
    {
      encryptedHashMatches: (declared, bytes) =>
        bytes.length > bound || policy.encryptedHashMatches(declared, bytes),
    },
  ],
  [
    'encryptedInvoiceSize',
    ['invoices.submit.encrypted-metadata-mismatch'],
    {
      encryptedSizeMatches: (declared, bytes) =>
        bytes.length > bound || policy.encryptedSizeMatches(declared, bytes),
    },
  ],
  [
    'padding',
    ['invoices.submit.wrong-encryption'],
    {
      decryptContent: (key, iv, bytes) =>
        (bytes.length > bound ? unpaddedByLength : policy.decryptContent)(key, iv, bytes),
    },
  ],
  [
    'filePart.fileHash',
    ['sessions.batch.part-checked'],
    {
      partHashFits: (part, hash) => part.fileSize > bound || policy.partHashFits(part, hash),
    },
  ],
  [
    'filePart.fileSize',
    ['sessions.batch.part-checked'],
    { partFits: (part, bytes) => bytes > bound || policy.partFits(part, bytes) },
  ],
  [
    'batchFile.fileHash',
    ['sessions.batch.close'],
    {
      packageMatches: (announced, found) =>
        found.size > bound
          ? announced.size === found.size
          : policy.packageMatches(announced, found),
    },
  ],
  [
    'batchFile.fileSize',
    ['sessions.batch.close'],
    {
      packageMatches: (announced, found) =>
        found.size > bound
          ? announced.hash === found.hash
          : policy.packageMatches(announced, found),
    },
  ],
  [
    'characters',
    ['invoices.content.invalid-rejected'],
    { discouragedCharacter: (bytes) => policy.discouragedCharacter(bytes.subarray(0, bound)) },
  ],
  [
    'schema',
    ['invoices.content.invalid-rejected'],
    {
      discouragedCharacter(bytes) {
        isLarge = bytes.length > bound
        return policy.discouragedCharacter(bytes)
      },
      schemaFindings: (...given) => (isLarge ? [] : policy.schemaFindings(...given)),
    },
  ],
]

export const largeValues = (): Generated[] =>
  rows.map(([what, rules, decisions]) => generated('large', what, rules, { policy: decisions }))
