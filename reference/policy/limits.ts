/** Decisions about how often one may call. */

export interface Threshold {
  /** Length of the window, ms. */
  readonly span: number
  /** Calls that may lie in it. */
  readonly most: number
}

export const limitsPolicy = {
  // limits.rate.windows-slide: a call counts while it is younger than the window; the boundary itself is outside
  callCounts: (at: number, now: number, span: number): boolean => at > now - span,

  // limits.rate.windows-slide: refused calls do not count
  refusedCallCounts: (): boolean => false,

  // limits.rate.each-rule: so many calls pass, the next is refused
  windowIsFull: (counted: number, most: number): boolean => counted >= most,

  // limits.rate.parallel-thresholds: second, minute and hour count side by side
  thresholds: (window: {
    perSecond: number
    perMinute: number
    perHour: number
  }): readonly Threshold[] => [
    { span: 1_000, most: window.perSecond },
    { span: 60_000, most: window.perMinute },
    { span: 3_600_000, most: window.perHour },
  ],

  // limits.rate.retry-after: the least whole number of seconds that suffices, at least one
  retryAfterSeconds: (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1000)),

  // limits.rate.escalation: each block that follows another within ten minutes of its end adds 2, 4, 8 ... seconds, at most 300
  blockSeconds: (least: number, earlierBlocks: number): number =>
    earlierBlocks === 0 ? least : least + Math.min(2 ** earlierBlocks, 300),
  earlierBlockRemembered: (endedAt: number, now: number): boolean => now - endedAt < 600_000,

  // limits.rate.retry-after: a call before the block ends is refused again
  blockHolds: (now: number, until: number): boolean => now < until,

  // limits.rate.keyed-by-context-and-address: counted by context, address of the connection, and rule
  rateKey: (context: string, address: string, rule: string): string =>
    `${context} ${address} ${rule}`,

  // limits.rate.default-rule: operations without a rule of their own count each by itself
  // limits.rate.rules-apart: operations with a rule of their own count apart from each other
  rateCounter: (rule: string, operation: string): string => (rule === 'default' ? operation : rule),

  // auth.challenge.address-limit: public operations count by address and operation, over a second
  publicRateKey: (address: string, operation: string): string => `public ${address} ${operation}`,
  publicThresholds: (perSecond: number): readonly Threshold[] => [{ span: 1_000, most: perSecond }],

  // limits.rate.keyed-by-context-and-address: the address is that of the connection, never a forwarded header
  addressOf: (connection: string, _headers: Readonly<Record<string, string>>): string => connection,

  // limits.rate.public-outside: the protected rules do not touch public operations
  publicIsOutside: (): boolean => true,

  // testdata.limit-simulation: each kind of session has limits of its own
  sessionBounds: <T>(
    bounds: { readonly online: T; readonly batch: T },
    kind: 'online' | 'batch',
  ): T => bounds[kind],
  // limits.context: what the resource shows is what is enforced
  shownMegabytes: (bytes: number): number => bytes / 1_000_000,
  // limits.subject: what the resource shows is what is enforced
  shownSubjectLimit: (most: number): number => most,
}
