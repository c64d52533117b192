import type { Account } from '../../load/trace/account.ts'
import type { Latency } from '../../load/trace/latency.ts'
import type { CallLine, SessionLine, TraceLine } from '../../load/trace/line.ts'
import { spans } from '../../load/probes/job.ts'

/** Milliseconds that calls may leave late before the generator itself is in doubt. */
export const maximumLagMs = 1000
/** Numbers that a reason names; the JSON has all of them. */
const maximumNumbers = 5

/** A sentence for each process that began so late after the others that the load was another than planned. */
export const lateStarts = (trace: readonly TraceLine[]): readonly string[] =>
  trace.flatMap((line) => {
    if (line.t !== 'start' || line.ready - line.appointed <= maximumLagMs) return []
    const seconds = ((line.ready - line.appointed) / 1000).toFixed(1)
    return [
      `process ${line.segment + 1} began ${seconds} s after the appointed moment: the processes did not send at the planned rate together`,
    ]
  })

/**
 * Submissions that were refused with 429 and may have been so for calls that are not of this run: in a context of
 * others, before the longest window of a limit has passed since the run began.
 */
export const refusedForOthers = (
  calls: readonly CallLine[],
  isShared: (session: number) => boolean,
): number => {
  const began = calls.reduce((earliest, { begun }) => Math.min(earliest, begun), Infinity)
  return calls.filter(
    ({ op, status, code, begun, session = 0 }) =>
      op === 'invoices.submit' &&
      (code ?? status) === 429 &&
      begun < began + spans.hour &&
      isShared(session),
  ).length
}

export interface LoadVerdict {
  readonly verdict: 'pass' | 'fail' | 'inconclusive'
  readonly reasons: readonly string[]
}

export interface VerdictInput {
  readonly account: Account
  readonly sessions: readonly SessionLine[]
  readonly plannedSessions: number
  readonly receiptProblems: readonly string[]
  readonly fromIntendedStart: Latency
  readonly lagMs: Latency
  /** What {@link lateStarts} says. */
  readonly lateStarts: readonly string[]
  readonly maximumP95: number | undefined
  /** Calls left within the limits that the target reports. */
  readonly limited: boolean
  /** What {@link refusedForOthers} counts. */
  readonly refusedForOthers: number
  /** The run looks for the rate at which the service breaks: ending early and late arrivals are its result. */
  readonly seeksBreakpoint: boolean
  readonly endedBy: string | undefined
}

const named = (numbers: readonly string[]): string =>
  numbers.slice(0, maximumNumbers).join(', ') +
  (numbers.length > maximumNumbers ? ` and ${numbers.length - maximumNumbers} more` : '')

const invoices = (numbers: readonly string[]): string =>
  `${numbers.length} ${numbers.length === 1 ? 'invoice' : 'invoices'}`

/** A reason that names the invoices; none when there are none. */
const about = (numbers: readonly string[], what: string): readonly string[] =>
  numbers.length === 0 ? [] : [`${invoices(numbers)} ${what}: ${named(numbers)}`]

const refusedWith = (code: string, times: number): string =>
  `${times} ${times === 1 ? 'submission was' : 'submissions were'} refused with ${code}`

/** What a run that kept the limits met all the same: refusals that say nothing of the service, and empty sessions. */
const causedByOthers = ({ limited, refusedForOthers: refused, sessions }: VerdictInput) => ({
  refused: limited ? refused : 0,
  sessions: sessions.filter(
    ({ invoices: sent, status }) => limited && refused > 0 && sent === 0 && status !== 200,
  ),
})

/** Refusals for which the service answers; the code 429 without those that calls of others may have caused. */
const refusalsOf = (input: VerdictInput): readonly string[] =>
  Object.entries(input.account.refused).flatMap(([code, times]) => {
    if (code !== '429' || !input.limited) return [refusedWith(code, times)]
    const own = times - causedByOthers(input).refused
    return own === 0
      ? []
      : [`${refusedWith(code, own)}, although the run kept the limits that the target reports`]
  })

const endedWith = ({ ref, status }: SessionLine): string =>
  `session ${ref} ended with ${status}, expected 200`

const doubtsByOthers = (input: VerdictInput): readonly string[] => {
  const { refused, sessions } = causedByOthers(input)
  return [
    ...(refused > 0
      ? [
          `${refusedWith('429', refused)} within an hour of the beginning; the run kept the limits that the target reports, in which calls from before it and of others count too`,
        ]
      : []),
    ...sessions.filter(({ status }) => status !== 0).map(endedWith),
  ]
}

const failuresOf = (input: VerdictInput): readonly string[] => {
  const { account, sessions, maximumP95, fromIntendedStart } = input
  return [
    ...about(account.lost, 'accepted and in no session'),
    ...about(account.doubled, 'in a session more than once'),
    ...about(account.wrongHash, 'listed with the hash of another document'),
    ...about(account.rejected, 'accepted, then rejected by the processing'),
    ...about(account.unexpected, 'refused or not sent, and in a session all the same'),
    ...about(account.withoutReceipt, 'missing from the receipt, or there with another hash'),
    ...refusalsOf(input),
    ...sessions
      .filter(({ status }) => status !== 200 && status !== 0)
      .filter((session) => !causedByOthers(input).sessions.includes(session))
      .map(endedWith),
    ...input.receiptProblems,
    ...(maximumP95 !== undefined && fromIntendedStart.p95 > maximumP95
      ? [
          `p95 from the intended start is ${Math.round(fromIntendedStart.p95)} ms, at most ${maximumP95} ms are allowed (--max-p95)`,
        ]
      : []),
  ]
}

const doubtsOf = (input: VerdictInput): readonly string[] => {
  const { account, sessions, plannedSessions, lagMs, seeksBreakpoint, endedBy } = input
  const unsettled = plannedSessions - sessions.filter(({ status }) => status !== 0).length
  return [
    ...about(account.unknown.notFound, 'without an answer and in no session'),
    ...doubtsByOthers(input),
    ...about(account.unread, 'sent to a session that could not be read after the run'),
    ...input.lateStarts,
    ...(unsettled > 0
      ? [`${unsettled} of ${plannedSessions} sessions did not reach their end`]
      : []),
    ...(seeksBreakpoint
      ? []
      : [
          ...about(account.notSent, 'not sent, because their turn came too late'),
          ...(lagMs.p99 > maximumLagMs
            ? [
                `calls left late (p99 ${Math.round(lagMs.p99)} ms): the service stalled, or this machine is too slow for the rate`,
              ]
            : []),
          ...(endedBy === undefined ? [] : [`the run ended early (${endedBy})`]),
        ]),
  ]
}

/**
 * What a load run says of the service. The account comes first: nothing that was accepted may be lost, doubled or
 * changed. A generator that lagged proves nothing about speed.
 */
export const assessLoad = (input: VerdictInput): LoadVerdict => {
  const failures = failuresOf(input)
  const doubts = doubtsOf(input)
  const verdict = failures.length > 0 ? 'fail' : doubts.length > 0 ? 'inconclusive' : 'pass'
  return { verdict, reasons: [...failures, ...doubts] }
}
