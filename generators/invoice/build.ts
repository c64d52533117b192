import { invoiceSchemas } from '../../contract/environments.ts'
import { seedFrom } from '../../lib/random.ts'
import type { Draw } from '../draw/draw.ts'
import { seededDraw } from '../draw/draw.ts'
import type { Element } from '../schema/document.ts'
import { annotations, isLarge } from './annotations.ts'
import { attachment } from './attachment.ts'
import { conditions } from './conditions.ts'
import { drawCorrectedOn } from './corrections.ts'
import { deliveryOf, handsOver, isHousehold } from './delivery.ts'
import type { Draft } from './draft.ts'
import { elementsOf } from './draft.ts'
import { firmOf } from './firms.ts'
import type { Core, CoreInput } from './core.ts'
import type { Shop } from './item.ts'
import { agreedBy, dayOf, paidOn, supplied } from './days.ts'
import { core } from './kinds.ts'
import type { Cents } from '../../lib/decimal.ts'
import { formatCents, formatDecimal } from '../../lib/decimal.ts'
import type { GeneratedInvoice, InvoiceOptions } from './options.ts'
import { InvoiceOptionsError } from './options.ts'
import type { Buyer } from './party.ts'
import {
  authorisedParty,
  buyerParty,
  drawBuyer,
  formerBuyer,
  sellerParty,
  thirdParties,
} from './party.ts'
import { aboutSale, descriptions } from './particulars.ts'
import type { Plan } from './plan.ts'
import { drawCurrency, drawPlan, exchangeOn } from './plan.ts'
import { payment, settlement } from './payment.ts'
import { totalElements } from './rates.ts'
import { drawSold } from './sold.ts'

/** The first instant that each schema lets a document be made at. */
const earliestCreation = {
  fa2: '2022-01-01T00:00:00Z',
  fa3: '2025-09-01T00:00:00Z',
} as const

export type Unsized = Omit<GeneratedInvoice, 'bytes'>

/** Naglowek. */
export function header(
  { el, schema }: Pick<Draft, 'el' | 'schema'>,
  created: string,
  system: string,
) {
  const { formCode } = invoiceSchemas[schema]
  return el('Naglowek', [
    el('KodFormularza', formCode.value, [
      { name: 'kodSystemowy', value: formCode.systemCode },
      { name: 'wersjaSchemy', value: formCode.schemaVersion },
    ]),
    el('WariantFormularza', schema === 'fa3' ? '3' : '2'),
    el('DataWytworzeniaFa', created),
    el('SystemInfo', system),
  ])
}

/** When a document is made: as asked, else in office hours of the day of issue, never before the schema allows. */
export function creation(options: InvoiceOptions): string {
  const { schema = 'fa3', seller, number, issueDate, created } = options
  const draw = seededDraw(seedFrom('creation', seller, number))
  const [hour, minute, second] = [draw.int(6, 15), draw.int(0, 59), draw.int(0, 59)].map((each) =>
    String(each).padStart(2, '0'),
  )
  const onIssue = `${issueDate}T${hour}:${minute}:${second}Z`
  const earliest = earliestCreation[schema]
  return created ?? (onIssue < earliest ? earliest : onIssue)
}

/** Units of what a buyer can give back. */
const inPieces: ReadonlySet<string> = new Set(['szt.', 'kpl.', 'para'])

/** Whether a buyer is a regular one, whose account may have a balance from the last time. */
const keepsAccounts = ({ agreed, continuous, deposit }: Shop) =>
  continuous === true || deposit === true || agreed.length > 1

/** Platnosc: the terms depend on the buyer and on what is sold. */
function paid(
  draft: Draft,
  plan: Plan,
  own: Core,
  facts: Pick<CoreInput, 'exchange'> & {
    readonly household: boolean
    readonly shop: Shop
    readonly days: readonly Element[]
  },
): Element {
  const { exchange, household, shop, days } = facts
  const advance = plan.kind === 'ZAL'
  return payment(draft, own.total, {
    paidOn: paidOn(draft, plan, { shop, days, own }),
    // For an advance, the whole order counts.
    byTransfer: plan.euTrade || advance || shop.continuous === true || isLarge(own.total, exchange),
    abroad: plan.euTrade,
    onTerms: !advance && !household && shop.agreed.length > 0,
  })
}

