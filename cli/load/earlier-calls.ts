import type { RateRuleId } from '../../contract/limits.ts'
import type { Window } from '../../contract/types.ts'
import { loadMarginMs } from '../../load/stages.ts'
import type { TraceLine } from '../../load/trace/line.ts'
import { beginAt } from '../begin-at.ts'
import type { Io } from '../io.ts'
import type { LoadTarget } from './target.ts'

/** Calls that a load makes under one rate rule. */
export interface PlannedCalls {
  readonly rule: RateRuleId
  readonly calls: number
}

/**
 * When calls of earlier runs leave room for so many more within a minute and an hour, or for as many as there ever is,
 * Unix milliseconds. `times` are those of the earlier calls, in order.
 */
export const roomAt = (
  times: readonly number[],
  { perMinute, perHour }: Window,
  calls: number,
): number =>
  Math.max(
    0,
    ...[
      [perMinute, 60_000],
      [perHour, 3_600_000],
    ].map(([threshold = 0, span = 0]) => {
      const leaving = times[times.length - threshold + Math.min(calls, threshold) - 1]
      return leaving === undefined ? 0 : leaving + span + loadMarginMs
    }),
  )

/** Waits until what earlier runs called in the contexts of a load leaves room for it, and says how long that is. */
export const waitForRoom = async (
  target: LoadTarget,
  planned: readonly PlannedCalls[],
  io: Io,
): Promise<void> => {
  const { contexts } = target
  const [latest] = contexts
    .flatMap(({ seller }) =>
      planned.flatMap(({ rule, calls }) => {
        const window = target.allowance(rule)
        const times = target.calls.counted(`Nip ${seller}`, rule)
        const own = Math.ceil(calls / contexts.length)
        return window === undefined ? [] : [{ seller, rule, at: roomAt(times, window, own) }]
      }),
    )
    .toSorted((a, b) => b.at - a.at)
  if (latest === undefined) return
  const { rule, seller, at } = latest
  await beginAt(at, `earlier calls of ${rule} in Nip ${seller} still count`, io)
}

/** The rate rules of what k6 called: an opening and a closing for each session, and what its trace has one by one. */
export interface CalledRules {
  readonly opens?: RateRuleId
  readonly closes?: RateRuleId
  readonly calls?: RateRuleId | undefined
}

/** Takes note of the calls of a k6 run: the next run has to know them. A refused call does not count. */
export const noteCalls = (
  { calls }: LoadTarget,
  trace: readonly TraceLine[],
  rules: CalledRules,
  sellerOf: (session: number) => string,
): void => {
  const note = (session: number, rule: RateRuleId | undefined, at: number): void => {
    if (rule !== undefined) calls.note(`Nip ${sellerOf(session)}`, rule, at)
  }
  for (const line of trace)
    if (line.t === 'session') {
      note(line.session, rules.opens, line.opened)
      note(line.session, rules.closes, line.closed)
    } else if (line.t === 'call' && line.status !== 0 && line.status !== 429)
      note(line.session ?? 0, rules.calls, line.ended)
}
