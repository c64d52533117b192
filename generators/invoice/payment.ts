import type { Element } from '../schema/document.ts'
import { addDays } from './dates.ts'
import type { Draft } from './draft.ts'
import type { Cents } from '../../lib/decimal.ts'
import { formatCents } from '../../lib/decimal.ts'
import { firmOf } from './firms.ts'

const chargeReasons = ['Odsetki za zwłokę', 'Zaległość z poprzedniego okresu']
const deductionReasons = ['Nadpłata', 'Nadwyżka z poprzedniego okresu']
/** What is charged, and given back, where things change hands in packages. */
const deposit = ['Kaucja za opakowania', 'Zwrot kaucji za opakowania'] as const

/** Rozliczenie: charges and deductions beside the total, and what is to be paid. */
export function settlement(draft: Draft, total: Cents, deposits: boolean): Element {
  const { el, draw } = draft
  const draws = (name: string, reasons: readonly string[]): [Element[], Cents] => {
    let sum = 0n
    const first = reasons.length > 1 ? draw.int(0, 1) : 0
    const entries = reasons.slice(first, first + draw.int(1, 2)).map((reason) => {
      const amount = BigInt(draw.int(1, 20_000))
      sum += amount
      return el(name, [el('Kwota', formatCents(amount)), el('Powod', reason)])
    })
    return [entries, sum]
  }
  // The account of a buyer shows too much or too little, not both.
  const inArrears = draw.chance(50)
  const [charges, charged] = draws('Obciazenia', [
    ...(deposits ? [deposit[0]] : []),
    ...(inArrears ? chargeReasons : []),
  ])
  const [deductions, deducted] = draws('Odliczenia', [
    ...(deposits ? [deposit[1]] : []),
    ...(inArrears ? [] : deductionReasons),
  ])
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
  /** Not in cash, for example because the total is above what firms may pay in cash. */
  readonly byTransfer: boolean
  /** The buyer is in another country. */
  readonly abroad: boolean
  /** A firm may pay later, and less when it pays early; of an advance, all is paid or nothing. */
  readonly onTerms: boolean
}

/** The minimum total that is paid in parts. */
const worthParts: Cents = 100_000n

/** Platnosc. */
export function payment(draft: Draft, total: Cents, style: PaymentStyle): Element {
  const { paidOn, byTransfer, abroad, onTerms } = style
  const { el, draw, issueDate, schema } = draft
  const parts: Element[] = []
  const fa3 = schema === 'fa3'
  const paid = paidOn !== undefined
  const instalments = !paid && onTerms && total > worthParts && draw.chance(12)
  // FA(2) knows only partial payment.
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
          // Only payments that were made are listed.
          el('DataZaplatyCzesciowej', addDays(issueDate, i - 1)),
          ...(fa3 && draw.chance(50)
            ? [el('FormaPlatnosci', byTransfer ? '6' : draw.pick(['1', '6']))]
            : []),
        ]),
      )
    }
  }
  const open = !paid && !fully
  if (open) {
    const due = draw.pick(onTerms ? [7, 14, 21, 30, 60] : [7, 14])
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
  const setOff = onTerms && draw.chance(5)
  if (setOff) parts.push(el('PlatnoscInna', '1'), el('OpisPlatnosci', 'Kompensata'))
  else parts.push(el('FormaPlatnosci', paid && !byTransfer ? draw.pick(['1', '2', '7', '6']) : '6'))
  if (!paid && !setOff) {
    const { account, bank } = firmOf(draft.seller)
    const details = [el('NrRB', abroad ? `PL${account}` : account)]
    if (abroad || draw.chance(30)) details.push(el('SWIFT', bank.swift))
    if (draw.chance(50)) details.push(el('NazwaBanku', bank.name))
    if (draw.chance(10)) details.push(el('OpisRachunku', 'Rachunek rozliczeniowy'))
    parts.push(el('RachunekBankowy', details))
    if (open && onTerms && draw.chance(6)) {
      parts.push(
        el('Skonto', [el('WarunkiSkonta', 'zapłata do 3 dni'), el('WysokoscSkonta', '2%')]),
      )
    }
  }
  if (fa3 && open && !setOff && draw.chance(8)) {
    const id = `${draw.int(100, 999)}${draw.int(1_000_000_000, 4_000_000_000)}`
    parts.push(el('LinkDoPlatnosci', `https://pay.example/f?IPKSeF=${id}`), el('IPKSeF', id))
  }
  return el('Platnosc', parts)
}
