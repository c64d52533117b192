import { drawServiceNumber } from '../../lib/identifiers/service-number.ts'
import type { Element } from '../schema/document.ts'
import { addDays } from './dates.ts'
import type { Draft } from './draft.ts'

/** Days before a correction on which what it corrects was issued at the earliest. */
const earliestCorrected = 300

/** The years in which the rates were that are no more, and from which an invoice can be corrected. */
const formerYears = { first: 2007, last: 2010 } as const

/** DaneFaKorygowanej: date, number and either the number given by the service or the flag that there is none. */
function correctedInvoice(draft: Draft, { former, within }: CorrectionHead): Element {
  const { el, draw, issueDate } = draft
  const date = former
    ? addDays(`${draw.int(formerYears.first, formerYears.last)}-01-01`, draw.int(0, 364))
    : addDays(issueDate, -draw.int(5, within ?? earliestCorrected))
  const number = `FV/${draw.int(1, 9999)}/${date.slice(0, 4)}`
  const reference =
    !former && draw.chance(75)
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
  'Zmiana zamówienia': 2,
} as const

export interface CorrectionHead {
  /** How many invoices it corrects. */
  readonly invoices: number
  readonly reason: keyof typeof effects
  /** They were issued when the rates were others. */
  readonly former: boolean
  /** They were issued in so many days before the correction. */
  readonly within?: number
}

/** Why, with what effect, and of which invoices a correction is. */
export function correctionHead(draft: Draft, head: CorrectionHead): Element[] {
  const { el, draw } = draft
  const parts: Element[] = []
  if (draw.chance(90)) parts.push(el('PrzyczynaKorekty', head.reason))
  if (draw.chance(70)) parts.push(el('TypKorekty', String(effects[head.reason])))
  for (let i = 0; i < head.invoices; i++) parts.push(correctedInvoice(draft, head))
  return parts
}
