import { fetchChallenge } from '../../lib/flows/login.ts'
import type { BatchAssignment, OnlineAssignment } from '../../load/assignment.ts'
import { contextOfSegment, segmentOfSession } from '../../load/segment.ts'
import type { PlannedInvoice } from '../../load/trace/account.ts'
import { formatDuration } from '../plan/duration.ts'
import type { Io } from '../io.ts'
import { prepareBatch, prepareOnline } from './corpus.ts'
import { reachOf } from './network.ts'
import type { LoadSetup } from './setup.ts'
import type { InvoiceLoadArgs, Shape } from './shape.ts'
import type { LoadContext, LoadTarget } from './target.ts'

/** What is done before the load begins: all that needs generating, signing or encrypting. */

/** The context that a session belongs to. */
export const contextOf = (
  { contexts, ...first }: LoadTarget,
  session: number,
  segments: number,
): LoadContext =>
  contexts[contextOfSegment(segmentOfSession(session, segments), contexts.length)] ?? first

/** A run that takes longer within the limits has an alternative named, ms. */
const longRun = 600_000

/** How long the limits of a target make a run take, and what is sent sooner where that is long. */
const withinLimits = (due: readonly number[]): string => {
  const last = due.at(-1)
  if (last === undefined) return ''
  const takes = `; within the limits, to send them takes ${formatDuration(last)}`
  if (last <= longRun) return takes
  const inMinute = due.filter((at) => at < 60_000).length
  return `${takes}\n--count ${inMinute} takes a minute, and \`assay load batch-upload\` sends all of them in packages`
}

/** Creates the invoices of a run, and what k6 needs to send them. */
export const prepare = async (
  args: InvoiceLoadArgs,
  shape: Shape,
  { target, seed, namespace, directory, segments }: Omit<LoadSetup, 'findK6' | 'begin'>,
  io: Io,
): Promise<{
  readonly planned: readonly PlannedInvoice[]
  readonly assignment: OnlineAssignment | BatchAssignment
}> => {
  const { count, sessions, due, users, limited } = shape
  io.err(
    `seed ${seed}; preparing ${count} invoices for ${sessions} ${sessions === 1 ? 'session' : 'sessions'}${limited ? withinLimits(due) : ''}\n`,
  )
  const { timestamp } = await fetchChallenge(target.client)
  const corpus = {
    client: target.client,
    sellerOf: (session: number) => contextOf(target, session, segments).seller,
    issueDate: new Date(timestamp).toISOString().slice(0, 10),
    count,
    sessions,
    seed,
    namespace,
    directory,
    progress: (done: number) => io.err(`prepared ${done} of ${count}\n`),
  }
  const common = {
    profile: args.profile,
    ...reachOf(target.profile),
    baseUrl: target.client.baseUrl,
    dialect: target.client.dialect.id,
    refreshTokens: target.contexts.map(({ refreshToken }) => refreshToken),
    contexts: target.contexts.map(({ seller }) => `Nip ${seller}`),
    segments,
    users,
    maximumSeconds: Math.ceil((due.at(-1) ?? 0) / 1000) + 600,
    pollEveryMs: limited ? 2000 : 250,
    polls: 2400,
  }
  if (args.scenario === 'batch-upload') {
    const { planned, files } = await prepareBatch(corpus, args.partBytes)
    const assignment: BatchAssignment = {
      ...common,
      ...files,
      scenario: 'batch-upload',
      iterations: sessions,
      abortOn: {},
      parallel: users,
    }
    return { planned, assignment }
  }
  const { planned, files } = await prepareOnline(corpus, due)
  const { abortAboveMs } = shape
  const assignment: OnlineAssignment = {
    ...common,
    ...files,
    scenario: 'session-throughput',
    iterations: count,
    abortOn: abortAboveMs === undefined ? {} : { from_intended_start: `p(95)<${abortAboveMs}` },
  }
  return { planned, assignment }
}
