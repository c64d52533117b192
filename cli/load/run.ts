import type { Io } from '../io.ts'
import { carryOut } from './carry-out.ts'
import { conclude } from './conclude.ts'
import { noteCalls, waitForRoom } from './earlier-calls.ts'
import type { CalledRules, PlannedCalls } from './earlier-calls.ts'
import { contextOf, prepare } from './prepare.ts'
import { createProgress } from './progress.ts'
import type { LoadResult } from './result.ts'
import { withLoadSetup } from './setup.ts'
import { shapeOf } from './shape.ts'
import type { InvoiceLoadArgs, ScenarioId, Shape } from './shape.ts'

/** What k6 calls in each scenario, by rate rule. */
const rulesOf = {
  'session-throughput': { opens: 'onlineOpen', closes: 'onlineClose', calls: 'invoiceSubmit' },
  // Uploads are not limited.
  'batch-upload': { opens: 'batch', closes: 'batch' },
} as const satisfies Record<ScenarioId, CalledRules>

const plannedCalls = (scenario: ScenarioId, { sessions, count }: Shape): readonly PlannedCalls[] =>
  scenario === 'batch-upload'
    ? [{ rule: 'batch', calls: 2 * sessions }]
    : [
        { rule: 'onlineOpen', calls: sessions },
        { rule: 'invoiceSubmit', calls: count },
        { rule: 'onlineClose', calls: sessions },
      ]

/** Runs one scenario, accounts for every invoice, and stores the run. */
export const runLoad = (args: InvoiceLoadArgs, io: Io): Promise<LoadResult> =>
  withLoadSetup(args.scenario, args, io, async (setup) => {
    const { target, segments } = setup
    // Before the preparation, which takes its time: k6 may first have to be built.
    await setup.findK6()
    const shape = shapeOf(args, setup)
    const { planned, assignment } = await prepare(args, shape, setup, io)
    const { identity, places } = setup.begin()
    const { sessions, count, due } = shape
    const progress = createProgress({ planned: count, due })
    const { folder } = places
    await waitForRoom(target, plannedCalls(args.scenario, shape), io)
    const run = await carryOut(setup, { assignment, sessions, progress, folder }, args, io)
    noteCalls(
      target,
      run.trace,
      rulesOf[args.scenario],
      (session) => contextOf(target, session, segments).seller,
    )
    return conclude(
      { target, identity, shape, segments, maximumP95: args.maxP95, planned, run, places },
      io,
    )
  })
