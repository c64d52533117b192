import { createCipheriv } from 'node:crypto'
import { decryptAes } from '../base/crypto.ts'
import { utc } from '../base/wording.ts'
import { exportPartId } from '../invoices/export.ts'
import { keyOf, nipOf } from '../model/entities.ts'
import type { Export } from '../model/documents.ts'
import { policy } from '../policy/policy.ts'
import { asCaller, ofTheSubject, reference } from './callers.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { bodies, ignores, refuses } from './rewrite.ts'
import { minute } from './spans.ts'
import { isAlone, isPackage } from './ways-of-sending.ts'

const created = (change: (next: Export) => Export): Mutant => ({
  tables: { exports: { write: (next, before) => (before === undefined ? change(next) : next) } },
})

interface Asked {
  readonly subjectType: string
  readonly dateRange: { readonly dateType: string; readonly to?: string | null }
}
const askedBy = ({ filters }: Export): Asked => filters as Asked

/** The documents that were sent in one way are missing. */
const withoutDocuments = (isSuch: typeof isAlone): Mutant => ({
  at: ['export'],
  tables: {
    contents: {
      read: (found, key, { invoices, sessions }) =>
        isSuch(sessions.get(invoices.get(key)?.session ?? '')) ? undefined : found,
    },
  },
})

/** An export finds what an earlier one with the same filters found. */
const asBefore = (): Mutant => {
  const first = new Map<string, number>()
  let until = Number.POSITIVE_INFINITY
  return {
    at: ['export'],
    tables: {
      exports: {
        read(found) {
          if (found === undefined) return found
          const key = `${keyOf(found.context)} ${JSON.stringify(found.filters)}`
          first.set(key, first.get(key) ?? found.requestedAt)
          until = first.get(key)!
          return found
        },
      },
      issued: { find: (found) => found.filter(({ acquiredAt }) => acquiredAt <= until) },
    },
  }
}

/** Exports in one kind of context have the invoices of its taxpayer. */
const ofTheTaxpayer = (kind: string): Mutant => ({
  at: ['export'],
  tables: {
    exports: {
      read: (found) =>
        found?.context.type === kind
          ? { ...found, context: { type: 'Nip', value: nipOf(found.context) } }
          : found,
      write: (next, before) => ({ ...next, context: before?.context ?? next.context }),
    },
  },
})

/** What becomes of the package of a truncated export. */
const truncatedAs = (
  change: (result: NonNullable<Export['result']>) => Export['result'],
): Mutant => ({
  tables: {
    exports: {
      write: ({ result, ...next }) => ({
        ...next,
        ...(result !== undefined && { result: result.truncated ? change(result)! : result }),
      }),
    },
  },
})

