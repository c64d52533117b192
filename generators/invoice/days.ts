import type { Element } from '../schema/document.ts'
import { earliestAdvance } from './advances.ts'
import type { Core, CoreInput } from './core.ts'
import { addDays, firstDay, workday } from './dates.ts'
import type { Draft } from './draft.ts'
import type { Shop } from './item.ts'
import type { Plan } from './plan.ts'

/** The days of an invoice: when all was agreed, supplied and paid. */

/** Units of what is supplied at once: nothing of it takes a month. */
const atOnce: ReadonlySet<string> = new Set(['usł.', 'kpl.', 'doba', 'os.', 'str.'])

/** When what is invoiced was supplied, or paid for in advance: of a correction, before what it corrects. */
export function supplied(
  { draw, el, issueDate, kind }: Draft,
  { goods, lines }: Pick<CoreInput, 'goods' | 'lines'>,
  own: Core,
  { agreed, continuous }: Shop,
): Element[] {
  if (kind.startsWith('KOR')) {
    const [corrected, another] = own.correction.filter(({ name }) => name === 'DaneFaKorygowanej')
    const [date] = (corrected?.content ?? []) as readonly Element[]
    // A rebate for a period has no day.
    if (another || typeof date?.content !== 'string' || !draw.chance(50)) return []
    return [el('P_6', workday(addDays(date.content, -draw.int(0, 15))))]
  }
  // Each payment has its own day.
  if (own.payments.length > 0) return []
  const period = () => [
    el('OkresFa', [el('P_6_Od', addDays(issueDate, -30)), el('P_6_Do', issueDate)]),
  ]
  if (continuous) return period()
  if (draw.chance(50)) return [el('P_6', workday(addDays(issueDate, -draw.int(1, 15))))]
  const lasting =
    !goods && agreed.length > 0 && kind !== 'ZAL' && !lines.some(({ unit }) => atOnce.has(unit))
  return lasting && draw.chance(40) ? period() : []
}

/** P_6, where there is one. */
export function dayOf([day]: readonly Element[]): string | undefined {
  return day?.name === 'P_6' ? (day.content as string) : undefined
}

/** The day on which everything was paid, where it was: of an advance, that of the payment. */
export function paidOn(
  { draw, kind, issueDate }: Draft,
  plan: Plan,
  facts: { readonly shop: Shop; readonly days: readonly Element[]; readonly own: Core },
): string | undefined {
  const { shop, days, own } = facts
  const [last] = (own.payments.at(-1)?.content ?? []) as readonly Element[]
  if (last) return last.content as string
  // The day of an advance is that of its payment.
  if (kind === 'ZAL' && days.length > 0) return dayOf(days)
  if (kind === 'ZAL' && draw.chance(75)) return issueDate
  // What was agreed on the spot is paid on the spot.
  const onTheSpot = ['VAT', 'UPR'].includes(kind) && shop.agreed.length === 0
  if (!plan.paid && !onTheSpot) return undefined
  // What a correction adds is paid when it is issued.
  const overTheCounter = plan.profile === 'retail' && !kind.startsWith('KOR')
  return overTheCounter ? (dayOf(days) ?? issueDate) : issueDate
}

/** The day by which all was agreed: before any supply, payment, advance or corrected invoice. */
export function agreedBy({ issueDate, kind }: Draft, own: Core, days: readonly Element[]): string {
  const first = firstDay(issueDate, [...days, ...own.correction, ...own.payments, ...own.lines])
  return addDays(first, kind.endsWith('ROZ') ? -earliestAdvance : 0)
}
