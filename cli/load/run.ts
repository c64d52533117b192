import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Io } from '../io.ts'
import { conclude } from './conclude.ts'
import { beginTogether, runWithProgress } from './k6.ts'
import { prepare } from './prepare.ts'
import { createProgress } from './progress.ts'
import type { LoadResult } from './result.ts'
import { withLoadSetup } from './setup.ts'
import { shapeOf } from './shape.ts'
import type { InvoiceLoadArgs } from './shape.ts'

/** Runs one scenario, accounts for every invoice, and stores the run. */
export const runLoad = (args: InvoiceLoadArgs, io: Io): Promise<LoadResult> =>
  withLoadSetup(args.scenario, args, io, async (setup) => {
    const { target, directory, segments } = setup
    const k6 = await setup.findK6()
    const shape = shapeOf(args, setup)
    const { planned, assignment } = await prepare(args, shape, setup, io)
    const file = path.join(directory, 'assignment.json')
    const { identity, places } = setup.begin()
    await mkdir(places.folder, { recursive: true })
    io.err(`k6 ${k6.version} (${k6.source})\n`)
    const timed = beginTogether(assignment, shape.sessions)
    await writeFile(file, JSON.stringify(timed), { mode: 0o600 })
    const progress = createProgress({ planned: shape.count, due: shape.due })
    const run = await runWithProgress(
      k6,
      {
        assignment: file,
        arguments: (args.k6Out ?? []).flatMap((output) => ['--out', output]),
        ...(args.k6Dashboard === true ? { dashboard: places.folder } : {}),
      },
      segments,
      progress,
      io,
    )
    return conclude(
      { target, identity, shape, segments, maximumP95: args.maxP95, planned, run, places },
      io,
    )
  })
