import { dateOf, queriesPolicy } from '../policy/queries.ts'
import type { Mutant } from './mutant.ts'
import type { Change } from './rewrite.ts'
import { bodies, ignores, records } from './rewrite.ts'

/** Defects of searching. */

interface Metadata {
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

export const queriesMutants = {
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
  'queries.metadata.described/names-lost': described({ seller: { nip: '5265877635' } }),
  'queries.metadata.described/buyer-lost': described({ buyer: { identifier: { type: 'None' } } }),
  'queries.metadata.described/third-parties-lost': described({ thirdSubjects: [] }),
  'queries.metadata.described/authorized-party-lost': described({ authorizedSubject: null }),
  'queries.metadata.described/every-kind-vat': described({ invoiceType: 'Vat' }),
  'queries.metadata.described/self-invoicing-unseen': described({ isSelfInvoicing: false }),
  'queries.metadata.described/stored-long-ago': described({
    permanentStorageDate: '2000-01-01T00:00:00.000Z',
  }),
  'queries.metadata.described/first-third-party-only': described(({ thirdSubjects }) => ({
    thirdSubjects: thirdSubjects?.slice(0, 1),
  })),
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
  'queries.metadata.date-bounds/range-of-any-length': {
    policy: { rangeNarrowEnough: () => true },
  },
  'queries.metadata.paging/mark-of-every-page': {
    policy: { pageKeepsMark: () => false },
  },
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
  'queries.general.date-range/general-finds-nothing': bodies(['queries.general'], { invoices: [] }),
  'queries.metadata.paging/mark-of-two-pages': {
    policy: {
      pageKeepsMark: (offset, first, fresh) =>
        offset < 2 && queriesPolicy.pageKeepsMark(offset, first, fresh),
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
