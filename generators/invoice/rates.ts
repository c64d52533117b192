import type { InvoiceSchemaId } from '../../contract/environments.ts'
import type { Cents } from '../../lib/decimal.ts'
import { divideRounded, formatCents, rescale } from '../../lib/decimal.ts'
import type { Draft } from './draft.ts'
import type { Element } from '../schema/document.ts'

/** Where the totals of a rate go: P_13_<net>, and P_14_<tax> where there is tax. */
export interface RateGroup {
  readonly net: string
  readonly tax?: string
  /** A tax in PLN (P_14_nW) exists beside it. */
  readonly converted?: true
}

/** Rate groups in the order of the schema. */
export const rateGroups = [
  { net: '1', tax: '1', converted: true },
  { net: '2', tax: '2', converted: true },
  { net: '3', tax: '3', converted: true },
  { net: '4', tax: '4', converted: true },
  { net: '5', tax: '5' },
  { net: '6_1' },
  { net: '6_2' },
  { net: '6_3' },
  { net: '7' },
  { net: '8' },
  { net: '9' },
  { net: '10' },
  { net: '11' },
] as const satisfies readonly RateGroup[]
export type RateGroupId = (typeof rateGroups)[number]['net']

export interface Rate {
  /** P_12 in FA(3); absent for margin and for the foreign rate, which have none. */
  readonly code?: string
  /** P_12 in FA(2), where it differs. */
  readonly fa2?: string
  readonly percent: bigint
  readonly group: RateGroupId
}

/** Every rate that a line can have. */
export const rates = {
  '23': { code: '23', percent: 23n, group: '1' },
  '8': { code: '8', percent: 8n, group: '2' },
  '5': { code: '5', percent: 5n, group: '3' },
  '4': { code: '4', percent: 4n, group: '4' },
  oss: { percent: 19n, group: '5' },
  zero: { code: '0 KR', fa2: '0', percent: 0n, group: '6_1' },
  wdt: { code: '0 WDT', fa2: '0', percent: 0n, group: '6_2' },
  export: { code: '0 EX', fa2: '0', percent: 0n, group: '6_3' },
  exempt: { code: 'zw', percent: 0n, group: '7' },
  abroad: { code: 'np I', fa2: 'np', percent: 0n, group: '8' },
  euService: { code: 'np II', fa2: 'np', percent: 0n, group: '9' },
  reverse: { code: 'oo', percent: 0n, group: '10' },
  margin: { percent: 0n, group: '11' },
} as const satisfies Record<string, Rate>
export type RateId = keyof typeof rates

/** P_12 of a rate in a schema; undefined where the rate is not written there. */
export function rateCode(id: RateId, schema: InvoiceSchemaId): string | undefined {
  const rate: Rate = rates[id]
  return schema === 'fa2' ? (rate.fa2 ?? rate.code) : rate.code
}

interface GroupTotal {
  net: Cents
  tax: Cents
}
export type Totals = Map<RateGroupId, GroupTotal>

export function addTotal(totals: Totals, group: RateGroupId, net: Cents, tax: Cents): void {
  const total = totals.get(group)
  if (total) {
    total.net += net
    total.tax += tax
  } else totals.set(group, { net, tax })
}

/** P_15: everything net and all tax. */
export function grandTotal(totals: Totals): Cents {
  let sum = 0n
  for (const { net, tax } of totals.values()) sum += net + tax
  return sum
}

/** Takes earlier totals off later ones; groups that only the earlier have turn negative. */
export function difference(after: Totals, before: Totals): Totals {
  const result: Totals = new Map()
  for (const [group, { net, tax }] of after) addTotal(result, group, net, tax)
  for (const [group, { net, tax }] of before) addTotal(result, group, -net, -tax)
  return result
}

/** A rate of exchange: units of 10^-4 PLN for one unit of the currency; undefined for PLN. */
export type ExchangeRate = bigint | undefined

/** P_13_x, P_14_x and P_14_xW in the order of the schema. */
export function totalElements({ el }: Draft, totals: Totals, exchange: ExchangeRate): Element[] {
  const out: Element[] = []
  for (const group of rateGroups as readonly RateGroup[]) {
    const total = totals.get(group.net as RateGroupId)
    if (!total) continue
    out.push(el(`P_13_${group.net}`, formatCents(total.net)))
    if (group.tax === undefined) continue
    out.push(el(`P_14_${group.tax}`, formatCents(total.tax)))
    if (group.converted && exchange !== undefined) {
      out.push(el(`P_14_${group.tax}W`, formatCents(convert(total.tax, exchange))))
    }
  }
  return out
}

/** An amount in PLN, rounded to grosze. */
export function convert(amount: Cents, exchange: bigint): Cents {
  return rescale(amount * exchange, 6, 2)
}

/** What an amount in PLN is in the currency of the invoice, at the same scale; at least one unit. */
export function inCurrency(amount: bigint, exchange: ExchangeRate): bigint {
  if (exchange === undefined) return amount
  const converted = divideRounded(amount * 10_000n, exchange)
  return converted > 0n ? converted : 1n
}

/** A part of an amount, in ten-thousandths, rounded. */
export function share(amount: Cents, tenThousandths: bigint): Cents {
  return divideRounded(amount * tenThousandths, 10_000n)
}
