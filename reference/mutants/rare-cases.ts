import { createDecipheriv } from 'node:crypto'
import { decryptAes } from '../base/crypto.ts'
import { utc } from '../base/wording.ts'
import { keyOf } from '../model/entities.ts'
import { closeOnline } from '../invoices/processing.ts'
import { policy } from '../policy/policy.ts'
import type { AnyCall } from '../call/call.ts'
import type { Session } from '../model/documents.ts'
import type { Mutant } from './mutant.ts'
import { accepts, bodies, calls, records } from './rewrite.ts'
import type { Fields } from './rewrite.ts'

/** Defects that show in one rare case only: another kind of resource, a later page, one padding, one field. */

/** The caller's own session of a reference, of whichever kind. */
const ownSession = ({ caller, path, service: { state } }: AnyCall): Session | undefined => {
  const session = state.sessions.get(path['referenceNumber'] ?? '')
  return session && caller && keyOf(session.context) === keyOf(caller.context) ? session : undefined
}

/** A mutant whose decisions know whether a later page of a list is asked for. */
const onLaterPages = (
  at: NonNullable<Mutant['at']>,
  decisions: (later: () => boolean) => NonNullable<Mutant['policy']>,
): Mutant => {
  let later = false
  return {
    at,
    call(call, next) {
      later = call.headers['x-continuation-token'] !== undefined
      return next(call)
    },
    policy: decisions(() => later),
  }
}

/** Removes as many bytes as the last one says, whatever they are. */
const unpaddedByLength = (
  key: Uint8Array,
  iv: Uint8Array,
  bytes: Uint8Array,
): Buffer | undefined => {
  if (bytes.length === 0 || bytes.length % 16 !== 0) return undefined
  const decipher = createDecipheriv('aes-256-cbc', key, iv).setAutoPadding(false)
  const plain = Buffer.concat([decipher.update(bytes), decipher.final()])
  const padding = plain.at(-1) ?? 0
  return padding >= 1 && padding <= 16 ? plain.subarray(0, plain.length - padding) : undefined
}

/** The links of one use are signed without their end. */
const endUnsigned = (unsigned: 'receipt' | 'upload'): Mutant => ({
  policy: {
    linkContent: (use, subject, until) =>
      use === unsigned ? `${use}\n${subject}` : policy.linkContent(use, subject, until),
  },
})

/** A correction counts in the session in which it was sent. */
const correctedBySession = (): Mutant => {
  let asked: string | undefined
  return {
    at: ['invoices.submit'],
    call(call, next) {
      asked = call.path['referenceNumber']
      return next(call)
    },
    policy: {
      correctionRefusal: (issued, hash) =>
        issued.corrects === hash && issued.session !== asked
          ? undefined
          : policy.correctionRefusal(issued, hash),
    },
  }
}

const firstOfFa3 = Date.parse('2026-02-01T00:00:00+01:00')

