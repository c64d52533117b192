import { drawAccount } from '../../lib/identifiers/account.ts'
import type { Element } from '../schema/document.ts'
import { addDays } from './dates.ts'
import type { Draft } from './draft.ts'
import type { Cents } from '../../lib/decimal.ts'
import { formatCents } from '../../lib/decimal.ts'
import { note } from './text.ts'

const chargeReasons = ['Kaucja za opakowania', 'Odsetki za zwłokę', 'Zaległość', 'Ubezpieczenie']
const deductionReasons = ['Nadpłata', 'Zwrot kaucji', 'Nadwyżka z poprzedniego okresu']

/** Rozliczenie: charges and deductions beside the total, and what is to be paid. */
export function settlement(draft: Draft, total: Cents): Element {
  const { el, draw } = draft
  const draws = (name: string, count: number, reasons: readonly string[]): [Element[], Cents] => {
    let sum = 0n
    const entries: Element[] = []
    for (let i = 0; i < count; i++) {
      const amount = BigInt(draw.int(1, 20_000))
      sum += amount
      entries.push(
        el(name, [
          el('Kwota', formatCents(amount)),
          el('Powod', draw.chance(15) ? note(draw) : draw.pick(reasons)),
        ]),
      )
    }
    return [entries, sum]
  }
  const [charges, charged] = draws('Obciazenia', draw.int(0, 2), chargeReasons)
  const [deductions, deducted] = draws('Odliczenia', draw.int(0, 2), deductionReasons)
  const due = total + charged - deducted
  return el('Rozliczenie', [
    ...charges,
    ...(charges.length > 0 ? [el('SumaObciazen', formatCents(charged))] : []),
    ...deductions,
    ...(deductions.length > 0 ? [el('SumaOdliczen', formatCents(deducted))] : []),
    due >= 0n ? el('DoZaplaty', formatCents(due)) : el('DoRozliczenia', formatCents(-due)),
  ])
}

export interface PaymentStyle {
  /** The day on which all was paid; undefined where it is still to be. */
  readonly paidOn: string | undefined
  /** More than may be paid between firms in cash, or to be paid in two parts. */
  readonly byTransfer: boolean
}

/** Platnosc. */
export function payment(draft: Draft, total: Cents, { paidOn, byTransfer }: PaymentStyle): Element {
  const { el, draw, issueDate, schema } = draft
  const parts: Element[] = []
  const fa3 = schema === 'fa3'
  const paid = paidOn !== undefined
  const instalments = !paid && total > 100n && draw.chance(12)
  // FA(2) knows only the partly paid.
  const fully = instalments && fa3 && draw.chance(40)
  if (paid) {
    parts.push(el('Zaplacono', '1'), el('DataZaplaty', paidOn))
  } else if (instalments) {
    const first = (total * BigInt(draw.int(10, 60))) / 100n
    const rest = total - first
    const second = fully ? rest : rest / 2n
    parts.push(el('ZnacznikZaplatyCzesciowej', fully ? '2' : '1'))
    for (const [i, amount] of [first, second].entries()) {
      parts.push(
        el('ZaplataCzesciowa', [
          el('KwotaZaplatyCzesciowej', formatCents(amount)),
          // Nobody writes of payments to come.
          el('DataZaplatyCzesciowej', addDays(issueDate, i - 1)),
          ...(fa3 && draw.chance(50)
            ? [el('FormaPlatnosci', byTransfer ? '6' : String(draw.int(1, 7)))]
            : []),
        ]),
      )
    }
  }
  const open = !paid && !fully
  if (open) {
    const due = draw.pick([7, 14, 21, 30, 60])
    const term = [el('Termin', addDays(issueDate, due))]
    if (draw.chance(20)) {
      term.push(
        fa3
          ? el('TerminOpis', [
              el('Ilosc', String(due)),
              el('Jednostka', 'dni'),
              el('ZdarzeniePoczatkowe', 'Otrzymanie faktury'),
            ])
          : el('TerminOpis', `${due} dni od otrzymania`),
      )
    }
    parts.push(el('TerminPlatnosci', term))
  }
  if (draw.chance(5)) parts.push(el('PlatnoscInna', '1'), el('OpisPlatnosci', 'Kompensata'))
  else parts.push(el('FormaPlatnosci', paid && !byTransfer ? draw.pick(['1', '2', '7', '6']) : '6'))
  if (!paid) {
    const account = [el('NrRB', drawAccount(draw))]
    if (draw.chance(30)) account.push(el('SWIFT', draw.pick(['WBKPPLPP', 'BREXPLPWXXX'])))
    if (draw.chance(50)) account.push(el('NazwaBanku', 'Bank Świętego Floriana'))
    if (draw.chance(10)) account.push(el('OpisRachunku', note(draw)))
    parts.push(el('RachunekBankowy', account))
    if (open && draw.chance(6)) {
      parts.push(
        el('Skonto', [el('WarunkiSkonta', 'zapłata do 3 dni'), el('WysokoscSkonta', '2%')]),
      )
    }
  }
  if (fa3 && draw.chance(8)) {
    const id = `${draw.int(100, 999)}${draw.int(1_000_000_000, 4_000_000_000)}`
    parts.push(el('LinkDoPlatnosci', `https://pay.example/f?IPKSeF=${id}`), el('IPKSeF', id))
  }
  return el('Platnosc', parts)
}
