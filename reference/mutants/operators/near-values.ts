import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { fromBase64, sha256Base64 } from '../../base/crypto.ts'
import type { InvoiceFacts } from '../../model/invoice-facts.ts'
import type { State } from '../../model/state.ts'
import type { Table } from '../../model/table.ts'
import { policy } from '../../policy/policy.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import type { Fields } from '../rewrite.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Values that are compared by a part of them, or after a change: what nearly is the same, is the same. */

type Near = (text: string) => string

/** Parts of a digest. */
const parts: Readonly<Record<string, Near>> = {
  beginning: (text) => text.slice(0, 8),
  end: (text) => text.slice(-8),
  'all-but-the-last': (text) => text.slice(0, 40),
}

/** Every comparison of a digest, by a part of it. */
const digests: readonly (readonly [string, Rules, (near: Near) => Partial<Policy>])[] = [
  [
    'invoiceHash',
    ['invoices.submit.hash-mismatch'],
    (near) => ({
      plainHashMatches: (declared, bytes) => near(declared) === near(sha256Base64(bytes)),
    }),
  ],
  [
    'encryptedInvoiceHash',
    ['invoices.submit.encrypted-metadata-mismatch'],
    (near) => ({
      encryptedHashMatches: (declared, bytes) => near(declared) === near(sha256Base64(bytes)),
    }),
  ],
  [
    'filePart.fileHash',
    ['sessions.batch.part-checked'],
    (near) => ({ partHashFits: (part, hash) => near(part.fileHash) === near(hash) }),
  ],
  [
    'batchFile.fileHash',
    ['sessions.batch.close', 'sessions.batch.part-checked'],
    (near) => ({
      packageMatches: (announced, found) =>
        policy.packageMatches(
          { ...announced, hash: near(announced.hash) },
          { ...found, hash: near(found.hash) },
        ),
    }),
  ],
]

/** What a service may do to the number of an invoice before it compares it. */
const normal: Readonly<Record<string, Near>> = {
  'without-blanks': (number) => number.replaceAll(/\s/g, ''),
  'without-leading-zeros': (number) => number.replace(/^0+/, ''),
  'without-hyphens': (number) => number.replaceAll('-', ''),
  'slashes-as-hyphens': (number) => number.replaceAll('/', '-'),
  'without-accents': (number) => number.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  'compatible-letters': (number) => number.normalize('NFKC'),
  'first-100-characters': (number) => number.slice(0, 100),
  'digits-and-slashes': (number) => number.replaceAll(/[^\d/]/g, ''),
}

/** What a decoder may skip in Base64. */
const skipped: Readonly<Record<string, Near>> = {
  'cr-lf': (text) => text.replaceAll('\r\n', ''),
  tabs: (text) => text.replaceAll('\t', ''),
  blanks: (text) => text.replaceAll(' ', ''),
  'cr-lf-at-the-end': (text) => text.replace(/\r\n$/, ''),
  'tab-at-the-end': (text) => text.replace(/\t$/, ''),
  'blank-at-the-end': (text) => text.replace(/ $/, ''),
}

/** How a decoder reads what is not Base64. */
const lenient: Readonly<Record<string, Near>> = {
  'whatever-it-is': (text) => Buffer.from(text, 'base64').toString('base64'),
  'without-padding': (text) =>
    text.includes('=') ? text : text.padEnd(4 * Math.ceil(text.length / 4), '='),
  'for-addresses': (text) => text.replaceAll('-', '+').replaceAll('_', '/'),
  'in-lines': (text) => text.replaceAll(/[\r\n]/g, ''),
}

/** Every field in Base64 that is decoded, where it is sent. */
const decoded: readonly (readonly [OperationId, string, Rules])[] = [
  ['auth.token', 'encryptedToken', ['auth.token.wrong-encryption-refused']],
  ['sessions.openOnline', 'encryptedSymmetricKey', ['sessions.online.bad-key-refused']],
  ['sessions.openOnline', 'initVector', ['sessions.online.bad-key-refused']],
  ['sessions.openBatch', 'encryptedSymmetricKey', ['sessions.batch.bad-key-refused']],
  ['sessions.openBatch', 'initVector', ['sessions.batch.bad-key-refused']],
  ['exports.create', 'encryptedSymmetricKey', ['exports.create.accepted']],
  ['exports.create', 'initVector', ['exports.create.accepted']],
  ['certificates.enroll', 'csr', ['certificates.enrol']],
]

/** Resources that are found by their references, and the rule of those that do not exist. */
const referred = {
  challenges: 'auth.challenge.unknown-refused',
  authentications: 'transport.unknown-is-404',
  grants: 'transport.unknown-is-404',
  operations: 'transport.unknown-is-404',
  sessions: 'transport.unknown-is-404',
  invoices: 'transport.unknown-is-404',
  issued: 'transport.unknown-is-404',
  receiptPages: 'transport.unknown-is-404',
  exports: 'transport.unknown-is-404',
  enrollments: 'transport.unknown-is-404',
  certificates: 'transport.unknown-is-404',
} as const satisfies Partial<Record<keyof State, RuleId>>

/** What is found by a part of its reference. */
const foundBy = (table: keyof typeof referred, near: Near) => ({
  [table]: {
    read: (found: unknown, key: string, state: State) => {
      const all = state[table] as Table<unknown>
      return found ?? [...all.values()].find((one) => near(all.keyOf(one)) === near(key))
    },
  },
})

/** The body that comes in has the value as a lenient decoder reads it. */
const decodesAs = (operation: OperationId, field: string, near: Near): Mutant => ({
  at: [operation],
  policy: { violationsRefuse: () => false },
  call: ({ ...call }, next) => {
    const body = call.body as Fields
    return next({ ...call, body: { ...body, [field]: near(String(body[field])) } })
  },
})

export const nearValues = (): Generated[] => [
  ...digests.flatMap(([field, rules, compared]) =>
    Object.entries(parts).map(([part, near]) =>
      generated('near', `${field}.${part}`, rules, { policy: compared(near) }),
    ),
  ),
  ...Object.entries(normal).map(([how, near]) =>
    generated('near', `number.${how}`, ['invoices.duplicate.triple'], {
      policy: {
        tripleOf: (facts: InvoiceFacts) =>
          policy.tripleOf({ ...facts, number: near(facts.number) }),
      },
    }),
  ),
  ...Object.entries(skipped).map(([what, near]) =>
    generated('near', `content.${what}`, ['invoices.submit.bad-base64'], {
      policy: { readContent: (text) => fromBase64(near(text)), violationsRefuse: () => false },
    }),
  ),
  ...Object.entries(referred).flatMap(([table, id]) =>
    ['without-its-last', 'without-its-first'].map((part) =>
      generated('near', `${table}.${part}`, [id], {
        tables: foundBy(table as keyof typeof referred, (text) =>
          part === 'without-its-last' ? text.slice(0, -1) : text.slice(1),
        ),
      }),
    ),
  ),
  ...decoded.flatMap(([operation, field, rules]) =>
    Object.entries(lenient).flatMap(([how, near]) =>
      // The contract does not specify white space and padding in a request for a certificate.
      field === 'csr' && how !== 'for-addresses' && how !== 'whatever-it-is'
        ? []
        : [
            generated(
              'near',
              `${operation}.${field}.${how}`,
              rules,
              decodesAs(operation, field, near),
            ),
          ],
    ),
  ),
]
