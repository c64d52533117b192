import type { RuleId } from '../../contract/rules.ts'
import type { Window } from '../../contract/types.ts'
import type { Account } from '../../load/trace/account.ts'
import type { Latency } from '../../load/trace/latency.ts'
import type { Finding } from '../../reports/finding.ts'
import type { RunIdentity } from './setup.ts'

/** What a load run found; `assay load --json` prints it. */
export interface LoadResult extends RunIdentity {
  /** k6 processes that shared the load, and contexts that they sent for. */
  readonly segments: number
  readonly contexts: number
  /** Thresholds of submissions for each context, where they are limited. */
  readonly window?: Window
  readonly finished: string
  /** Submissions that were sent. */
  readonly requests: number
  readonly accepted: number
  readonly refused: Readonly<Record<string, number>>
  readonly lost: number
  readonly doubled: number
  /** Arrivals that were not sent because their turn came too late. */
  readonly dropped: number
  /** By number, all that is not in order. */
  readonly account: Account
  readonly sessions: number
  readonly latencyMs: Latency
  readonly fromIntendedStart: Latency
  readonly lagMs: Latency
  /** Invoices a second, from the opening of the first session to the end of the processing of the last. */
  readonly throughput: number
  /** Arrivals a second that the service kept up with; for the profile `breakpoint`. */
  readonly sustained?: number
  readonly verdict: 'pass' | 'fail' | 'inconclusive'
  readonly reasons: readonly string[]
}

/** The rule that a load run rests on: a session takes that many invoices. */
const ruleOf = (scenario: string): RuleId =>
  scenario === 'batch-upload' ? 'sessions.batch.ten-thousand' : 'sessions.online.ten-thousand'

/** A load run as a finding. */
export const loadFinding = (result: LoadResult): Finding => ({
  rule: ruleOf(result.scenario),
  check: `load ${result.scenario} (${result.profile})`,
  variant: `load ${result.profile}`,
  verdict: result.verdict,
  ms: Date.parse(result.finished) - Date.parse(result.started),
  expected: 'every accepted invoice is in the session once, succeeded, and on the receipt',
  actual: `${result.accepted} of ${result.account.planned} accepted, ${result.lost} lost, ${result.doubled} doubled; ${result.throughput.toFixed(1)} a second, p95 ${Math.round(result.latencyMs.p95)} ms`,
  ...(result.reasons.length > 0 ? { reason: result.reasons.join('; ') } : {}),
  replay: `assay load ${result.scenario} --profile ${result.profile} --seed ${result.seed}`,
})

export const latencyLine = (name: string, { p50, p95, p99, max }: Latency): string =>
  `  ${name.padEnd(21)}p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)}, p99 ${p99.toFixed(0)}, max ${max.toFixed(0)} ms`

/** The summary of a run, one screen. */
export const loadText = (result: LoadResult): string => {
  const { account } = result
  const { found, notFound } = account.unknown
  return [
    `${result.verdict}  ${result.scenario} (${result.profile}), limits ${result.limits}, seed ${result.seed}`,
    `  ${'invoices'.padEnd(21)}${account.planned} planned, ${account.sent} sent, ${account.accepted} accepted`,
    `  ${''.padEnd(21)}${account.lost.length} lost, ${account.doubled.length} doubled, ${account.wrongHash.length} with a wrong hash, ${account.withoutReceipt.length} missing from the receipt`,
    ...(found.length + notFound.length > 0
      ? [
          `  ${'without an answer'.padEnd(21)}${found.length} found in a session, ${notFound.length} not found`,
        ]
      : []),
    ...(account.unread.length > 0
      ? [`  ${'not known'.padEnd(21)}${account.unread.length} in sessions that could not be read`]
      : []),
    ...Object.entries(result.refused).map(
      ([code, times]) => `  ${'refused'.padEnd(21)}${times} with ${code}`,
    ),
    ...(result.dropped > 0 ? [`  ${'dropped'.padEnd(21)}${result.dropped}`] : []),
    `  ${'throughput'.padEnd(21)}${result.throughput.toFixed(1)} invoices a second, to the end of the processing (${result.sessions} ${result.sessions === 1 ? 'session' : 'sessions'})`,
    ...(result.sustained === undefined
      ? []
      : [`  ${'kept up with'.padEnd(21)}${result.sustained} arrivals a second`]),
    latencyLine('latency', result.latencyMs),
    latencyLine('from intended start', result.fromIntendedStart),
    ...result.reasons.map((reason) => `  ${reason}`),
    '',
  ].join('\n')
}