export const rareCasesMutants = {
  'sessions.batch.close/closes-interactive-ones': accepts(
    ['sessions.closeBatch'],
    ['session-unknown'],
    (call) => {
      const session = ownSession(call)
      if (session?.kind !== 'online') return undefined
      closeOnline(call.service, session)
      return {}
    },
  ),
  'transport.unknown-is-404/session-for-an-export': accepts(
    ['exports.status'],
    ['export-unknown'],
    (call) => {
      const session = ownSession(call)
      return session && { body: { status: session.status } }
    },
  ),
  'invoices.submit.accepted/in-a-package': accepts(
    ['invoices.submit'],
    ['session-unknown'],
    (call) =>
      ownSession(call)?.kind === 'batch'
        ? { body: { referenceNumber: call.service.identifiers.reference('EE') } }
        : undefined,
  ),
  'invoices.submit.accepted/no-block-of-padding-alone': {
    policy: {
      decryptContent: (key, iv, bytes) => {
        const plain = decryptAes(key, iv, bytes)
        return plain === undefined || plain.length % 16 === 0 ? undefined : plain
      },
    },
  },
  'invoices.submit.wrong-encryption/length-of-the-padding-only': {
    policy: { decryptContent: unpaddedByLength },
  },
  'invoices.send.alternative/attachments-taken': {
    at: ['invoice'],
    tables: {
      sessions: {
        read: (found) => (found?.key.length === 0 ? { ...found, kind: 'batch' } : found),
      },
    },
  },
  'invoices.correction/once-in-a-session': correctedBySession(),
  'invoices.duplicate.everywhere/by-schema': {
    policy: {
      claimHolds: (held, today, session, now) =>
        policy.claimHolds(held, today, session, now) &&
        held.at < firstOfFa3 === (session.schema === 'fa2'),
    },
  },
  'sessions.list.complete/outcomes-on-the-first-page-only': onLaterPages(
    ['sessions.list'],
    (later) => ({
      outcomeWanted: (wanted, outcome) => later() || policy.outcomeWanted(wanted, outcome),
    }),
  ),
  'sessions.batch.failed-list/all-on-later-pages': onLaterPages(['sessions.failed'], (later) => ({
    listedAsFailed: (code) => later() || policy.listedAsFailed(code),
  })),
  'sessions.batch.close/kind-of-archive-unread': calls(['sessions.openBatch'], (call) => {
    const { batchFile, ...rest } = call.body as { readonly batchFile: Fields }
    return { ...call, body: { ...rest, batchFile: { ...batchFile, compressionType: undefined } } }
  }),
  'sessions.batch.hostile-archive/backslashes': {
    policy: { archiveNameAllowed: (name) => policy.archiveNameAllowed(name.replaceAll('\\', '_')) },
  },
  'sessions.batch.part-checked/end-of-the-link-unsigned': endUnsigned('upload'),
  'receipts.link.expires/end-of-the-link-unsigned': endUnsigned('receipt'),
  'queries.metadata.described/rates-of-one-number-only': records<{ readonly svcNumber: string }>(
    ['queries.metadata'],
    'invoices',
    ({ svcNumber }, { service: { state } }) => {
      const bytes = state.contents.get(state.issued.get(svcNumber)?.invoice ?? '')?.bytes
      const fields = Buffer.from(bytes ?? [])
        .toString()
        .matchAll(/<P_13_\d+>([^<]*)</g)
      const net = Array.from(fields, ([, amount]) => Math.round(Number(amount) * 100))
      return net.length === 0 ? {} : { netAmount: net.reduce((sum, one) => sum + one, 0) / 100 }
    },
  ),
  'queries.metadata.described/own-roles-as-the-first': records<{
    readonly thirdSubjects?: readonly { readonly role: number }[]
  }>(['queries.metadata'], 'invoices', ({ thirdSubjects }) =>
    thirdSubjects === undefined
      ? {}
      : { thirdSubjects: thirdSubjects.map((one) => ({ ...one, role: Math.max(1, one.role) })) },
  ),
  'exports.package.content/corrections-unnamed': {
    policy: {
      exportedInvoices: (found, limit) =>
        found.slice(0, limit).map((one) => ({ ...one, corrects: undefined })),
    },
  },
  'exports.expiry/stated-anew-at-each-look': bodies<{ readonly packageExpirationDate?: string }>(
    ['exports.status'],
    ({ packageExpirationDate }, { now, service }) =>
      packageExpirationDate === undefined
        ? {}
        : {
            packageExpirationDate: utc(now + service.limit('exports.packageLifetime') * 1000),
          },
  ),
  'limits.context/attachments-as-in-interactive-sessions': {
    tables: {
      contextLimits: {
        write: ({ limits: { online, batch }, ...next }) => ({
          ...next,
          limits: {
            online,
            batch: {
              ...batch,
              maxInvoiceWithAttachmentBytes: online.maxInvoiceWithAttachmentBytes,
            },
          },
        }),
      },
    },
  },
  'testdata.limit-simulation/one-subject-limit-clears-the-other': {
    tables: {
      subjectLimits: {
        write: (next) => ({
          ...next,
          limits: { maxEnrollments: 0, maxCertificates: 0, ...next.limits },
        }),
      },
    },
  },
} satisfies Readonly<Record<string, Mutant>>
