import { readFileSync } from 'node:fs'
import { rateRules } from '../contract/limits.ts'
import type { Window } from '../contract/types.ts'
import { usageError } from './io.ts'

export type LimitsOption = 'production' | 'test' | 'off' | Readonly<Record<string, Window>>

const isWindow = (value: unknown): value is Window =>
  typeof value === 'object' &&
  value !== null &&
  (['perSecond', 'perMinute', 'perHour'] as const).every((key) => {
    const count = (value as Record<string, unknown>)[key]
    return Number.isInteger(count) && (count as number) > 0
  })

/** The table of a file: the whole of it, or the `limits` of a pace that `assay limits tune` wrote. */
const tableIn = (document: unknown): unknown =>
  typeof document === 'object' && document !== null && 'limits' in document
    ? document.limits
    : document

/** `production`, `test`, `off`, or a file: a JSON object that maps rate rules to { perSecond, perMinute, perHour }. */
export const limitsOf = (limits: string | undefined): LimitsOption | undefined => {
  if (limits === undefined || limits === 'production' || limits === 'test' || limits === 'off')
    return limits
  let table: unknown
  try {
    table = tableIn(JSON.parse(readFileSync(limits, 'utf8')))
  } catch (cause) {
    throw usageError(
      `--limits: expected production, test, off or a JSON file, received ${JSON.stringify(limits)} (${(cause as Error).message})`,
    )
  }
  if (typeof table !== 'object' || table === null || Array.isArray(table))
    throw usageError(
      `--limits ${limits}: expected a JSON object that maps rate rules to { perSecond, perMinute, perHour }, received ${JSON.stringify(table).slice(0, 80)}`,
    )
  const rows = Object.entries(table)
  for (const [rule, window] of rows) {
    if (!(rule in rateRules))
      throw usageError(
        `--limits ${limits}: there is no rate rule ${JSON.stringify(rule)}: expected one of ${Object.keys(rateRules).join(', ')}`,
      )
    if (!isWindow(window))
      throw usageError(
        `--limits ${limits}: ${rule}: expected { perSecond, perMinute, perHour }, positive integers`,
      )
  }
  return Object.fromEntries(rows) as Record<string, Window>
}
