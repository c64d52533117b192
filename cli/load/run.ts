import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Client } from '../../lib/client.ts'
import { refreshAccess } from '../../lib/flows/login.ts'
import type { Io } from '../io.ts'
import { evaluate } from './evaluate.ts'
import { beginTogether, runWithProgress } from './k6.ts'
import { contextOf, prepare } from './prepare.ts'
import { createProgress } from './progress.ts'
import { accountTable, runPage } from './report.ts'
import type { LoadResult } from './result.ts'
import { loadText } from './result.ts'
import { withLoadSetup } from './setup.ts'
import { shapeOf } from './shape.ts'
import type { InvoiceLoadArgs } from './shape.ts'
import { storeRun } from './stored.ts'
import type { LoadContext, LoadTarget } from './target.ts'

const loggedInAgain = async ({ client, refreshToken, seller }: LoadContext): Promise<Client> => {
  const { accessToken } = await refreshAccess(client, refreshToken)
  return client.with({ bearer: accessToken, context: `Nip ${seller}` })
}

/** Logs each context in again, once. */
const clientsAgain = (target: LoadTarget, segments: number) => {
  const clients = new Map<LoadContext, Promise<Client>>()
  return (session: number): Promise<Client> => {
    const context = contextOf(target, session, segments)
    const known = clients.get(context) ?? loggedInAgain(context)
    clients.set(context, known)
    return known
  }
}

/** Runs one scenario, accounts for every invoice, and stores the run. */
export const runLoad = (args: InvoiceLoadArgs, io: Io): Promise<LoadResult> =>
  withLoadSetup(args.scenario, args, io, async (setup) => {
    const { target, k6, directory, segments } = setup
    const shape = shapeOf(args, setup)
    const { planned, assignment } = await prepare(args, shape, setup, io)
    const file = path.join(directory, 'assignment.json')
    const { identity, folder } = setup.begin()
    await mkdir(folder, { recursive: true })
    io.err(`k6 ${k6.version} (${k6.source})\n`)
    const timed = beginTogether(assignment, shape.sessions)
    await writeFile(file, JSON.stringify(timed), { mode: 0o600 })
    const progress = createProgress({ planned: shape.count, due: shape.due })
    const run = await runWithProgress(
      k6,
      {
        assignment: file,
        arguments: (args.k6Out ?? []).flatMap((output) => ['--out', output]),
        ...(args.k6Dashboard === true ? { dashboard: folder } : {}),
      },
      segments,
      progress,
      io,
    )
    io.err('reading the lists and receipts of the sessions\n')
    const evaluated = await evaluate({
      clientFor: clientsAgain(target, segments),
      scenario: args.scenario,
      planned,
      run,
      plannedSessions: shape.sessions,
      maximumP95: args.maxP95,
      seeksBreakpoint: shape.abortAboveMs !== undefined && !shape.limited,
    })
    const result: LoadResult = {
      ...identity,
      finished: new Date().toISOString(),
      segments,
      contexts: target.contexts.length,
      ...(shape.window === undefined ? {} : { window: shape.window }),
      ...evaluated,
    }
    const page = await runPage(result, run.trace, loadText(result), [accountTable(result)])
    io.err(`report: ${await storeRun(folder, result, run.trace, page)}\n`)
    return result
  })