/** Defects of exports. */
export const exportsMutants = {
  'exports.create.accepted/name-of-the-key-unread': ignores(['exports.create'], 'publicKeyId'),
  'exports.create.accepted/as-issuer-and-buyer-only': refuses(
    ['exports.create'],
    'invalid-input',
    ({ body }) => !/^subject[12]$/.test((body as { filters: Asked }).filters.subjectType),
  ),
  'exports.create.accepted/reference-malformed': bodies(['exports.create'], {
    referenceNumber: 'started',
  }),
  'exports.status.moves-forward/state-moves-backwards': bodies(
    ['exports.status'],
    ({ status }: { status: { code: number } }) =>
      status.code === 100 ? { status: { ...status, code: 210 } } : {},
  ),
  'exports.package.content/as-before': asBefore(),
  'exports.package.content/newest-first': {
    policy: { exportedInvoices: (found, limit) => found.toReversed().slice(0, limit) },
  },
  'exports.package.content/of-the-taxpayer-in-its-units': ofTheTaxpayer('InternalId'),
  'exports.package.content/of-the-taxpayer-in-its-eu-entities': ofTheTaxpayer('NipVatUe'),
  'exports.package.content/key-of-the-first': {
    at: ['exports.create'],
    tables: {
      exports: {
        write(next, _before, { exports }) {
          const [first] = exports.by('context', keyOf(next.context))
          return first === undefined ? next : { ...next, key: first.key, iv: first.iv }
        },
      },
    },
  },
  'exports.package.content/parts-chained': {
    at: ['export'],
    tables: {
      parts: {
        write(next, _before, { exports, parts }) {
          const entry = exports.get(next.session)
          const earlier = parts.get(exportPartId(next.session, next.ordinalNumber - 1))
          if (entry === undefined || earlier === undefined) return next
          const plain = decryptAes(entry.key, entry.iv, next.bytes) ?? next.bytes
          const cipher = createCipheriv('aes-256-cbc', entry.key, earlier.bytes.slice(-16))
          return { ...next, bytes: Buffer.concat([cipher.update(plain), cipher.final()]) }
        },
      },
    },
  },
  'exports.package.content/truncated-without-a-word': truncatedAs((result) => ({
    ...result,
    truncated: false,
  })),
  'exports.package.content/truncated-at-the-start': truncatedAs((result) => ({
    ...result,
    last: typeof result.last === 'number' ? result.last - 1 : '2026-01-01',
  })),
  'exports.package.content/truncated-by-one-kind-of-date': truncatedAs((result) => ({
    ...result,
    dateType: 'permanentStorage',
  })),
  'exports.package.content/no-invoices-without-documents': {
    tables: {
      exports: {
        write: (next) =>
          next.result !== undefined && next.onlyMetadata
            ? { ...next, result: { ...next.result, invoiceCount: 0 } }
            : next,
      },
    },
  },
  'exports.package.content/key-of-the-last': {
    at: ['export'],
    tables: {
      exports: {
        read(found, _key, { exports }) {
          const last = found && exports.by('context', keyOf(found.context)).at(-1)
          return found && last && { ...found, key: last.key, iv: last.iv }
        },
      },
    },
  },
  'exports.package.content/corrections-unnamed': {
    policy: {
      exportedInvoices: (found, limit) =>
        found.slice(0, limit).map((one) => ({ ...one, corrects: undefined })),
    },
  },
  'exports.package.content/every-date-as-that-of-issue': {
    at: ['export'],
    policy: { rangeDate: (issued) => policy.rangeDate(issued, 'issue') },
  },
  'exports.package.content/misses-an-invoice': {
    policy: { exportedInvoices: (found) => found.slice(1) },
  },
  'exports.package.content/changes-documents': {
    policy: {
      packageEntry: (issued, bytes) =>
        policy.packageEntry(issued, Buffer.from(`${Buffer.from(bytes).toString()}\n`)),
    },
  },
  'exports.package.content/another-key': {
    tables: {
      exports: {
        write: (next, before) =>
          before === undefined ? { ...next, key: next.key.slice().toReversed() } : next,
      },
    },
  },
  'exports.package.content/authorized-as-the-seller': created((next) =>
    askedBy(next).subjectType === 'subjectAuthorized'
      ? { ...next, filters: { ...askedBy(next), subjectType: 'subject1' } }
      : next,
  ),
  'exports.package.content/every-role-as-the-seller': created((next) => ({
    ...next,
    filters: { ...askedBy(next), subjectType: 'subject1' },
  })),
  'exports.package.content/nothing-without-an-end': created((next) =>
    (askedBy(next).dateRange.to ?? null) === null
      ? { ...next, range: { ...next.range, to: next.range.from } }
      : next,
  ),
  'exports.package.content/stored-before-the-request': created((next) =>
    askedBy(next).dateRange.dateType === 'permanentStorage'
      ? { ...next, range: { ...next.range, to: next.requestedAt - minute } }
      : next,
  ),
  'exports.running-limit/shared-in-a-context': asCaller(['exports.create'], ({ context }) => ({
    subject: { type: 'Nip', value: nipOf(context) },
  })),
  'exports.running-limit/any-number-running': { policy: { mayStartExport: () => true } },
  'exports.running-limit/failed-ones-count': {
    at: ['exports.create'],
    tables: {
      exports: {
        find: (found) =>
          found.map((one) =>
            one.status.code === 200 ? one : { ...one, status: { ...one.status, code: 100 } },
          ),
      },
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
  'exports.expiry/links-past-their-package': bodies<{
    readonly package?: { readonly parts: readonly Fields[] }
  }>(['exports.status'], ({ package: described }, { now, service }) => {
    if (described === undefined) return {}
    const expirationDate = utc(now + service.limit('exports.linkLifetime') * 1000)
    const parts = described.parts.map((part) => ({ ...part, expirationDate }))
    return { package: { ...described, parts } }
  }),
  'exports.expiry/from-the-request-on': {
    tables: {
      exports: {
        write: (next) =>
          next.expiresAt === undefined || next.completedAt === undefined
            ? next
            : { ...next, expiresAt: next.expiresAt - (next.completedAt - next.requestedAt) },
      },
    },
  },
  'exports.expiry/takes-every-package': {
    tables: {
      exports: {
        write(next, _before, { exports, parts }) {
          if (next.status.code === 210)
            for (const { referenceNumber } of exports.by('context', keyOf(next.context)))
              for (const { id } of parts.by('session', referenceNumber)) parts.delete(id)
          return next
        },
      },
    },
  },
  'exports.expiry/stated-anew-when-over': bodies<{ readonly status: { readonly code: number } }>(
    ['exports.status'],
    ({ status }, { now }) => (status.code === 210 ? { packageExpirationDate: utc(now) } : {}),
  ),
  'exports.expiry/never-expire': { policy: { exportExpires: () => false } },
  'exports.isolated/of-the-subject-anywhere': ofTheSubject(['exports.status'], (call) => {
    const found = call.service.state.exports.get(reference(call))
    return found && { context: found.context, by: found.subject }
  }),
  'exports.isolated/links-prolonged-by-anyone': {
    policy: { linkContent: (use, subject) => `${use}\n${subject}` },
  },
  'exports.isolated/invoices-of-everyone': {
    at: ['export'],
    policy: { hasRole: () => true },
    tables: { issued: { find: (_found, _index, _value, table) => [...table.values()] } },
  },
  'exports.isolated/open-to-all-contexts': { policy: { exportIsOfContext: () => true } },
  'exports.package.content/not-sent-alone': {
    ...withoutDocuments(isAlone),
    needs: 'invoices.send',
  },
  'exports.package.content/not-in-packages': withoutDocuments(isPackage),
  'exports.hourly-limit/four-an-hour': {
    policy: {
      thresholds: (window) =>
        policy.thresholds(window.perHour === 20 ? { ...window, perHour: 4 } : window),
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
