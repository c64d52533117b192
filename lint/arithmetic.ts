import { formatCents, parseDecimal, rescale } from '../lib/decimal.ts'
import { rateGroups } from '../generators/invoice/rates.ts'
import type { RateGroup } from '../generators/invoice/rates.ts'
import type { ReadElement } from '../generators/schema/read-document.ts'
import type { Warn } from './invoice-facts.ts'
import { all, amount, first, textOf } from './invoice-facts.ts'
import { conversion } from './conversion.ts'
import { order } from './order.ts'
import { advancePayments, partPayments, settlement } from './payments.ts'

/**
 * What an invoice should come to. None of this is documented as checked by the service, so all of it warns.
 * A grosz of rounding is allowed for each line.
 */

const places = 8

/** P_12 -> the totals that lines with this rate add to; several where the rate alone does not decide. */
const groupsOfRate: Readonly<Record<string, readonly string[]>> = {
  '23': ['1'],
  '22': ['1'],
  '8': ['2'],
  '7': ['2'],
  '5': ['3'],
  '4': ['4'],
  '3': ['4'],
  '0': ['6_1', '6_2', '6_3'],
  '0 KR': ['6_1'],
  '0 WDT': ['6_2'],
  '0 EX': ['6_3'],
  zw: ['7'],
  np: ['8', '9'],
  'np I': ['8'],
  'np II': ['9'],
  oo: ['10'],
}

const percentOf = (rate: string) => (/^\d+$/.test(rate) ? BigInt(rate) : 0n)
const abs = (value: bigint) => (value < 0n ? -value : value)
const scaled = (node: ReadElement | undefined) =>
  node === undefined ? undefined : parseDecimal(node.text, places)

/** P_11 against quantity, price and discount. The discount may be meant per unit or for the line. */
function lineValue(line: ReadElement, path: string, warn: Warn): void {
  const quantity = scaled(first(line, 'P_8B'))
  const discount = scaled(first(line, 'P_10')) ?? 0n
  for (const [priceName, valueName] of [
    ['P_9A', 'P_11'],
    ['P_9B', 'P_11A'],
  ] as const) {
    const price = scaled(first(line, priceName))
    const node = first(line, valueName)
    const value = amount(node)
    if (quantity === undefined || price === undefined || node === undefined || value === undefined)
      continue
    const perUnit = rescale(quantity * (price - discount), 2 * places, 2)
    const perLine = rescale(quantity * price, 2 * places, 2) - rescale(discount, places, 2)
    const near = [perUnit, perLine].some((each) => abs(each - value) <= 1n)
    if (!near) {
      const formula = `P_8B × ${priceName}${discount === 0n ? '' : ' less P_10'}`
      warn(
        node,
        `${path}/${valueName}`,
        'line-value',
        `${valueName} is ${node.text}, ${formula} gives ${formatCents(perUnit)}`,
        'Check quantity, price and discount of the line.',
      )
    }
  }
}

interface Sum {
  net: bigint
  gross: bigint
  lines: number
}

/** Sums of the lines by the totals that they belong to, keyed by the candidates. */
function sumsByGroup(lines: readonly ReadElement[]): Map<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const line of lines) {
    const rate = textOf(line, 'P_12')
    const groups =
      rate === undefined
        ? [first(line, 'P_12_XII') ? '5' : '11']
        : (groupsOfRate[rate.replace(/\s+/g, ' ').trim()] ?? [])
    const sign = first(line, 'StanPrzed') ? -1n : 1n
    const net = amount(first(line, 'P_11'))
    const gross = amount(first(line, 'P_11A'))
    const vat = amount(first(line, 'P_11Vat'))
    const percent =
      rate === undefined
        ? (parseDecimal(textOf(line, 'P_12_XII') ?? '0', 0) ?? 0n)
        : percentOf(rate)
    const sum = sums.get(groups.join()) ?? { net: 0n, gross: 0n, lines: 0 }
    sums.set(groups.join(), sum)
    sum.lines++
    if (net !== undefined) sum.net += sign * net
    else if (gross !== undefined) {
      const tax = vat ?? rescale((gross * percent * 100n) / (100n + percent), 4, 4) / 100n
      sum.net += sign * (groups[0] === '11' ? gross : gross - tax)
    }
  }
  return sums
}

/** Totals that no line adds to. */
function totalsWithoutLines(fa: ReadElement, covered: ReadonlySet<string>, warn: Warn): void {
  // A line whose rate is unknown may belong to any of them.
  if (covered.has('') || (covered.has('11') && !first(fa, 'P_13_11'))) return
  for (const { net: group } of rateGroups) {
    const node = first(fa, `P_13_${group}`)
    if (!node || covered.has(group) || (amount(node) ?? 0n) === 0n) continue
    warn(
      node,
      `Faktura/Fa/P_13_${group}`,
      'rate-total',
      `P_13_${group} is ${node.text}, no line has a rate that belongs to it`,
      'The total of a rate is the sum of its lines.',
    )
  }
}

