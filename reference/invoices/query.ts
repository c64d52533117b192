/** Searching accepted invoices. Source: specification, Query metadata request; gap metadata-answer. */

import { formCodeOf } from '../../contract/environments.ts'
import type { BodyOf } from '../../contract/schemas.ts'
import type { Instant } from '../base/instants.ts'
import type { Service } from '../call/service.ts'
import type { ContextIdentifier } from '../model/entities.ts'
import { dayOf } from '../base/identifiers.ts'
import type { DateType } from '../policy/queries.ts'
import { refuse } from '../base/refusals.ts'
import { instantOf, utc, warsawOffset } from '../base/wording.ts'
import type { Issued } from '../model/documents.ts'
import { invoiceKinds } from '../model/invoice-facts.ts'
import { normalSvcNumber } from '../base/service-numbers.ts'
import { rolesIn } from '../model/roles.ts'

export type MetadataQuery = BodyOf<'MetadataQuery'>

export interface Range {
  readonly dateType: DateType
  readonly from: Instant
  readonly to: Instant
  /** Present where the data are asked for up to the high-water mark only, and the range lies beyond it. */
  readonly outsideData: boolean
  /** Present for the date of permanent storage. */
  readonly highWaterMark?: Instant
}

/** The same time of day so many calendar months later, on a clock that is `offset` minutes ahead of UTC. */
const monthsLater = (from: Instant, months: number, offset: number): Instant => {
  const local = new Date(from + offset * 60_000)
  const day = local.getUTCDate()
  local.setUTCDate(1)
  local.setUTCMonth(local.getUTCMonth() + months)
  const last = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate()
  local.setUTCDate(Math.min(day, last))
  return local.getTime() - offset * 60_000
}

/**
 * The range of dates that a query asks for.
 * @param highWaterMark up to which the data are complete
 * @throws refusal invalid-input
 */
export const readRange = (
  service: Service,
  { dateRange }: MetadataQuery,
  highWaterMark = service.policy.highWaterMark(service.clock.now()),
): Range => {
  const { policy } = service
  const now = service.clock.now()
  const { dateType } = dateRange
  const from = instantOf(dateRange.from)
  let to = dateRange.to === undefined || dateRange.to === null ? now : instantOf(dateRange.to)
  if (from === undefined || to === undefined)
    throw refuse('invalid-input', "'dateRange' holds no instants")
  const restricted =
    dateType === 'permanentStorage' && dateRange.restrictToPermanentStorageHwmDate === true
  const outsideData = restricted && from > highWaterMark
  const openEnd = dateRange.to === undefined || dateRange.to === null
  if (!policy.rangeForwards(from, to) && !(openEnd && outsideData))
    throw refuse('invalid-input', "'dateRange.from' must not be after 'dateRange.to'")
  const months = service.limit('query.months')
  const latest = Math.max(
    monthsLater(from, months, 0),
    monthsLater(from, months, warsawOffset(from)),
  )
  if (!policy.rangeNarrowEnough(to, latest))
    throw refuse('invalid-input', `'dateRange' must not be longer than ${months} months`)
  if (restricted) to = Math.min(to, highWaterMark)
  return {
    dateType,
    from,
    to,
    outsideData,
    ...(dateType === 'permanentStorage' && { highWaterMark }),
  }
}

const inRange = (service: Service, issued: Issued, { dateType, from, to }: Range): boolean => {
  const { policy } = service
  const at = policy.rangeDate(issued, dateType)
  return typeof at === 'string'
    ? policy.dateInRange(at, dayOf(from), dayOf(to))
    : policy.dateInRange(at, from, to)
}

/** Whether a filter that may be absent holds. */
const given = <T>(filter: T | null | undefined, holds: (value: T) => boolean): boolean =>
  filter === null || filter === undefined || holds(filter)

