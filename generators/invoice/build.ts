import { invoiceSchemas } from '../../contract/environments.ts'
import { seedFrom } from '../../lib/random.ts'
import type { Draw } from '../draw/draw.ts'
import { seededDraw } from '../draw/draw.ts'
import type { Element } from '../schema/document.ts'
import { annotations, isLarge } from './annotations.ts'
import { attachment } from './attachment.ts'
import { conditions } from './conditions.ts'
import type { Delivery } from './conditions.ts'
import { addDays } from './dates.ts'
import type { Draft } from './draft.ts'
import { elementsOf } from './draft.ts'
import { firmOf } from './firms.ts'
import type { Core, CoreInput } from './core.ts'
import { core } from './kinds.ts'
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
import { drawPlan, exchangeOn } from './plan.ts'
import { payment, settlement } from './payment.ts'
import { totalElements } from './rates.ts'
import { drawSold } from './sold.ts'
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

/** When a document is made: as asked, else in office hours of the day of issue, never before the schema allows. */
export function creation(options: InvoiceOptions): string {
  const { schema = 'fa3', seller, number, issueDate, created } = options
  const draw = seededDraw(seedFrom('creation', seller, number))
  const [hour, minute, second] = [draw.int(6, 15), draw.int(0, 59), draw.int(0, 59)].map((each) =>
    String(each).padStart(2, '0'),
  )
  const usual = `${issueDate}T${hour}:${minute}:${second}Z`
  const earliest = earliestCreation[schema]
  return created ?? (usual < earliest ? earliest : usual)
}

/** Units of what is supplied at once: nothing of it takes a month. */
const atOnce: ReadonlySet<string> = new Set(['usł.', 'kpl.', 'doba', 'os.', 'str.'])

/** When what is invoiced was supplied, or paid for in advance: of a correction, before what it corrects. */
function supplied(
  { draw, el, issueDate, kind }: Draft,
  { goods, lines }: Pick<CoreInput, 'goods' | 'lines'>,
  own: Core,
): Element[] {
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
  const lasting = !goods && kind !== 'ZAL' && !lines.some(({ unit }) => atOnce.has(unit))
  return lasting && draw.chance(40)
    ? [el('OkresFa', [el('P_6_Od', addDays(issueDate, -30)), el('P_6_Do', issueDate)])]
    : []
}

/** P_6, where there is one. */
function dayOf([day]: readonly Element[]): string | undefined {
  return day?.name === 'P_6' ? (day.content as string) : undefined
}

/** The day on which everything was paid, where it was: of an advance, that of the payment. */
function paidOn({ draw, kind, issueDate }: Draft, plan: Plan, days: readonly Element[], own: Core) {
  const [last] = (own.payments.at(-1)?.content ?? []) as readonly Element[]
  if (last) return last.content as string
  if (kind === 'ZAL' && draw.chance(85)) return dayOf(days) ?? addDays(issueDate, -1)
  if (!plan.paid) return undefined
  return plan.profile === 'retail' ? (dayOf(days) ?? issueDate) : issueDate
}

/** What is handed over, and whether it is carried. */
const deliveryOf = (
  plan: Plan,
  buyer: Buyer,
  facts: {
    readonly left: string | undefined
    readonly delivers: boolean
    readonly packed: boolean
  },
): Delivery => ({
  transport: facts.left,
  goods: plan.goods && facts.delivers,
  byContract: plan.currency === 'PLN' && plan.profile !== 'retail',
  light: facts.packed,
  to: buyer.place,
})

/** DodatkowyOpis, one to three; numbers may be those of a line. */
function particulars({ draw, el }: Draft, { lines }: Core, { kind }: Buyer): Element[] {
  const toFirm = !kind.startsWith('consumer')
  return drawParticulars(draw, draw.int(1, 3), { toFirm }).map(([key, value]) => {
    const ofLine = key.startsWith('Numer') && lines.length > 0 && draw.chance(30)
    const line = ofLine ? [el('NrWiersza', '1')] : []
    return el('DodatkowyOpis', [...line, el('Klucz', key), el('Wartosc', value)])
  })
}

function body(draft: Draft, plan: Plan, number: string, buyer: Buyer, former?: Element) {
  const { el, draw, kind, issueDate } = draft
  const some = (percent: number) => !plan.sparse && draw.chance(percent)
  // What is sold over the counter is not billed by the buyer.
  const selfBilling = buyer.kind === 'domestic' && plan.profile !== 'retail' && some(2)
  const exchange = exchangeOn(issueDate, plan.currency)
  const { lines, newVehicle } = drawSold(draft, plan, exchange)
  // Nothing was handed over for an advance, and a correction hands nothing over.
  const delivers = kind === 'VAT' || kind === 'ROZ' || kind === 'UPR'
  const transport = plan.transport && delivers && newVehicle === undefined
  // One transport is one supply.
  const dated = kind === 'VAT' && !transport && some(6)
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
  const days = plan.sparse || dated ? [] : supplied(draft, input, own)
  const parts = [el('KodWaluty', plan.currency), el('P_1', issueDate)]
  if (some(50)) parts.push(el('P_1M', firmOf(draft.seller).issuesIn))
  parts.push(el('P_2', number))
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
  const related = seededDraw(seedFrom('related', draft.seller, buyer.nip ?? buyer.name)).chance(4)
  if (!plan.sparse && related) parts.push(el('TP', '1'))
  if (some(25)) parts.push(...particulars(draft, own, buyer))
  parts.push(...own.advances)
  if (
    buyer.kind === 'domestic' &&
    lines.some(({ item }) => item?.excise === 'refunded') &&
    some(20)
  )
    parts.push(el('ZwrotAkcyzy', '1'))
  parts.push(...own.lines)
  const packed = plan.goods && lines.every(({ unit }) => unit === 'szt.')
  if (kind === 'VAT' && plan.profile !== 'retail' && some(8))
    parts.push(settlement(draft, own.total, packed))
  if (own.total > 0n && some(85)) {
    parts.push(
      payment(draft, own.total, {
        paidOn: paidOn(draft, plan, days, own),
        // Of an advance, the whole order counts.
        byTransfer: plan.euTrade || kind === 'ZAL' || isLarge(own.total, exchange),
        abroad: plan.euTrade,
      }),
    )
  }
  if (transport || some(25)) {
    const left = transport ? (dayOf(days) ?? issueDate) : undefined
    parts.push(conditions(draft, deliveryOf(plan, buyer, { left, delivers, packed })))
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
  const simplified = kind === 'UPR'
  const some = (percent: number) => !plan.sparse && draw.chance(percent)
  const former = kind === 'KOR' && !simplified && some(15) ? formerBuyer(draft, buyer) : undefined
  const parts = [
    header(draft, creation(options), 'assay'),
    sellerParty(draft, plan),
    buyerParty(draft, buyer, simplified),
    ...(sparse && !buyer.subUnit && !buyer.group ? [] : thirdParties(draft, buyer)),
    // They sell things that were seized.
    ...(plan.goods && kind === 'VAT' && buyer.nip !== undefined && some(2)
      ? [authorisedParty(draft)]
      : []),
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
