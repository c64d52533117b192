import { invoiceSchemas } from '../../contract/environments.ts'
import type { Draw } from '../draw/draw.ts'
import type { Element } from '../schema/document.ts'
import { annotations, isLarge } from './annotations.ts'
import { attachment } from './attachment.ts'
import { conditions } from './conditions.ts'
import { addDays } from './dates.ts'
import type { Draft } from './draft.ts'
import { elementsOf } from './draft.ts'
import { firmOf } from './firms.ts'
import type { VehicleKind } from './offers.ts'
import { drawOffers, newVehicles } from './offers.ts'
import type { Core, CoreInput } from './core.ts'
import { core } from './kinds.ts'
import type { Line } from './lines.ts'
import { drawHabits, drawLine } from './lines.ts'
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
import type { Plan } from './plan.ts'
import { drawExchange, drawPlan } from './plan.ts'
import { payment, settlement } from './payment.ts'
import type { ExchangeRate } from './rates.ts'
import { inCurrency, totalElements } from './rates.ts'
import { drawParticulars } from './text.ts'

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

/** When a document is made: as asked, else at noon of the day of issue, never before the schema allows. */
export function creation({ schema = 'fa3', issueDate, created }: InvoiceOptions): string {
  const noon = `${issueDate}T12:00:00Z`
  const earliest = earliestCreation[schema]
  return created ?? (noon < earliest ? earliest : noon)
}

/** What all lines of a simplified invoice may come to without tax: with any tax it stays below 450 PLN. */
const simplifiedNet = 36_000

function drawLines(draft: Draft, plan: Plan, exchange: ExchangeRate): Line[] {
  const { draw } = draft
  const simplified = plan.kind === 'UPR'
  const retail = plan.profile === 'retail' || plan.buyer.startsWith('consumer')
  const upTo = simplified ? Math.max(1, Math.floor(simplifiedNet / plan.lines)) : undefined
  const kind = plan.works ? 'works' : plan.goods ? 'goods' : 'services'
  const all = drawOffers(draw, { kind, rates: plan.rates, retail: retail || simplified })
  const small = all.filter(({ item }) => upTo === undefined || item.price[0] <= upTo)
  const style = {
    gross: plan.gross,
    goods: plan.goods,
    retail,
    taxable: !plan.buyer.startsWith('consumer'),
    ordered: plan.kind === 'ZAL' || plan.kind === 'KOR_ZAL',
    bare: plan.lines > 200 || plan.sparse,
    minimal: plan.profile === 'ten-thousand-lines',
    exchange,
    habits: drawHabits(draw),
    ...(upTo !== undefined && { upTo }),
  }
  const offers = small.length > 0 ? small : all
  // Nobody asked for so many lines: one for each thing that the seller has.
  const count = plan.linesAsked ? plan.lines : Math.min(plan.lines, offers.length)
  return Array.from({ length: count }, (_, i) => drawLine(draft, offers, i + 1, style))
}

/** A vehicle in place of the first thing sold. */
function withVehicle(
  draft: Draft,
  lines: readonly Line[],
  kind: VehicleKind,
  exchange: ExchangeRate,
): Line[] {
  const [first, ...others] = lines
  if (!first) return []
  const { name, unit, price, cn = '' } = newVehicles[kind]
  const vehicle = {
    ...first,
    name,
    unit,
    quantity: 1n,
    quantityScale: 0,
    price: inCurrency(BigInt(draft.draw.int(...price)), exchange),
    priceScale: 2,
    discount: 0n,
    annex15: false,
    item: newVehicles[kind],
    codes: { cn },
  }
  return [vehicle, ...others]
}

/** When what is invoiced was supplied, or paid for in advance: of a correction, before what it corrects. */
function supplied({ draw, el, issueDate, kind }: Draft, goods: boolean, own: Core): Element[] {
  if (kind.startsWith('KOR')) {
    const [corrected, another] = own.correction.filter(({ name }) => name === 'DaneFaKorygowanej')
    const [date] = (corrected?.content ?? []) as readonly Element[]
    // A rebate for a period has no day.
    if (another || typeof date?.content !== 'string' || !draw.chance(50)) return []
    return [el('P_6', addDays(date.content, -draw.int(0, 15)))]
  }
  // Each payment has its own day.
  if (own.payments.length > 0) return []
  if (draw.chance(50)) return [el('P_6', addDays(issueDate, -draw.int(1, 15)))]
  return !goods && kind !== 'ZAL' && draw.chance(40)
    ? [el('OkresFa', [el('P_6_Od', addDays(issueDate, -30)), el('P_6_Do', issueDate)])]
    : []
}

/** The day on which everything was paid, where it was: of an advance, that of the payment. */
function paidOn({ draw, kind, issueDate }: Draft, plan: Plan, days: readonly Element[]) {
  const [day] = days
  if (kind === 'ZAL' && draw.chance(85))
    return day?.name === 'P_6' ? (day.content as string) : addDays(issueDate, -1)
  return plan.paid ? issueDate : undefined
}