const matches = (issued: Issued, query: MetadataQuery): boolean => {
  const { facts } = issued
  return (
    given(query.svcNumber, (value) => (normalSvcNumber(value) ?? value) === issued.svcNumber) &&
    given(query.invoiceNumber, (value) => value === facts.number) &&
    given(query.amount, ({ type, from, to }) => {
      const amount = amountOf({ Brutto: facts.gross, Netto: facts.net, Vat: facts.vat }[type])
      return (
        given(from, (minimum) => amount >= minimum) && given(to, (maximum) => amount <= maximum)
      )
    }) &&
    given(query.sellerNip, (value) => value === facts.seller.nip) &&
    given(
      query.buyerIdentifier,
      ({ type, value }) =>
        type === facts.buyer.identifier.type &&
        given(value, (text) => text === facts.buyer.identifier.value),
    ) &&
    given(query.currencyCodes, (codes) => codes.length === 0 || codes.includes(facts.currency)) &&
    given(query.invoicingMode, (mode) => mode === issued.mode) &&
    given(query.isSelfInvoicing, (value) => value === facts.selfInvoicing) &&
    given(query.formType, (value) => value === formCodeOf(issued.schema).value) &&
    given(
      query.invoiceTypes,
      (types) => types.length === 0 || types.some((type) => type === invoiceKinds[facts.kind]),
    ) &&
    given(query.hasAttachment, (value) => value === facts.attachment)
  )
}

/** The invoices that a context may see and a query asks for, by the date of the query, ascending. */
export const findIssued = (
  service: Service,
  context: ContextIdentifier,
  query: MetadataQuery,
  range: Range,
): Issued[] => {
  const { state, policy } = service
  if (range.outsideData) return []
  const candidates =
    query.subjectType === 'subject1' && context.type === 'Nip'
      ? state.issued.by('seller', context.value)
      : [...state.issued.values()]
  const order = (issued: Issued): string => {
    const date = policy.orderDate(issued, range.dateType)
    return typeof date === 'number' ? String(date).padStart(16, '0') : date
  }
  const tie = (issued: Issued): string =>
    `${String(issued.storedAt ?? 0).padStart(16, '0')} ${issued.svcNumber}`
  return candidates
    .filter(
      (issued) =>
        issued.storedAt !== undefined &&
        policy.hasRole(rolesIn(context, issued), query.subjectType) &&
        inRange(service, issued, range) &&
        matches(issued, query),
    )
    .map((issued) => ({ issued, key: `${order(issued)} ${tie(issued)}` }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ issued }) => issued)
}

/** Hundredths as an amount. */
const amountOf = (hundredths: bigint): number => Number(hundredths) / 100

const named = (name: string | undefined) => (name === undefined ? {} : { name })

/** What a query says of an accepted invoice. */
export const metadataView = (issued: Issued) => {
  const { facts } = issued
  return {
    svcNumber: issued.svcNumber,
    invoiceNumber: facts.number,
    issueDate: facts.issueDate,
    invoicingDate: utc(issued.invoicingAt),
    acquisitionDate: utc(issued.acquiredAt),
    permanentStorageDate: utc(issued.storedAt ?? issued.acquiredAt),
    seller: facts.seller,
    buyer: facts.buyer,
    netAmount: amountOf(facts.net),
    grossAmount: amountOf(facts.gross),
    vatAmount: amountOf(facts.vat),
    currency: facts.currency,
    invoicingMode: issued.mode,
    invoiceType: invoiceKinds[facts.kind],
    formCode: formCodeOf(issued.schema),
    isSelfInvoicing: facts.selfInvoicing,
    hasAttachment: facts.attachment,
    invoiceHash: issued.hash,
    ...(issued.corrects !== undefined && { hashOfCorrectedInvoice: issued.corrects }),
    ...(facts.thirdParties.length > 0 && {
      thirdSubjects: facts.thirdParties.map(({ identifier, name, role }) => ({
        identifier,
        ...named(name),
        role,
      })),
    }),
    ...(facts.authorized !== undefined && { authorizedSubject: facts.authorized }),
  }
}