/** P_13_x against the lines. */
function lineSums(fa: ReadElement, lines: readonly ReadElement[], warn: Warn): void {
  const sums = sumsByGroup(lines)
  totalsWithoutLines(fa, new Set([...sums.keys()].flatMap((key) => key.split(','))), warn)
  for (const [key, { net, lines: count }] of sums) {
    const groups = key.split(',').filter(Boolean)
    if (groups.length === 0) continue
    const nodes = groups
      .map((group) => first(fa, `P_13_${group}`))
      .filter((node) => node !== undefined)
    const stated = nodes.reduce((sum, node) => sum + (amount(node) ?? 0n), 0n)
    if (abs(stated - net) <= BigInt(count)) continue
    const name = `P_13_${groups[0]}`
    warn(
      nodes[0] ?? fa,
      `Faktura/Fa/${name}`,
      'rate-total',
      nodes.length === 0
        ? `the lines come to ${formatCents(net)}, but ${name} is not there`
        : `${name} is ${formatCents(stated)}, the lines come to ${formatCents(net)}`,
      'The total of a rate is the sum of its lines.',
    )
  }
}

/** P_14_x against P_13_x at the rates that the lines have. */
function taxes(fa: ReadElement, lines: readonly ReadElement[], warn: Warn): void {
  const rateOf: Readonly<Record<string, readonly bigint[]>> = {
    '1': [23n, 22n],
    '2': [8n, 7n],
    '3': [5n],
    '4': [4n, 3n],
  }
  const tolerance = BigInt(Math.max(1, lines.length))
  for (const [group, percents] of Object.entries(rateOf)) {
    const net = amount(first(fa, `P_13_${group}`))
    const node = first(fa, `P_14_${group}`)
    const tax = amount(node)
    if (net === undefined || tax === undefined || node === undefined) continue
    const low = percents.map((percent) => rescale(net * percent, 4, 2))
    const [least, most] = [
      low.reduce((a, b) => (a < b ? a : b)),
      low.reduce((a, b) => (a > b ? a : b)),
    ]
    // Two rates may share a total; anything between them can be right.
    if (tax >= least - tolerance && tax <= most + tolerance) continue
    warn(
      node,
      `Faktura/Fa/P_14_${group}`,
      'tax-total',
      `P_14_${group} is ${node.text}, ${percents.join(' or ')} % of P_13_${group} is ${low.map(formatCents).join(' or ')}`,
      'Compute the tax from the total of the rate.',
    )
  }
}

/** P_15 against all totals. */
function grandTotal(fa: ReadElement, kind: string, warn: Warn): void {
  const node = first(fa, 'P_15')
  const total = amount(node)
  if (node === undefined || total === undefined) return
  let sum = 0n
  let any = false
  for (const { net, tax } of rateGroups as readonly RateGroup[]) {
    for (const name of [`P_13_${net}`, ...(tax === undefined ? [] : [`P_14_${tax}`])]) {
      const part = amount(first(fa, name))
      if (part === undefined) continue
      any = true
      sum += part
    }
  }
  if (!any && (kind === 'UPR' || total === 0n)) return
  if (abs(sum - total) > 1n) {
    warn(
      node,
      'Faktura/Fa/P_15',
      'grand-total',
      `P_15 is ${node.text}, P_13 and P_14 come to ${formatCents(sum)}`,
      'The total due is the sum of all P_13 and P_14.',
    )
  }
}

/** Every check of amounts. */
export function arithmetic(fa: ReadElement, warn: Warn): void {
  const kind = textOf(fa, 'RodzajFaktury')?.trim() ?? 'VAT'
  const lines = all(fa, 'FaWiersz')
  for (const [i, line] of lines.entries()) {
    lineValue(line, `Faktura/Fa/FaWiersz${i > 0 ? `[${i + 1}]` : ''}`, warn)
  }
  // Settlements show the whole order in their lines and the rest in their totals; advances have other rows.
  const priced = lines.some((line) => first(line, 'P_11') ?? first(line, 'P_11A'))
  if (priced && (kind === 'VAT' || kind === 'KOR')) lineSums(fa, lines, warn)
  if (kind !== 'UPR') taxes(fa, lines, warn)
  conversion(fa, warn)
  grandTotal(fa, kind, warn)
  settlement(fa, warn)
  partPayments(fa, warn)
  advancePayments(fa, warn)
  order(fa, kind, warn)
}