/** The largest amount that decides on split payment: for a correction, also the totals of its invoice. */
const largest = ({ total, stated = [] }: Core): Cents =>
  [total, -total, ...stated].reduce((peak, each) => (each > peak ? each : peak))

/** FP and TP: for a receipt, and between parties that are related. */
function marks({ draw, el, kind, seller }: Draft, plan: Plan, buyer: Buyer): Element[] {
  if (plan.sparse) return []
  const related = seededDraw(seedFrom('related', seller, buyer.nip ?? buyer.name)).chance(4)
  return [
    ...(plan.profile === 'retail' && kind !== 'UPR' && draw.chance(40) ? [el('FP', '1')] : []),
    ...(related && !isHousehold(plan, buyer) ? [el('TP', '1')] : []),
  ]
}

function body(draft: Draft, plan: Plan, number: string, buyer: Buyer, former?: Element) {
  const { el, draw, kind, issueDate } = draft
  const some = (percent: number) => !plan.sparse && draw.chance(percent)
  const { shop, currency } = plan
  const correctedOn = kind.startsWith('KOR') ? drawCorrectedOn(draft) : issueDate
  // A correction keeps the rate of exchange of what it corrects.
  const exchange = exchangeOn(correctedOn, currency)
  const { lines, newVehicle } = drawSold(draft, plan, exchange)
  const household = isHousehold(plan, buyer)
  // A buyer bills itself by a contract.
  const selfBilling =
    buyer.kind === 'domestic' && !household && shop.agreed.includes('contract') && some(2)
  // Nothing was handed over for an advance, and a correction hands nothing over.
  const delivers = kind === 'VAT' || kind === 'ROZ' || kind === 'UPR'
  const carried = delivers && handsOver(plan, shop)
  const transport = plan.transport && carried && newVehicle === undefined
  // One transport is one supply.
  const onTerms = !household && shop.agreed.length > 0
  const dated = kind === 'VAT' && !transport && onTerms && !shop.continuous && some(6)
  const input: CoreInput = {
    lines,
    exchange,
    exchangeOn: (date) => exchangeOn(date, currency),
    correctedOn,
    onAccount: !household && keepsAccounts(shop),
    bare: plan.sparse || plan.lines > 200,
    minimal: plan.profile === 'ten-thousand-lines',
    goods: plan.goods,
    returnable: handsOver(plan, shop) && lines.every(({ unit }) => inPieces.has(unit)),
    dated,
    ...(former && { formerBuyer: former }),
  }
  const own = core(draft, input)
  const days = plan.sparse || dated ? [] : supplied(draft, input, own, shop)
  const parts = [el('KodWaluty', plan.currency), el('P_1', issueDate)]
  if (some(50)) parts.push(el('P_1M', firmOf(draft.seller).issuesIn))
  parts.push(el('P_2', number))
  if (carried && !household && buyer.nip !== undefined && some(12))
    parts.push(el('WZ', `WZ/${draw.int(1, 9999)}`))
  parts.push(...days)
  if (own.showTotals) parts.push(...totalElements(draft, own.totals, exchange))
  parts.push(el('P_15', formatCents(own.total)))
  // Payments in parts have rates of their own.
  if (exchange !== undefined && own.payments.length === 0 && kind.endsWith('ZAL')) {
    parts.push(el('KursWalutyZ', formatDecimal(exchange, 4)))
  }
  const facts = { total: largest(own), goods: plan.goods, selfBilling, exchange, newVehicle }
  parts.push(
    annotations(draft, { ...facts, lines: own.sold ?? lines }),
    el('RodzajFaktury', kind),
    ...own.correction,
    ...own.payments,
  )
  parts.push(...marks(draft, plan, buyer))
  if (some(25)) {
    const about = aboutSale(shop, buyer, { household, carried })
    parts.push(...descriptions(draft, about, own.lines.length > 0))
  }
  parts.push(...own.advances)
  if (
    buyer.kind === 'domestic' &&
    lines.some(({ item }) => item?.excise === 'refunded') &&
    some(20)
  )
    parts.push(el('ZwrotAkcyzy', '1'))
  parts.push(...own.lines)
  if (kind === 'VAT' && !household && keepsAccounts(shop) && some(8))
    parts.push(settlement(draft, own.total, shop.deposit === true))
  if (own.total > 0n && some(85))
    parts.push(paid(draft, plan, own, { exchange, household, shop, days }))
  if (transport || some(25)) {
    const left = transport ? (dayOf(days) ?? issueDate) : undefined
    const since = agreedBy(draft, own, days)
    const delivery = deliveryOf(plan, buyer, { left, since, delivers, lines, shop })
    const agreed = conditions(draft, delivery)
    if (agreed) parts.push(agreed)
  }
  if (own.order) parts.push(own.order)
  return el('Fa', parts)
}

