import type { Stage } from './stages.ts'
import { arrivalsOf } from './stages.ts'

/** How hard and how long: the same scenario in several shapes. Rates apply where no rate limit prevents them. */
export interface Profile {
  readonly summary: string
  /** Rate at the start, arrivals a second. */
  readonly from: number
  readonly stages: readonly Stage[]
  /** Ends the run early when the 95th percentile from the intended start is above this, ms. */
  readonly abortAboveMs?: number
}

export const profiles = {
  smoke: { summary: '300 invoices in ten seconds', from: 30, stages: [{ seconds: 10, rate: 30 }] },
  average: {
    summary: 'a working day: up to 40 a second, held for a minute',
    from: 0,
    stages: [
      { seconds: 10, rate: 40 },
      { seconds: 60, rate: 40 },
      { seconds: 10, rate: 0 },
    ],
  },
  stress: {
    summary: 'twice the average, held for a minute',
    from: 0,
    stages: [
      { seconds: 20, rate: 80 },
      { seconds: 60, rate: 80 },
      { seconds: 10, rate: 0 },
    ],
  },
  spike: {
    summary: 'from 10 to 200 a second within two seconds, and back',
    from: 10,
    stages: [
      { seconds: 10, rate: 10 },
      { seconds: 2, rate: 200 },
      { seconds: 5, rate: 200 },
      { seconds: 2, rate: 10 },
      { seconds: 15, rate: 10 },
    ],
  },
  soak: {
    summary: '20 a second for eight minutes',
    from: 20,
    stages: [{ seconds: 480, rate: 20 }],
  },
  breakpoint: {
    summary: 'up to 300 a second, until latency or the service breaks',
    from: 10,
    stages: [{ seconds: 100, rate: 300 }],
    abortAboveMs: 2000,
  },
  full: {
    summary: 'a whole session of 10,000 at 100 a second',
    from: 100,
    stages: [{ seconds: 100, rate: 100 }],
  },
} as const satisfies Record<string, Profile>

export type ProfileId = keyof typeof profiles

/**
 * A profile with another number of arrivals or another rate: the same shape, longer or shorter; a custom rate is
 * constant.
 */
export function shaped(
  profile: Profile,
  { count, rate }: { readonly count?: number | undefined; readonly rate?: number | undefined },
): Profile {
  const arrivals = count ?? arrivalsOf(profile.stages, profile.from)
  if (rate !== undefined)
    return { ...profile, from: rate, stages: [{ seconds: arrivals / rate, rate }] }
  if (count === undefined) return profile
  const factor = count / arrivalsOf(profile.stages, profile.from)
  return {
    ...profile,
    stages: profile.stages.map((stage) => ({ ...stage, seconds: stage.seconds * factor })),
  }
}

export const peakOf = ({ stages, from }: Profile): number =>
  Math.max(from, ...stages.map(({ rate }) => rate))
