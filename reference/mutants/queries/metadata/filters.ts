import type { Mutant } from '../../mutant.ts'
import type { Fields } from '../../rewrite.ts'
import { calls, ignores } from '../../rewrite.ts'
import { day } from '../../spans.ts'
import { described, ofClosedSessions, oneOfANumber } from '../../metadata-searches.ts'

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

/** A range that ends in the past ends now, where the newest come first. */
const newestUpToNow: Mutant = calls(['queries.metadata'], (call) => {
  const body = call.body as Fields & { readonly dateRange: { readonly to?: string } }
  const { to } = body.dateRange
  const isPast = typeof to === 'string' && Date.parse(to) < call.now
  if (call.query['sortOrder'] !== 'Desc' || !isPast) return call
  const dateRange = { ...body.dateRange, to: new Date(call.now).toISOString() }
  return { ...call, body: { ...body, dateRange } }
})

/** Defects of the filters of a metadata query. */
export const queriesMetadataFiltersMutants = {
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
  'queries.metadata.filters/form-unread': {
    ...ignores(['queries.metadata', 'queries.general'], 'formType'),
    absentIn: ({ forms }) => (forms === undefined ? 'every invoice is of one form' : undefined),
  },
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
  'queries.metadata.filters/newest-up-to-now': {
    also: ['queries.metadata.date-type'],
    ...newestUpToNow,
  },
  'queries.metadata.filters/range-ignored': {
    also: ['queries.metadata.date-type'],
    policy: { dateInRange: () => true },
  },
  'queries.metadata.filters/one-of-a-number': oneOfANumber('queries.metadata'),
  'queries.metadata.filters/of-closed-sessions': ofClosedSessions('queries.metadata'),
} as const satisfies Readonly<Record<string, Mutant>>
