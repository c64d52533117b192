/** Decisions about how often a caller may call. */

export interface Threshold {
  /** Length of the window, ms. */
  readonly span: number
  /** Calls that may lie in it. */
  readonly maximum: number
}

/** The calls of one caller that count, ascending, from `head` on. */
export interface CallLog {
  readonly calls: readonly number[]
  readonly head: number
}

export const limitsPolicy = {
  // limits.rate.windows-slide: a call counts while it is younger than the window; the boundary itself is outside
  callCounts: (at: number, now: number, span: number): boolean => at > now - span,

  // limits.rate.windows-slide: refused calls do not count
  outcomeCounts: (outcome: 'passed' | 'refused'): boolean => outcome === 'passed',

  // limits.rate.each-rule: the maximum passes, the next call is refused
  windowIsFull: (counted: number, maximum: number): boolean => counted >= maximum,

  // limits.rate.windows-slide: milliseconds until a window has room; undefined when it has room now
  roomIn: (
    { calls, head }: CallLog,
    { span, maximum }: Threshold,
    now: number,
    {
      callCounts,
      windowIsFull,
    }: {
      readonly callCounts: (at: number, now: number, span: number) => boolean
      readonly windowIsFull: (counted: number, maximum: number) => boolean
    },
  ): number | undefined => {
    // The number of calls in the window, by looking from the youngest back, never further than the threshold.
    let counted = 0
    for (let at = calls.length - 1; at >= head && counted <= maximum; at--) {
      if (!callCounts(calls[at]!, now, span)) break
      counted++
    }
    if (!windowIsFull(counted, maximum)) return undefined
    if (maximum === 0) return span
    return (calls[Math.max(head, calls.length - maximum)] ?? now) + span - now
  },

  // limits.rate.parallel-thresholds: second, minute and hour count side by side
  thresholds: (window: {
    perSecond: number
    perMinute: number
    perHour: number
  }): readonly Threshold[] => [
    { span: 1_000, maximum: window.perSecond },
    { span: 60_000, maximum: window.perMinute },
    { span: 3_600_000, maximum: window.perHour },
  ],

  // limits.rate.retry-after: the smallest whole number of seconds that suffices, at least one
  retryAfterSeconds: (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1000)),

  // limits.rate.escalation: each block that follows another within ten minutes of its end adds 2, 4, 8 ... seconds,
  // at most 300
  blockSeconds: (minimum: number, earlierBlocks: number): number =>
    earlierBlocks === 0 ? minimum : minimum + Math.min(2 ** earlierBlocks, 300),
  earlierBlockRemembered: (endedAt: number, now: number): boolean => now - endedAt < 600_000,

  // limits.rate.retry-after: a call before the block ends is refused again
  blockHolds: (now: number, until: number): boolean => now < until,

  // limits.rate.keyed-by-context-and-address: counted by context, address of the connection, and rule
  rateKey: (context: string, address: string, rule: string): string =>
    `${context} ${address} ${rule}`,

  // limits.rate.default-rule: operations without a rule of their own are counted separately
  // limits.rate.rules-apart: operations with a rule of their own are counted by rule
  rateCounter: (rule: string, operation: string): string => (rule === 'default' ? operation : rule),

  // auth.challenge.address-limit: public operations count by address and operation, over a second
  publicRateKey: (address: string, operation: string): string => `public ${address} ${operation}`,
  // limits.rate.public-outside: the rules of protected operations do not apply to public ones
  publicThresholds: (perSecond: number): readonly Threshold[] => [
    { span: 1_000, maximum: perSecond },
  ],

  // testdata.limit-simulation: each kind of session has limits of its own
  sessionBounds: <T>(
    bounds: { readonly online: T; readonly batch: T },
    kind: 'online' | 'batch',
  ): T => bounds[kind],
}
