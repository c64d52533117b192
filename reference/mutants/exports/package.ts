import { createCipheriv } from 'node:crypto'
import { decryptAes } from '../../base/crypto.ts'
import { exportPartId } from '../../invoices/export.ts'
import { keyOf, nipOf } from '../../model/entities.ts'
import type { Export, Issued } from '../../model/documents.ts'
import { policy } from '../../policy/policy.ts'
import { exportedForAMonth } from '../ages.ts'
import { firstOfEach } from '../by-number.ts'
import type { Mutant } from '../mutant.ts'
import { refuses } from '../rewrite.ts'
import { minute } from '../spans.ts'
import { isAlone, isPackage, isBySeller } from '../ways-of-sending.ts'
import type { Asked } from '../export-requests.ts'

const created = (change: (next: Export) => Export): Mutant => ({
  tables: { exports: { write: (next, before) => (before === undefined ? change(next) : next) } },
})

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

/** Of the invoices that share a property the last is in the package. */
const gatheredBy = (property: (issued: Issued) => string): Mutant => ({
  policy: {
    exportedInvoices: (found, limit) => [
      ...new Map(
        found.slice(0, limit).map((issued) => [property(issued as unknown as Issued), issued]),
      ).values(),
    ],
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

/** An export has what its subject sent itself, and nothing that others sent in the same context. */
const sentByItsSubject = (): Mutant => {
  let sentBy = (_issued: Issued): boolean => true
  return {
    at: ['export'],
    tables: {
      exports: {
        read(found, _key, { sessions }) {
          const subject = found && keyOf(found.subject)
          sentBy = ({ session }) => {
            const sender = sessions.get(session)?.subject
            return sender === undefined || keyOf(sender) === subject
          }
          return found
        },
      },
      issued: { find: (found) => found.filter(sentBy) },
    },
  }
}

/** Each part can be downloaded one time. */
const downloadedOnce = (): Mutant => {
  const taken = new Set<string>()
  return refuses(['exports.part'], 'link-expired', ({ path }) => {
    const part = `${path['referenceNumber']} ${path['ordinalNumber']}`
    const again = taken.has(part)
    taken.add(part)
    return again
  })
}

/** Defects of what the packages of exports hold. */
export const exportsPackageMutants = {
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
  'exports.package.content/not-sent-alone': {
    ...withoutDocuments(isAlone),
    needs: 'invoices.send',
  },
  'exports.package.content/not-in-packages': withoutDocuments(isPackage),
  'exports.package.content/gathered-by-number': gatheredBy(({ facts }) => facts.number),
  'exports.package.content/described-by-number': {
    policy: { describedInvoices: (exported) => firstOfEach(exported, ({ facts }) => facts.number) },
  },
  'exports.package.content/gathered-by-number-and-kind': gatheredBy(
    ({ facts: { number, kind } }) => `${kind} ${number}`,
  ),
  'exports.package.content/gathered-by-number-and-seller': gatheredBy(
    ({ facts: { number, seller } }) => `${seller.nip} ${number}`,
  ),
  'exports.package.content/received-for-acquired': {
    absentIn: ({ schemas }) => {
      const known = schemas['QueryDateType']?.['enum']
      return Array.isArray(known) && !known.includes('acquisition')
        ? 'no export is by the date of acquisition'
        : undefined
    },
    at: ['export'],
    policy: {
      rangeDate: (issued, type) =>
        policy.rangeDate(issued, type === 'acquisition' ? 'invoicing' : type),
    },
  },
  'exports.package.content/stored-for-received': {
    at: ['export'],
    policy: {
      rangeDate: (issued, type) =>
        policy.rangeDate(issued, type === 'invoicing' ? 'permanentStorage' : type),
    },
  },
  'exports.package.content/for-a-month': exportedForAMonth(),
  'exports.package.content/a-page-at-most': {
    policy: {
      exportedInvoices: (found, limit) => policy.exportedInvoices(found, Math.min(limit, 250)),
    },
  },
  'exports.package.content/not-of-agents': {
    policy: {
      exportedInvoices: (found, limit) =>
        policy.exportedInvoices(
          found.filter((one) => isBySeller(one as Issued)),
          limit,
        ),
    },
  },
  'exports.package.content/parts-once': downloadedOnce(),
  'exports.package.content/sent-by-its-subject': sentByItsSubject(),
} as const satisfies Readonly<Record<string, Mutant>>
