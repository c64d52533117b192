import { formCodeOf } from '../../contract/environments.ts'
import { instantOf, warsaw } from '../base/wording.ts'
import { nipOf } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import { dateOf, queriesPolicy } from '../policy/queries.ts'
import { ends, isInstant, offsetAtEnd, ranges, toTheMinute } from './date-ranges.ts'
import type { Mutant } from './mutant.ts'
import type { Change, Fields } from './rewrite.ts'
import { behindLogin, bodies, calls, ignores, records, writesNothing } from './rewrite.ts'
import { oneDecimalDigit, remembers } from './remembered-facts.ts'
import { day, minute } from './spans.ts'
import { isAlone, isPackage, notFoundByTheBuyer } from './ways-of-sending.ts'

interface Metadata {
  readonly invoicingMode: string
  readonly netAmount: number
  readonly grossAmount: number
  readonly vatAmount: number
  readonly thirdSubjects?: readonly unknown[]
}

const described = (change: Change<Metadata>): Mutant =>
  records(['queries.metadata'], 'invoices', change)

/** A search among the invoices of every seller. */
const ofEveryone: Mutant['tables'] = {
  issued: {
    find: (found, index, _value, table) => (index === 'seller' ? [...table.values()] : found),
  },
}

/** Every page after the first one has the high-water mark of the last first page, whatever the query. */
const markOfAnyQuery = (): Mutant => {
  let mark: unknown
  return bodies<{ readonly permanentStorageHwmDate?: unknown }>(
    ['queries.metadata'],
    ({ permanentStorageHwmDate }, { query }) => {
      if (query['pageOffset'] === 0) mark = permanentStorageHwmDate
      return { permanentStorageHwmDate: mark }
    },
  )
}

/** A buyer is found by an identifier that is like its own. */
const buyerLike = (isLike: (known: string, asked: string) => boolean): Mutant =>
  calls(['queries.metadata', 'queries.general'], (call) => {
    const { buyerIdentifier } = call.body as {
      readonly buyerIdentifier?: { readonly type: string; readonly value?: string } | null
    }
    const { type, value } = buyerIdentifier ?? {}
    if (value === undefined) return call
    const buyers = [...call.service.state.issued.values()].map(
      ({ facts }) => facts.buyer.identifier,
    )
    const buyer = buyers.find(
      (one) => one.type === type && 'value' in one && isLike(one.value, value),
    )
    return buyer === undefined
      ? call
      : { ...call, body: { ...(call.body as Fields), buyerIdentifier: buyer } }
  })

