import type { Client } from '../../lib/client.ts'
import { ratesIfReported } from '../../lib/flows/limits.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import { thresholdsOf } from '../../lib/pacer.ts'
import type { Thresholds } from '../../lib/windows.ts'
import { counted } from '../../lib/words.ts'
import { sound } from './diagnosis.ts'
import type { Diagnosis } from './diagnosis.ts'

/** The rate limits that a target reports, beside those that a run keeps to. */

const spans = { perSecond: 'a second', perMinute: 'a minute', perHour: 'an hour' } as const
type Span = keyof typeof spans

/** A limit of the target that is lower than the one that a run keeps to. */
interface Lower {
  readonly rule: string
  readonly span: Span
  readonly reported: number
  readonly kept: number
}

const lowerThan = (kept: Thresholds | undefined, rule: string, own: Thresholds): Lower[] =>
  (Object.keys(spans) as Span[]).flatMap((span) => {
    const [reported, most] = [own[span], kept?.[span]]
    return typeof reported === 'number' && most !== undefined && reported < most
      ? [{ rule, span, reported, kept: most }]
      : []
  })

/** Two decimals, rounded down: a run must not exceed what it was derived from. */
const roundedDown = (share: number): number => Math.floor(share * 100) / 100

/** Compares the limits that the target reports to whom a client is logged in as with those of the profile. */
export const reportedLimits = async (
  client: Client,
  { rateFactor = 1 }: TargetProfile,
): Promise<Diagnosis> => {
  const rates = Object.entries(await ratesIfReported(client))
  if (rates.length === 0)
    return sound('target.limits', 'it reports no rate limits; a run keeps to those of the contract')
  const lower = rates.flatMap(([rule, window]) =>
    lowerThan(thresholdsOf(rule, client.dialect, rateFactor), rule, window),
  )
  const [most] = lower.toSorted((a, b) => a.reported / a.kept - b.reported / b.kept)
  const reports = `reports ${counted(rates.length, 'rate limit')}`
  if (most === undefined) return sound('target.limits', `${reports}, none below those of a run`)
  const { rule, span, reported, kept } = most
  return {
    id: 'target.limits',
    ok: false,
    found: `${reports}, ${lower.length} of their values below those of a run: ${rule} permits ${reported} calls ${spans[span]}, and a run makes up to ${kept}`,
    advice: `set "rateFactor": ${roundedDown((rateFactor * reported) / kept)} in the profile, so that checks are not refused with 429`,
  }
}
