import { drawServiceNumber } from '../../lib/identifiers/service-number.ts'
import { seedFrom } from '../../lib/random.ts'
import { seededDraw } from '../draw/draw.ts'
import type { Element } from '../schema/document.ts'
import { addDays, workday } from './dates.ts'
import type { Draft } from './draft.ts'

/** Days before a correction in which what it corrects was issued. */
const correctedWithin = [5, 90] as const

/** The day on which an invoice was issued that is corrected today. */
export const drawCorrectedOn = ({ draw, issueDate }: Draft): string =>
  workday(addDays(issueDate, -draw.int(...correctedWithin)))

/** DaneFaKorygowanej: date, number and either the number given by the service or the flag that there is none. */
function correctedInvoice(draft: Draft, date: string): Element {
  const { el, draw } = draft
  // Numbers grow with the days of a year.
  const year = date.slice(0, 4)
  const day = (Date.parse(date) - Date.parse(`${year}-01-01`)) / 86_400_000
  const aDay = seededDraw(seedFrom('invoices a day', draft.seller)).int(2, 25)
  const number = `FV/${day * aDay + draw.int(1, aDay)}/${year}`
  const reference = draw.chance(75)
    ? [el('NrKSeF', '1'), el('NrKSeFFaKorygowanej', drawServiceNumber(draw, draft.seller, date))]
    : [el('NrKSeFN', '1')]
  return el('DaneFaKorygowanej', [
    el('DataWystFaKorygowanej', date),
    el('NrFaKorygowanej', number),
    ...reference,
  ])
}

/** Why an invoice is corrected, and the TypKorekty that follows: 1 counts when the invoice did, 2 now, 3 otherwise. */
const effects = {
  'Błędne dane nabywcy': 3,
  'Rabat za okres': 2,
  'Zwrot towaru': 2,
  'Uznana reklamacja': 2,
  'Pomyłka w cenie lub ilości': 1,
  'Zmniejszenie wartości zamówienia i zwrot części zaliczki': 2,
} as const

export interface CorrectionHead {
  /** How many invoices it corrects. */
  readonly invoices: number
  readonly reason: keyof typeof effects
  /** The day on which they were issued; of several, the last one. */
  readonly correctedOn: string
}

/** The days on which so many invoices were issued, one after the other. */
function issued(draft: Draft, { invoices, correctedOn }: CorrectionHead): string[] {
  const days = [correctedOn]
  while (days.length < invoices) days.unshift(workday(addDays(days[0]!, -draft.draw.int(1, 7))))
  return days
}

/** The reason for a correction, its effect, and the invoices that it corrects. */
export function correctionHead(draft: Draft, head: CorrectionHead): Element[] {
  const { el, draw } = draft
  const parts: Element[] = []
  if (draw.chance(90)) parts.push(el('PrzyczynaKorekty', head.reason))
  if (draw.chance(70)) parts.push(el('TypKorekty', String(effects[head.reason])))
  return [...parts, ...issued(draft, head).map((date) => correctedInvoice(draft, date))]
}
