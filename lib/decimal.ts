/** Exact decimals: a whole number of units of 10^-scale. Amounts have up to 18 digits, more than doubles hold. */

export type Cents = bigint

const powers: readonly bigint[] = Array.from({ length: 40 }, (_, i) => 10n ** BigInt(i))

/** 10 to the given power. */
export function tenTo(power: number): bigint {
  return powers[power] ?? 10n ** BigInt(power)
}

/** Divides, rounding half away from zero, as amounts of tax are rounded. */
export function divideRounded(value: bigint, by: bigint): bigint {
  const half = by / 2n
  return value >= 0n ? (value + half) / by : -((-value + half) / by)
}

/** Moves a value to fewer decimal places, rounding half away from zero; or exactly to more. */
export function rescale(value: bigint, from: number, to: number): bigint {
  if (to >= from) return value * tenTo(to - from)
  return divideRounded(value, tenTo(from - to))
}

/** Writes a scaled value; trailing zeros of the fraction are dropped when `trim` says so. */
export function formatDecimal(value: bigint, scale: number, trim = false): string {
  const negative = value < 0n
  const digits = (negative ? -value : value).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  let fraction = scale > 0 ? digits.slice(-scale) : ''
  if (trim) fraction = fraction.replace(/0+$/, '')
  return `${negative ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

/** An amount with two decimal places. */
export function formatCents(value: Cents): string {
  return formatDecimal(value, 2)
}

/** Reads a decimal as the schema writes them; undefined where it is not a decimal or has more places than `scale`. */
export function parseDecimal(text: string, scale: number): bigint | undefined {
  const match = /^([-+]?)(\d*)(?:\.(\d*))?$/.exec(text.trim())
  if (!match) return undefined
  const [, sign, whole = '', fraction = ''] = match
  if (whole === '' && fraction === '') return undefined
  const kept = fraction.replace(/0+$/, '')
  if (kept.length > scale) return undefined
  const value = BigInt(whole + kept.padEnd(scale, '0') || '0')
  return sign === '-' ? -value : value
}

/** Tax on a net amount, rate in per cent. */
export function taxOnNet(net: Cents, percent: bigint): Cents {
  return divideRounded(net * percent, 100n)
}

/** Tax contained in a gross amount, rate in per cent. */
export function taxInGross(gross: Cents, percent: bigint): Cents {
  return divideRounded(gross * percent, 100n + percent)
}
