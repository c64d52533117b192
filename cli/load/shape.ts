import { limits as limitRows } from '../../contract/limits.ts'
import type { Window } from '../../contract/types.ts'
import { peakOf, profiles, shaped } from '../../load/profiles.ts'
import type { Profile } from '../../load/profiles.ts'
import { arrivalsOf, dueTimes, legalDueTimes, loadMarginMs } from '../../load/stages.ts'
import { usageError } from '../io.ts'
import { formatDuration } from '../plan/duration.ts'
import { whole } from './setup.ts'
import type { LoadArgs, LoadSetup } from './setup.ts'

/** The shape of a run of invoices, from its options and the limits of its target. */

export const scenarios = ['session-throughput', 'batch-upload'] as const
export type ScenarioId = (typeof scenarios)[number]

export interface InvoiceLoadArgs extends LoadArgs {
  readonly scenario: ScenarioId
  readonly sessions: number | undefined
  readonly partBytes: number
}

/** Virtual users: enough that a stalled service does not delay the schedule immediately. */
const usersOf = (peak: number): number => Math.min(200, Math.max(20, Math.ceil(peak)))

/** How much a run sends, when, and to how many sessions. */
export interface Shape {
  readonly count: number
  readonly sessions: number
  /** Due times of single invoices; empty where packages are uploaded. */
  readonly due: readonly number[]
  readonly users: number
  readonly limited: boolean
  /** Thresholds of submissions, where they are limited. */
  readonly window: Window | undefined
  readonly abortAboveMs: number | undefined
}

export const shapeOf = (
  args: InvoiceLoadArgs,
  { target, segments }: Pick<LoadSetup, 'target' | 'segments'>,
): Shape => {
  const profile: Profile = profiles[args.profile]
  const shape = shaped(profile, args)
  const count = args.count ?? arrivalsOf(shape.stages, shape.from)
  const perSession = limitRows['session.invoices'].value
  const needed = Math.ceil(count / perSession)
  const sessions = whole('sessions', args.sessions) ?? Math.ceil(needed / segments) * segments
  if (Math.ceil(count / sessions) > perSession)
    throw usageError(
      `--sessions: ${count} invoices need at least ${needed} sessions of ${perSession}, received ${sessions}`,
    )
  if (sessions % segments !== 0)
    throw usageError(
      `--sessions: expected a multiple of the ${segments} segments, received ${sessions}. Try --sessions ${Math.ceil(sessions / segments) * segments}`,
    )
  if (sessions > count)
    throw usageError(`--sessions: expected at most one for each invoice, received ${sessions}`)
  const window = target.window('invoiceSubmit')
  const allowance = target.allowance('invoiceSubmit')
  const limited = allowance !== undefined
  if (args.scenario === 'batch-upload')
    return {
      count,
      sessions,
      due: [],
      users: Math.min(sessions, 4 * segments),
      limited,
      window: undefined,
      abortAboveMs: undefined,
    }
  const contexts = target.contexts.length
  // Each context has the limits for itself, and the invoices go round.
  const legal = limited
    ? legalDueTimes(
        allowance,
        Math.ceil(count / contexts),
        loadMarginMs,
        (args.rate ?? Infinity) / contexts,
      )
    : []
  const due = limited
    ? Array.from({ length: count }, (_, i) => legal[Math.floor(i / contexts)] ?? 0)
    : dueTimes(shape.stages, shape.from).slice(0, count)
  const seconds = (due.at(-1) ?? 0) / 1000
  const life = limitRows['session.onlineLifetime'].value
  if (seconds > life - 600)
    throw usageError(
      `${count} invoices take ${formatDuration(seconds * 1000)} within the limits, longer than a session lives (${formatDuration(life * 1000)}). Choose a lower --count; \`assay plan\` computes schedules over several sessions`,
    )
  const users = limited ? 20 * segments : usersOf(peakOf(shape))
  return { count, sessions, due, users, limited, window, abortAboveMs: shape.abortAboveMs }
}