function body(draft: Draft, plan: Plan, number: string, buyer: Buyer, former?: Element) {
  const { el, draw, kind, issueDate } = draft
  const some = (percent: number) => !plan.sparse && draw.chance(percent)
  const selfBilling = buyer.kind === 'domestic' && some(2)
  const newVehicle =
    plan.rates.includes('wdt') && plan.goods && kind === 'VAT' && some(6)
      ? draw.pick(['car', 'boat', 'aircraft'] as const)
      : undefined
  const exchange = drawExchange(draw, plan.currency)
  const drawn = drawLines(draft, plan, exchange)
  const lines = newVehicle ? withVehicle(draft, drawn, newVehicle, exchange) : drawn
  const dated = kind === 'VAT' && some(6)
  const input: CoreInput = {
    lines,
    exchange,
    bare: plan.sparse || plan.lines > 200,
    minimal: plan.profile === 'ten-thousand-lines',
    goods: plan.goods,
    dated,
    formerRates: plan.formerRates,
    ...(former && { formerBuyer: former }),
  }
  const own = core(draft, input)
  const days = plan.sparse || dated ? [] : supplied(draft, plan.goods, own)
  const parts = [el('KodWaluty', plan.currency), el('P_1', issueDate)]
  if (some(50)) parts.push(el('P_1M', firmOf(draft.seller).issuesIn))
  parts.push(el('P_2', number))
  // Nothing was handed over for an advance, and a correction hands nothing over.
  const delivers = kind === 'VAT' || kind === 'ROZ' || kind === 'UPR'
  if (plan.goods && delivers && buyer.nip !== undefined && some(12))
    parts.push(el('WZ', `WZ/${draw.int(1, 9999)}`))
  parts.push(...days)
  if (own.showTotals) parts.push(...totalElements(draft, own.totals, exchange))
  parts.push(el('P_15', formatCents(own.total)))
  if (exchange !== undefined && (kind === 'ZAL' || kind === 'KOR_ZAL')) {
    parts.push(el('KursWalutyZ', formatDecimal(exchange, 4)))
  }
  parts.push(
    annotations(draft, {
      lines: own.sold ?? lines,
      total: own.total,
      goods: plan.goods,
      selfBilling,
      exchange,
      newVehicle,
    }),
    el('RodzajFaktury', kind),
    ...own.correction,
    ...own.payments,
  )
  if (plan.profile === 'retail' && some(40)) parts.push(el('FP', '1'))
  if (some(4)) parts.push(el('TP', '1'))
  for (const [key, value] of drawParticulars(draw, some(25) ? draw.int(1, 3) : 0)) {
    const line = own.lines.length > 0 && draw.chance(30) ? [el('NrWiersza', '1')] : []
    parts.push(el('DodatkowyOpis', [...line, el('Klucz', key), el('Wartosc', value)]))
  }
  parts.push(...own.advances)
  if (plan.goods && !plan.euTrade && some(1)) parts.push(el('ZwrotAkcyzy', '1'))
  parts.push(...own.lines)
  if (kind === 'VAT' && some(8)) parts.push(settlement(draft, own.total, plan.goods))
  if (own.total > 0n && some(85)) {
    const style = {
      paidOn: paidOn(draft, plan, days),
      byTransfer: isLarge(own.total, exchange),
    }
    parts.push(payment(draft, own.total, style))
  }
  const transport = plan.transport && delivers
  if (transport || some(25)) {
    const { currency } = plan
    const goods = plan.goods && delivers
    parts.push(conditions(draft, { transport, goods, currency, to: buyer.place }))
  }
  if (own.order) parts.push(own.order)
  return el('Fa', parts)
}

function footer({ el, draw, seller }: Draft): Element {
  const { capital, krs, regon, bdo } = firmOf(seller)
  const entries = [
    ...(krs === undefined ? [] : [el('KRS', krs)]),
    ...(draw.chance(60) ? [el('REGON', regon)] : []),
    ...(bdo === undefined ? [] : [el('BDO', bdo)]),
  ]
  const text =
    capital !== undefined && draw.chance(60)
      ? `Kapitał zakładowy ${capital} zł`
      : 'Dziękujemy za współpracę'
  return el('Stopka', [
    ...(entries.length === 0 || draw.chance(60)
      ? [el('Informacje', [el('StopkaFaktury', text)])]
      : []),
    ...(entries.length > 0 ? [el('Rejestry', entries)] : []),
  ])
}

/** Builds an invoice from choices; `sparse` leaves out whatever can be. */
export function buildInvoice(options: InvoiceOptions, draw: Draw, sparse = false): Unsized {
  const { seller, number, issueDate, schema = 'fa3' } = options
  if (schema === 'fa2' && options.attachment) {
    throw new InvoiceOptionsError('attachment: FA(2) has none')
  }
  const plan = drawPlan(draw, options, sparse)
  const { kind } = plan
  const el = elementsOf(schema)
  const draft: Draft = { draw, schema, kind, profile: plan.profile, seller, issueDate, el }
  const buyer = drawBuyer(draft, plan, options.buyer)
  const simplified = kind === 'UPR' || (buyer.kind === 'consumer' && draw.chance(20))
  const some = (percent: number) => !plan.sparse && draw.chance(percent)
  const former = kind === 'KOR' && !simplified && some(15) ? formerBuyer(draft, buyer) : undefined
  const parts = [
    header(draft, creation(options), 'assay'),
    sellerParty(draft, plan),
    buyerParty(draft, buyer, simplified),
    ...(sparse && !buyer.subUnit && !buyer.group ? [] : thirdParties(draft, buyer)),
    ...(some(2) ? [authorisedParty(draft)] : []),
    body(draft, plan, number, buyer, former),
  ]
  if (some(50)) parts.push(footer(draft))
  if (options.attachment) parts.push(attachment(draft))
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
