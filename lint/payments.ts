import { formatCents } from '../lib/decimal.ts'
import type { ReadElement } from '../generators/schema/read-document.ts'
import type { Warn } from './invoice-facts.ts'
import { all, amount, first, textOf } from './invoice-facts.ts'

/** What is to be paid, what was paid and what is to be settled, against P_15. All of it warns. */

const abs = (value: bigint) => (value < 0n ? -value : value)

/** Charges, deductions and what remains to be paid. */
export function settlement(fa: ReadElement, warn: Warn): void {
  const node = first(fa, 'Rozliczenie')
  const total = amount(first(fa, 'P_15'))
  if (!node || total === undefined) return
  const path = 'Faktura/Fa/Rozliczenie'
  const sums = ['Obciazenia', 'Odliczenia'].map((name) =>
    all(node, name).reduce((sum, each) => sum + (amount(first(each, 'Kwota')) ?? 0n), 0n),
  ) as [bigint, bigint]
  for (const [i, name] of ['SumaObciazen', 'SumaOdliczen'].entries()) {
    const stated = first(node, name)
    const listed = sums[i]!
    if (stated && amount(stated) !== listed) {
      warn(
        stated,
        `${path}/${name}`,
        'settlement-sum',
        `${name} is ${stated.text}, the entries come to ${formatCents(listed)}`,
        'Add up the listed amounts.',
      )
    }
  }
  const due = total + sums[0] - sums[1]
  for (const [name, sign] of [
    ['DoZaplaty', 1n],
    ['DoRozliczenia', -1n],
  ] as const) {
    const stated = first(node, name)
    if (stated && abs((amount(stated) ?? 0n) - sign * due) > 1n) {
      warn(
        stated,
        `${path}/${name}`,
        'settlement-due',
        `${name} is ${stated.text}, P_15 with charges and deductions gives ${formatCents(sign * due)}`,
        'DoZaplaty is P_15 plus charges minus deductions.',
      )
    }
  }
}

/** Part payments: all of P_15 when marked 2, less than it when marked 1. */
export function partPayments(fa: ReadElement, warn: Warn): void {
  const node = first(fa, 'Platnosc')
  const mark = node && first(node, 'ZnacznikZaplatyCzesciowej')
  const total = amount(first(fa, 'P_15'))
  if (!node || !mark || total === undefined) return
  const paid = all(node, 'ZaplataCzesciowa').reduce(
    (sum, each) => sum + (amount(first(each, 'KwotaZaplatyCzesciowej')) ?? 0n),
    0n,
  )
  const fully = mark.text.trim() === '2'
  if (fully ? abs(paid - total) <= 1n : paid < total) return
  warn(
    mark,
    'Faktura/Fa/Platnosc/ZnacznikZaplatyCzesciowej',
    'part-payments',
    `part payments come to ${formatCents(paid)} of ${formatCents(total)}, marked as ${fully ? 'paid in full' : 'partly paid'}`,
    'Mark 2 where the parts make up P_15, 1 where they do not yet.',
  )
}

/** ZaliczkaCzesciowa: the payments of an advance make up its total. */
export function advancePayments(fa: ReadElement, warn: Warn): void {
  const payments = all(fa, 'ZaliczkaCzesciowa')
  const node = first(fa, 'P_15')
  const total = amount(node)
  if (payments.length === 0 || !node || total === undefined) return
  const kind = textOf(fa, 'RodzajFaktury')?.trim()
  const paid = payments.reduce((sum, each) => sum + (amount(first(each, 'P_15Z')) ?? 0n), 0n)
  if (kind === 'ZAL' && abs(paid - total) > 1n) {
    warn(
      node,
      'Faktura/Fa/P_15',
      'advance-payments',
      `P_15 is ${node.text}, the payments come to ${formatCents(paid)}`,
      'P_15 of an advance is the sum of P_15Z.',
    )
  }
}
