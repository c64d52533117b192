import type { Mutant } from './mutant.ts'
import { queriesPolicy } from '../policy/queries.ts'

/** The record with some fields otherwise. */
const described = (fields: Readonly<Record<string, unknown>>): Mutant => ({
  breaks: ['queries.metadata.described'],
  policy: { metadataShown: (view) => ({ ...view, ...fields }) },
})

/** Defects of searching. */
export const queriesMutants = {
  'queries.filters-ignored': {
    breaks: ['queries.metadata.filters'],
    policy: { filterHolds: () => true },
  },
  'queries.amounts-in-whole-units': {
    breaks: ['queries.metadata.filters'],
    policy: { shownAmount: (hundredths) => Number(hundredths / 100n) },
  },
  'queries.range-ignored': {
    breaks: ['queries.metadata.filters', 'queries.metadata.date-type'],
    policy: { dateInRange: () => true },
  },
  'queries.names-lost': described({ seller: { nip: '5265877635' } }),
  'queries.buyer-lost': described({ buyer: { identifier: { type: 'None' } } }),
  'queries.third-parties-lost': described({ thirdSubjects: [] }),
  'queries.authorized-party-lost': described({ authorizedSubject: null }),
  'queries.every-kind-vat': described({ invoiceType: 'Vat' }),
  'queries.self-invoicing-unseen': described({ isSelfInvoicing: false }),
  'queries.stored-long-ago': described({ permanentStorageDate: '2000-01-01T00:00:00.000Z' }),
  'queries.first-third-party-only': {
    breaks: ['queries.metadata.described'],
    policy: {
      metadataShown: ({ thirdSubjects, ...view }) => ({
        ...view,
        ...(Array.isArray(thirdSubjects) && { thirdSubjects: thirdSubjects.slice(0, 1) }),
      }),
    },
  },
  'queries.role-ignored': {
    breaks: ['queries.metadata.subject-type'],
    policy: { hasRole: () => true, searchesByRole: () => false },
  },
  'queries.buyer-sees-as-issuer': {
    breaks: ['queries.metadata.subject-type'],
    policy: {
      hasRole: (roles, subjectType) =>
        subjectType === 'subject1'
          ? roles.seller || roles.buyer
          : subjectType === 'subject2' && roles.buyer,
      searchesByRole: () => false,
    },
  },
  'queries.authorized-party-finds-nothing': {
    breaks: ['queries.metadata.subject-type'],
    policy: {
      hasRole: (roles, subjectType) =>
        subjectType !== 'subjectAuthorized' && queriesPolicy.hasRole(roles, subjectType),
    },
  },
  'queries.issue-date-is-acquisition': {
    breaks: ['queries.metadata.date-type'],
    policy: { dateUsed: (dateType) => (dateType === 'issue' ? 'acquisition' : dateType) },
  },
  'queries.acquisition-is-issue-date': {
    breaks: ['queries.metadata.date-type'],
    policy: { dateUsed: (dateType) => (dateType === 'acquisition' ? 'issue' : dateType) },
  },
  'queries.range-backwards-accepted': {
    breaks: ['queries.metadata.date-bounds'],
    policy: { rangeForwards: () => true },
  },
  'queries.range-of-any-length': {
    breaks: ['queries.metadata.date-bounds'],
    policy: { rangeNarrowEnough: () => true },
  },
  'queries.mark-of-every-page': {
    breaks: ['queries.metadata.paging'],
    policy: { markOfLaterPage: (_first, now) => now },
  },
  'queries.in-the-order-of-acceptance': {
    breaks: ['queries.metadata.paging'],
    policy: { orderedBy: () => 'acquisition' },
  },
  'queries.pages-overlap': {
    breaks: ['queries.metadata.paging'],
    policy: {
      metadataPage: (found, offset, size) =>
        found.slice(Math.max(0, offset * size - offset), (offset + 1) * size - offset),
    },
  },
  'queries.last-page-missing': {
    breaks: ['queries.metadata.paging'],
    policy: { moreToCome: (found, offset, size) => found >= (offset + 2) * size },
  },
  'queries.general-finds-nothing': {
    breaks: ['queries.general.date-range'],
    policy: { generalRange: () => [] },
  },
} as const satisfies Record<string, Mutant>