function footer({ el, draw, seller }: Draft, household: boolean): Element {
  const { capital, krs, regon, bdo } = firmOf(seller)
  const entries = [
    ...(krs === undefined ? [] : [el('KRS', krs)]),
    ...(draw.chance(60) ? [el('REGON', regon)] : []),
    ...(bdo === undefined ? [] : [el('BDO', bdo)]),
  ]
  const text =
    capital !== undefined && draw.chance(60)
      ? `Kapitał zakładowy ${capital} zł`
      : household
        ? 'Zapraszamy ponownie'
        : 'Dziękujemy za współpracę'
  return el('Stopka', [
    ...(entries.length === 0 || draw.chance(60)
      ? [el('Informacje', [el('StopkaFaktury', text)])]
      : []),
    ...(entries.length > 0 ? [el('Rejestry', entries)] : []),
  ])
}

/** Builds an invoice from choices; `sparse` leaves out everything optional. */
export function buildInvoice(options: InvoiceOptions, draw: Draw, sparse = false): Unsized {
  const { seller, number, issueDate, schema = 'fa3' } = options
  if (schema === 'fa2' && options.attachment) {
    throw new InvoiceOptionsError('attachment: FA(2) has none')
  }
  const drawnPlan = drawPlan(draw, options, sparse)
  const { kind } = drawnPlan
  const el = elementsOf(schema)
  const draft: Draft = { draw, schema, kind, profile: drawnPlan.profile, seller, issueDate, el }
  const buyer = drawBuyer(draft, drawnPlan, options.buyer)
  const plan = { ...drawnPlan, currency: drawCurrency(draw, drawnPlan, buyer.place.country) }
  const simplified = kind === 'UPR'
  const some = (percent: number) => !plan.sparse && draw.chance(percent)
  const former = kind === 'KOR' && !simplified && some(15) ? formerBuyer(draft, buyer) : undefined
  const fa = body(draft, plan, number, buyer, former)
  const parts = [
    header(draft, creation(options), 'assay'),
    sellerParty(draft, plan),
    buyerParty(draft, buyer, simplified),
    ...(sparse && !buyer.subUnit && !buyer.group
      ? []
      : thirdParties(draft, buyer, isHousehold(plan, buyer))),
    // They sell things that were seized.
    ...(plan.goods &&
    kind === 'VAT' &&
    buyer.nip !== undefined &&
    plan.shop.agreed.length > 0 &&
    some(2)
      ? [authorisedParty(draft)]
      : []),
    fa,
  ]
  if (some(50)) parts.push(footer(draft, isHousehold(plan, buyer)))
  if (options.attachment) {
    const household = isHousehold(plan, buyer)
    const overTheCounter = household || simplified || plan.shop.agreed.length === 0
    const about = aboutSale(plan.shop, buyer, { household, carried: false })
    parts.push(attachment(draft, fa, { ...plan.shop, overTheCounter, about }))
  }
  return {
    schema,
    seller,
    ...(buyer.nip !== undefined && { buyer: buyer.nip }),
    number,
    issueDate,
    kind,
    document: el('Faktura', parts),
  }
}