/** Defects of searches. */
export const queriesMutants = {
  'queries.providers.listed/never-registered': writesNothing('providers'),
  'queries.providers.listed/behind-login': behindLogin('queries.providers'),
  'queries.metadata.filters/end-of-a-buyer': buyerLike((known, asked) => known.endsWith(asked)),
  'queries.metadata.filters/zero-is-no-bound': calls(['queries.metadata'], (call) => {
    const { amount } = call.body as { readonly amount?: { from?: number; to?: number } }
    return amount === undefined
      ? call
      : {
          ...call,
          body: {
            ...(call.body as Fields),
            amount: {
              ...amount,
              from: amount.from === 0 ? undefined : amount.from,
              to: amount.to === 0 ? undefined : amount.to,
            },
          },
        }
  }),
  'queries.metadata.filters/seller-unfiltered': {
    also: ['queries.general.date-range'],
    ...calls(['queries.metadata', 'queries.general'], (call) => {
      const { subjectType, dateRange } = call.body as Fields
      return subjectType === 'subject1' ? { ...call, body: { subjectType, dateRange } } : call
    }),
  },
  'queries.metadata.filters/any-date-for-a-number': calls(
    ['queries.metadata', 'queries.general'],
    (call) => {
      const query = call.body as { readonly svcNumber?: string | null; readonly dateRange: Fields }
      if (typeof query.svcNumber !== 'string') return call
      const from = new Date(call.now - 60 * day).toISOString()
      const dateRange = { dateType: query.dateRange['dateType'], from }
      return { ...call, body: { ...query, dateRange } }
    },
  ),
  'queries.metadata.filters/buyer-without-its-country': buyerLike(
    (known, asked) => known.replace(/^[A-Z]+/, '') === asked.replace(/^[A-Z]+/, ''),
  ),
  'queries.metadata.filters/filters-ignored': ignores(
    ['queries.metadata'],
    'svcNumber',
    'invoiceNumber',
    'amount',
    'sellerNip',
    'buyerIdentifier',
    'currencyCodes',
    'invoicingMode',
    'isSelfInvoicing',
    'formType',
    'invoiceTypes',
    'hasAttachment',
  ),
  'queries.metadata.filters/amounts-in-whole-units': described(
    ({ netAmount, grossAmount, vatAmount }) => ({
      netAmount: Math.trunc(netAmount),
      grossAmount: Math.trunc(grossAmount),
      vatAmount: Math.trunc(vatAmount),
    }),
  ),
  'queries.metadata.filters/range-ignored': {
    also: ['queries.metadata.date-type'],
    policy: { dateInRange: () => true },
  },
  'queries.metadata.described/one-decimal-digit': oneDecimalDigit,
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
  'queries.metadata.described/sent-by-package-on-the-day-of-issue': {
    ...records<{ readonly svcNumber: string; readonly invoicingDate: string }>(
      ['queries.metadata'],
      'invoices',
      ({ svcNumber, invoicingDate }, { service: { state } }) =>
        state.sessions.get(state.issued.get(svcNumber)?.session ?? '')?.kind === 'batch'
          ? { issueDate: invoicingDate.slice(0, 10) }
          : {},
    ),
    also: ['invoices.content.issue-date'],
  },
  'queries.metadata.described/names-lost': described({ seller: { nip: '5265877635' } }),
  'queries.metadata.described/buyer-lost': described({ buyer: { identifier: { type: 'None' } } }),
  'queries.metadata.described/third-parties-lost': described({ thirdSubjects: [] }),
  'queries.metadata.described/authorized-party-lost': described({ authorizedSubject: null }),
  'queries.metadata.described/offline-as-fa3': described(({ invoicingMode }) =>
    invoicingMode === 'Offline' ? { formCode: formCodeOf('fa3') } : {},
  ),
  'queries.metadata.described/every-kind-vat': described({ invoiceType: 'Vat' }),
  'queries.metadata.described/self-invoicing-unseen': described({ isSelfInvoicing: false }),
  'queries.metadata.described/stored-long-ago': described({
    permanentStorageDate: '2000-01-01T00:00:00.000Z',
  }),
  'queries.metadata.described/first-third-party-only': described(({ thirdSubjects }) => ({
    thirdSubjects: thirdSubjects?.slice(0, 1),
  })),
  'queries.metadata.subject-type/representatives-alone': remembers(({ authorized, ...facts }) =>
    authorized?.role === 3 ? { ...facts, authorized } : facts,
  ),
  'queries.metadata.subject-type/units-as-the-taxpayer': remembers((facts) => ({
    ...facts,
    thirdParties: facts.thirdParties.flatMap((one) => {
      const { type, value } = one.identifier
      const nip = { type: 'Nip', value: value?.slice(0, 10) ?? '' } as const
      return type === 'InternalId' ? [one, { ...one, identifier: nip }] : [one]
    }),
  })),
  'queries.metadata.subject-type/recipients-alone': remembers((facts) => ({
    ...facts,
    thirdParties: facts.thirdParties.filter(({ role }) => role === 2),
  })),
  'queries.metadata.subject-type/authorized-of-the-taxpayer': calls(
    ['queries.metadata'],
    (call) => {
      const { caller } = call
      const { subjectType } = call.body as { readonly subjectType: string }
      if (caller === undefined || subjectType !== 'subjectAuthorized') return call
      const context = { type: 'Nip', value: nipOf(caller.context) } as const
      return { ...call, caller: { ...caller, context } }
    },
  ),
  'queries.metadata.subject-type/one-role-at-most': {
    policy: {
      hasRole: (roles, subjectType) =>
        policy.hasRole(roles, subjectType) &&
        (/^subject[12]$/.test(subjectType) || !(roles.seller || roles.buyer)),
    },
  },
  'queries.metadata.subject-type/sender-as-seller': {
    policy: {
      hasRole: (roles, subjectType) =>
        subjectType === 'subject1' ? roles.sender : policy.hasRole(roles, subjectType),
    },
  },
  'queries.metadata.subject-type/role-ignored': {
    policy: { hasRole: () => true },
    tables: ofEveryone,
  },
  'queries.metadata.subject-type/buyer-sees-as-issuer': {
    policy: {
      hasRole: (roles, subjectType) =>
        subjectType === 'subject1'
          ? roles.seller || roles.buyer
          : subjectType === 'subject2' && roles.buyer,
    },
    tables: ofEveryone,
  },
  'queries.metadata.subject-type/authorized-party-finds-nothing': {
    policy: {
      hasRole: (roles, subjectType) =>
        subjectType !== 'subjectAuthorized' && queriesPolicy.hasRole(roles, subjectType),
    },
  },
  'queries.metadata.date-type/issue-date-is-acquisition': {
    policy: {
      rangeDate: (issued, type) => dateOf(issued, type === 'issue' ? 'acquisition' : type),
    },
  },
  'queries.metadata.date-type/acquisition-is-issue-date': {
    policy: {
      rangeDate: (issued, type) => dateOf(issued, type === 'acquisition' ? 'issue' : type),
    },
  },
  'queries.metadata.date-bounds/range-backwards-accepted': {
    policy: { rangeForwards: () => true },
  },
  'queries.metadata.date-bounds/range-of-any-length': { policy: { rangeNarrowEnough: () => true } },
  'queries.metadata.date-bounds/offset-unread': ends((text) => text.replace(offsetAtEnd, '')),
  'queries.metadata.date-bounds/offset-as-utc': ends((text) => text.replace(offsetAtEnd, 'Z')),
  'queries.metadata.date-bounds/without-an-offset-as-utc': ends((text) =>
    offsetAtEnd.test(text) ? text : `${text}Z`,
  ),
  'queries.metadata.date-bounds/offset-of-today': ends((text, now) =>
    offsetAtEnd.test(text) ? text : text + (offsetAtEnd.exec(warsaw(now))?.[0] ?? 'Z'),
  ),
  'queries.metadata.date-bounds/open-end-at-the-start': ranges(({ from, to }) =>
    typeof to === 'string' ? {} : { to: new Date((instantOf(from) ?? 0) + minute).toISOString() },
  ),
  'queries.metadata.date-bounds/start-excluded': {
    policy: {
      dateInRange: (at, from, to) =>
        policy.dateInRange(at, from, to) && !(isInstant(at) && at === from),
    },
  },
  'queries.metadata.date-bounds/end-excluded': {
    policy: {
      dateInRange: (at, from, to) =>
        policy.dateInRange(at, from, to) && !(isInstant(at) && at === to),
    },
  },
  'queries.metadata.date-bounds/start-to-the-minute': {
    policy: { dateInRange: (at, from, to) => policy.dateInRange(at, toTheMinute(from), to) },
  },
  'queries.metadata.paging/mark-of-any-query': markOfAnyQuery(),
  'queries.metadata.paging/mark-of-every-page': { policy: { pageKeepsMark: () => false } },
  'queries.metadata.paging/in-the-order-of-acceptance': {
    policy: { orderDate: ({ acquiredAt }) => acquiredAt },
  },
  'queries.metadata.paging/pages-overlap': {
    policy: {
      metadataPage: (found, offset, size) =>
        found.slice(Math.max(0, offset * size - offset), (offset + 1) * size - offset),
    },
  },
  'queries.metadata.paging/last-page-missing': {
    policy: { moreToCome: (found, offset, size) => found >= (offset + 2) * size },
  },
  'queries.metadata.paging/mark-of-two-pages': {
    policy: {
      pageKeepsMark: (offset, first, fresh) =>
        offset < 2 && queriesPolicy.pageKeepsMark(offset, first, fresh),
    },
  },
  'queries.general.date-range/general-finds-nothing': bodies(['queries.general'], { invoices: [] }),
  'queries.metadata.subject-type/sent-alone-not-for-the-buyer': {
    ...notFoundByTheBuyer(isAlone),
    needs: 'invoices.send',
  },
  'queries.metadata.subject-type/packages-not-for-the-buyer': notFoundByTheBuyer(isPackage),
} as const satisfies Readonly<Record<string, Mutant>>
