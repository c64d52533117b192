import type { Client } from '../../lib/client.ts'
import { Inconclusive, outcomeOf } from '../../lib/outcome.ts'
import { accountOf, batchAccountOf } from '../../load/trace/account.ts'
import type { ListedInvoice, PlannedInvoice, ReceiptedInvoice } from '../../load/trace/account.ts'
import { callsOf, latenciesOf } from '../../load/trace/latency.ts'
import type { CallLine, SessionLine } from '../../load/trace/line.ts'
import type { K6Run } from './k6.ts'
import { listInvoices, readReceipts } from './reconcile.ts'
import type { ReadReceipts } from './reconcile.ts'
import type { LoadResult } from './result.ts'
import type { RunIdentity } from './setup.ts'
import { assessLoad, lateStarts, refusedForOthers } from './verdict.ts'

/** From what k6 reported and what the service says afterwards to the result of a run. */

export interface Evaluated {
  /** A client for a session that has logged in again: the run may have outlived its login. */
  readonly clientFor: (session: number) => Promise<Client>
  readonly scenario: string
  readonly planned: readonly PlannedInvoice[]
  readonly run: K6Run
  readonly plannedSessions: number
  readonly maximumP95: number | undefined
  readonly limited: boolean
  /** Whether others, or earlier runs, may have called in the context of a session. */
  readonly isShared: (session: number) => boolean
  readonly seeksBreakpoint: boolean
  /** Ends the reading of lists. */
  readonly signal: AbortSignal
}

type Measured = Omit<
  LoadResult,
  keyof RunIdentity | 'segments' | 'contexts' | 'window' | 'finished'
>

export const evaluate = async (input: Evaluated): Promise<Measured> => {
  const { run, planned, scenario } = input
  const batch = scenario === 'batch-upload'
  const sessions = run.trace.filter((line) => line.t === 'session')
  const asked = await askedOf(input, sessions, batch)
  const { listed, receipted, problems, sessionsRead } = asked
  const said = { planned, listed, receipted, sessionsRead }
  const account = batch
    ? batchAccountOf(said)
    : accountOf({ ...said, trace: run.trace, endedEarly: run.endedBy !== undefined })
  const calls = callsOf(run.trace)
  const latencies = latenciesOf(calls)
  const { verdict, reasons } = assessLoad({
    account,
    sessions,
    plannedSessions: input.plannedSessions,
    receiptProblems: problems,
    fromIntendedStart: latencies.fromIntendedStart,
    lagMs: latencies.lagMs,
    lateStarts: lateStarts(run.trace),
    maximumP95: input.maximumP95,
    limited: input.limited,
    refusedForOthers: refusedForOthers(calls, input.isShared),
    seeksBreakpoint: input.seeksBreakpoint,
    endedBy: run.endedBy,
  })
  const failedParts = calls.filter(({ op, status }) => op !== 'invoices.submit' && status >= 300)
  return {
    requests: batch ? calls.length : account.sent,
    accepted: account.accepted,
    refused: account.refused,
    lost: account.lost.length,
    doubled: account.doubled.length,
    dropped: run.trace.filter(({ t }) => t === 'drop').length,
    account,
    sessions: sessions.length,
    ...latencies,
    throughput: throughputOf(sessions),
    ...(input.seeksBreakpoint ? { sustained: sustainedRate(calls) } : {}),
    verdict:
      failedParts.length > 0 ? 'fail' : asked.silent === undefined ? verdict : 'inconclusive',
    reasons: [
      ...(asked.silent === undefined ? [] : [asked.silent]),
      ...(run.complaint === undefined ? [] : [run.complaint]),
      ...(failedParts.length > 0 ? [`${failedParts.length} parts were refused`] : []),
      ...reasons,
    ],
  }
}

interface Asked {
  readonly listed: readonly ListedInvoice[]
  readonly receipted: readonly ReceiptedInvoice[]
  readonly problems: readonly string[]
  /** Sessions that were read to the end of their lists and receipts. */
  readonly sessionsRead: ReadonlySet<number>
  /** Why the others were not; undefined when all that the trace names were. */
  readonly silent: string | undefined
}

/** What the service says of the run afterwards, as far as it says anything. */
const askedOf = async (
  { clientFor, planned, signal }: Evaluated,
  sessions: readonly SessionLine[],
  batch: boolean,
): Promise<Asked> => {
  const listed: ListedInvoice[] = []
  const receipted: ReceiptedInvoice[] = []
  const problems: string[] = []
  const sessionsRead = new Set<number>()
  const kind = batch ? 'batchSession' : 'onlineSession'
  try {
    for (const { session, ref, status } of sessions) {
      const client = await clientFor(session)
      const invoices = await listInvoices(client, ref, { planned: planned.length, signal })
      const receipts = status === 200 ? await receiptsOf(client, ref, kind) : undefined
      listed.push(...invoices)
      receipted.push(...(receipts?.documents ?? []))
      problems.push(...(receipts?.problems ?? []))
      sessionsRead.add(session)
    }
  } catch (error) {
    const outcome = outcomeOf(error)
    if (outcome?.kind !== 'inconclusive') throw error
    const silent = `after the run the service could not be asked what became of the invoices: ${outcome.reason ?? ''}`
    return { listed, receipted, problems, sessionsRead, silent }
  }
  return { listed, receipted, problems, sessionsRead, silent: undefined }
}

/** The receipts of a session; one that the service refuses is a problem of it. */
const receiptsOf = async (
  client: Client,
  ref: string,
  kind: 'onlineSession' | 'batchSession',
): Promise<ReadReceipts> => {
  try {
    return await readReceipts(client, ref, kind)
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error
    return { documents: [], problems: [`receipt of ${ref}: ${error.message}`] }
  }
}

const throughputOf = (sessions: readonly SessionLine[]): number => {
  if (sessions.length === 0) return 0
  const opened = Math.min(...sessions.map((session) => session.opened))
  const settled = Math.max(...sessions.map((session) => session.settled))
  const succeeded = sessions.reduce((sum, session) => sum + session.succeeded, 0)
  return settled > opened ? (succeeded * 1000) / (settled - opened) : 0
}

/** Milliseconds from the intended start within which a service keeps up. */
const keepsUpMs = 1000

/** The highest rate, second by second, before answers began to come late or were refused. */
const sustainedRate = (calls: readonly CallLine[]): number => {
  const start = Math.min(...calls.map(({ due }) => due))
  const seconds = new Map<number, { calls: number; late: number }>()
  for (const { due, ended, status } of calls) {
    const second = Math.floor((due - start) / 1000)
    const counts = seconds.get(second) ?? { calls: 0, late: 0 }
    counts.calls += 1
    if (ended - due > keepsUpMs || status === 0 || status >= 300) counts.late += 1
    seconds.set(second, counts)
  }
  let sustained = 0
  for (const [, { calls: count, late }] of [...seconds].toSorted(([a], [b]) => a - b)) {
    if (late > count / 20) break
    sustained = Math.max(sustained, count)
  }
  return sustained
}
