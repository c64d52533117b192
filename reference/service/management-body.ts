import type { Context } from 'hono'
import { rateRules } from '../../contract/limits.ts'
import { instantExpected, isInstant, parseInstant } from '../base/instants.ts'
import type { LimitsOption } from '../rates/limits.ts'
import { parseDuration } from '../time/duration.ts'

/** Bodies of calls to the management port, read and checked. */

/** The call is refused with 400 and this message. */
export class Unfit extends Error {
  override readonly name = 'Unfit'
}

export const bodyOf = async (c: Context): Promise<unknown> => {
  const text = await c.req.text()
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Unfit('the body is not JSON')
  }
}

export const objectOf = async (c: Context): Promise<Readonly<Record<string, unknown>>> => {
  const body = await bodyOf(c)
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Readonly<Record<string, unknown>>
  throw new Unfit(`the body: expected a JSON object, received ${JSON.stringify(body).slice(0, 80)}`)
}

export const received = (value: unknown): string => `received ${JSON.stringify(value)}`

export const instantOf = (value: unknown): number => {
  const instant = typeof value === 'number' ? value : parseInstant(String(value))
  if (instant === undefined || !isInstant(instant))
    throw new Unfit(`set: expected ${instantExpected}, ${received(value)}`)
  return instant
}

export const durationOf = (name: string, value: unknown): number => {
  const ms = typeof value === 'number' ? value : parseDuration(String(value))
  if (ms !== undefined && Number.isSafeInteger(ms) && ms >= 0) return ms
  throw new Unfit(
    `${name}: expected a duration such as PT10M, or whole milliseconds from 0, ${received(value)}`,
  )
}

export const sizeOf = (name: string, value: unknown): number => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw new Unfit(`${name}: expected a whole number from 1, ${received(value)}`)
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0

export const limitsOf = (body: unknown): LimitsOption => {
  const option = (body as { limits?: unknown })?.limits ?? body
  if (option === 'production' || option === 'test' || option === 'off') return option
  if (typeof option !== 'object' || option === null) {
    throw new Unfit('expected "production", "test", "off" or a table of thresholds')
  }
  for (const [rule, window] of Object.entries(option as Record<string, Record<string, unknown>>)) {
    if (!(rule in rateRules)) throw new Unfit(`no rate rule is called ${rule}`)
    if (!['perSecond', 'perMinute', 'perHour'].every((name) => isCount(window?.[name]))) {
      throw new Unfit(`${rule}: expected perSecond, perMinute, perHour`)
    }
  }
  return option
}
