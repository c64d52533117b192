import type { Io } from '../io.ts'
import { carryOut } from './carry-out.ts'
import { conclude } from './conclude.ts'
import { prepare } from './prepare.ts'
import { createProgress } from './progress.ts'
import type { LoadResult } from './result.ts'
import { withLoadSetup } from './setup.ts'
import { shapeOf } from './shape.ts'
import type { InvoiceLoadArgs } from './shape.ts'

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
    const run = await carryOut(setup, { assignment, sessions, progress, folder }, args, io)
    return conclude(
      { target, identity, shape, segments, maximumP95: args.maxP95, planned, run, places },
      io,
    )
  })
