import type { Client } from '../../lib/client.ts'
import { refreshAccess } from '../../lib/flows/login.ts'
import type { PlannedInvoice } from '../../load/trace/account.ts'
import type { Io } from '../io.ts'
import { evaluate } from './evaluate.ts'
import type { K6Run } from './k6.ts'
import { contextOf } from './prepare.ts'
import { accountTable, runPage } from './report.ts'
import type { LoadResult } from './result.ts'
import { loadText } from './result.ts'
import type { RunIdentity } from './setup.ts'
import type { Shape } from './shape.ts'
import { storeRun } from './stored.ts'
import type { Places } from './stored.ts'
import type { LoadContext, LoadTarget } from './target.ts'

/** After k6: the account of the run, its verdict, and its report. */

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

/** A run that k6 has carried out. */
export interface CarriedOut {
  readonly target: LoadTarget
  readonly identity: RunIdentity
  readonly shape: Omit<Shape, 'count' | 'due' | 'users'>
  readonly segments: number
  readonly maximumP95: number | undefined
  readonly planned: readonly PlannedInvoice[]
  readonly run: K6Run
  readonly places: Places
}

/** Accounts for every invoice of a run and stores it. */
export const conclude = async (
  { target, identity, shape, segments, maximumP95, planned, run, places }: CarriedOut,
  io: Io,
): Promise<LoadResult> => {
  io.err('reading the lists and receipts of the sessions\n')
  const evaluated = await evaluate({
    clientFor: clientsAgain(target, segments),
    scenario: identity.scenario,
    planned,
    run,
    plannedSessions: shape.sessions,
    maximumP95,
    limited: shape.limited,
    isShared: (session) => contextOf(target, session, segments).shared,
    signal: io.signal,
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
  io.err(`report: ${await storeRun(places, result, run.trace, page)}\n`)
  return result
}
