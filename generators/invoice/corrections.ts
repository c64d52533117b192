import { drawServiceNumber } from '../arbitraries/identifiers.ts'
import type { Element } from '../xsd/document.ts'
import { addDays } from './dates.ts'
import type { Draft } from './draft.ts'
import { note } from './text.ts'

/** Days before a correction on which what it corrects was issued at the earliest. */
export const earliestCorrected = 300

/** DaneFaKorygowanej: date, number and either the number given by the service or the flag that there is none. */
function correctedInvoice(draft: Draft): Element {
  const { el, draw, issueDate } = draft
  const date = addDays(issueDate, -draw.int(5, earliestCorrected))
  const number = `FV/${draw.int(1, 9999)}/${date.slice(0, 4)}`
  const reference = draw.chance(75)
    ? [el('NrKSeF', '1'), el('NrKSeFFaKorygowanej', drawServiceNumber(draw, draft.seller, date))]
    : [el('NrKSeFN', '1')]
  return el('DaneFaKorygowanej', [
    el('DataWystFaKorygowanej', date),
    el('NrFaKorygowanej', number),
    ...reference,
  ])
}

/** Why, with what effect, and of which invoices a correction is. */
export function correctionHead(draft: Draft, invoices: number): Element[] {
  const { el, draw } = draft
  const parts: Element[] = []
  if (draw.chance(90))
    parts.push(el('PrzyczynaKorekty', draw.chance(10) ? note(draw) : 'Zwrot towaru'))
  if (draw.chance(70)) parts.push(el('TypKorekty', String(draw.int(1, 3))))
  for (let i = 0; i < invoices; i++) parts.push(correctedInvoice(draft))
  return parts
}
