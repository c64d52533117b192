/** What a `Retry-After` header says. */
export type RetryAfter =
  | { readonly kind: 'seconds'; readonly seconds: number }
  | { readonly kind: 'date'; readonly at: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'malformed'; readonly value: string }

// The three date forms of RFC 9110 all begin with the name of a weekday.
const httpDate = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? /

/**
 * Reads a `Retry-After` header (RFC 9110, 10.2.3). The contract gives whole seconds; the date form is distinguished
 * so that a check can say what it saw. Source: specification, Errors, 429.
 */
export function parseRetryAfter(value: string | undefined): RetryAfter {
  if (value === undefined) return { kind: 'missing' }
  const text = value.trim()
  if (/^\d{1,9}$/.test(text)) return { kind: 'seconds', seconds: Number(text) }
  const at = httpDate.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? { kind: 'malformed', value } : { kind: 'date', at }
}

/**
 * Milliseconds to wait, counted from `now` (Unix milliseconds); never negative.
 * @returns undefined when the header is missing or malformed
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const parsed = parseRetryAfter(value)
  if (parsed.kind === 'seconds') return parsed.seconds * 1000
  if (parsed.kind === 'date') return Math.max(0, parsed.at - now)
  return undefined
}
