/** How hard and how long: the same scenario in several sizes. */
export interface Profile {
  readonly invoices: number
  /** Arrivals a second, where no rate limit is in the way. */
  readonly perSecond: number
  /** Virtual users that may wait at the same time. */
  readonly users: number
  readonly summary: string
}

export const profiles = {
  smoke: { invoices: 300, perSecond: 30, users: 20, summary: 'ten seconds, to see that it works' },
  full: { invoices: 10_000, perSecond: 100, users: 60, summary: 'a whole session of 10,000' },
} as const satisfies Record<string, Profile>

export type ProfileId = keyof typeof profiles
