import { usageError } from '../io.ts'

/** Durations as people write and read them. */

const units = { s: 1000, min: 60_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/**
 * Milliseconds of `90s`, `45min`, `8h`, `2d`.
 * @throws usage error naming the option
 */
export const parseDuration = (option: string, text: string): number => {
  const found = /^(\d+(?:\.\d+)?)(s|min|m|h|d)$/.exec(text)
  if (found === null)
    throw usageError(
      `--${option}: expected a duration such as 90s, 45min, 8h or 2d, received ${JSON.stringify(text)}`,
    )
  return Number(found[1]) * units[found[2] as keyof typeof units]
}

/** `9 d 6 h 1 min`, `5 min 2 s`: three units at most. */
export const formatDuration = (ms: number): string => {
  if (ms === Infinity) return 'never'
  if (ms === 0) return 'no time'
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1000)
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first, first + 3)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}

/** `222:00:02`: hours, minutes, seconds from the start. */
export const formatClock = (ms: number): string => {
  const seconds = Math.floor(ms / 1000)
  const two = (count: number) => String(count).padStart(2, '0')
  const whole = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return ms % 1000 === 0 ? whole : `${whole}.${String(ms % 1000).padStart(3, '0')}`
}
