import { sleep } from 'k6'
import exec from 'k6/execution'
import type { Client } from '../lib/client.ts'
import { refreshAccess } from '../lib/flows/login.ts'
import { settleSession } from '../lib/flows/session.ts'
import { Inconclusive } from '../lib/outcome.ts'
import { maximumLatenessMs } from './assignment.ts'
import type {
  AssignedLogin,
  BatchAssignment,
  OnlineAssignment,
  TaskAssignment,
} from './assignment.ts'
import { report } from './report.ts'
import { contextOfSegment, segmentOf } from './segment.ts'
import type { Segment } from './segment.ts'
import { callers, clientOf } from './transport.ts'

type Assignment = OnlineAssignment | BatchAssignment | TaskAssignment

/** What the set-up hands to every virtual user. */
export interface Entered extends AssignedLogin {
  readonly segment: Segment
  readonly accessToken: string
  readonly renewAfterMs: number
  readonly enteredAt: number
}

/** A long run renews its access token long before it expires, one virtual user after the other. */
const maximumRenewalMs = 5 * 60_000
const renewalsInTurn = 120
const spacingOf = (renewAfterMs: number): number => renewAfterMs / 300

const renewAfter = (validUntil = Infinity): number => {
  const left = validUntil - Date.now()
  // A token that expires before it is used was issued by another clock.
  return left > 0 ? Math.min(maximumRenewalMs, left * 0.4) : maximumRenewalMs
}

/** One renewal for all: each virtual user on its own would exceed the rate of public operations. */
export const enter = async (assignment: Assignment): Promise<Entered> => {
  const { executionSegment, executionSegmentSequence } = exec.test.options
  const segment = segmentOf({ executionSegment, executionSegmentSequence })
  const { segments, refreshTokens, contexts } = assignment
  if (segment.count !== segments)
    throw new Error(
      `the load was prepared for ${segments} k6 processes, there are ${segment.count}`,
    )
  const place = contextOfSegment(segment.index, refreshTokens.length)
  const login = { refreshToken: refreshTokens[place] ?? '', context: contexts[place] ?? '' }
  callers.know(login.refreshToken, login.context)
  const { accessToken, accessValidUntil } = await refreshAccess(
    clientOf(assignment),
    login.refreshToken,
  )
  const renewAfterMs = renewAfter(accessValidUntil)
  return { segment, ...login, accessToken, renewAfterMs, enteredAt: Date.now() }
}

/** When the schedule begins: at the same moment in every process, if one was set. */
export const createScheduleStart = ({ startAt = 0 }: Assignment): (() => number) => {
  let start: number | undefined
  // k6 computes it anew whenever it is asked, and it does not change.
  return () => (start ??= Math.max(exec.scenario.startTime, startAt))
}

/** The number of the iteration under way, among those of all processes. */
export const createNumberOfIteration = (): (() => number) => {
  // The object stays current, and creating it costs k6 more than a request.
  let scenario: typeof exec.scenario | undefined
  return () => (scenario ??= exec.scenario).iterationInTest
}

/** Reports when this process is ready, if all were to begin at the same moment: a late one shifts its schedule. */
export const reportReady = ({ startAt }: Assignment, { index }: Segment): void => {
  if (startAt !== undefined)
    report({ t: 'start', segment: index, appointed: startAt, ready: Date.now() })
}

const sleepUntil = (at: number): void => {
  const wait = at - Date.now()
  if (wait > 0) sleep(wait / 1000)
}

/** How long before a call its access token is checked. */
const renewalLeadMs = 2000

/** Waits until the access token for a call is to be checked: a wait for room in the limits can outlast a token. */
export const waitForAccess = (due: number): void => sleepUntil(due - renewalLeadMs)

/** Waits until a call is due, and returns when it begins; undefined when it is too late, which is reported. */
export const beginOnTime = (i: number, due: number): number | undefined => {
  sleepUntil(due)
  const begun = Date.now()
  if (begun - due <= maximumLatenessMs) return begun
  report({ t: 'drop', i, due, at: begun })
  return undefined
}

/** A client whose access is renewed in time; each virtual user has one. */
export const createAccess = (
  assignment: Assignment,
): ((entered: Entered) => Client | Promise<Client>) => {
  const anonymous = clientOf(assignment)
  let client: Client | undefined
  let renewAt = 0
  const renew = async (refreshToken: string): Promise<Client> => {
    const renewed = await refreshAccess(anonymous, refreshToken)
    client = anonymous.with({ bearer: renewed.accessToken })
    renewAt = Date.now() + renewAfter(renewed.accessValidUntil)
    return client
  }
  return ({ accessToken, renewAfterMs, enteredAt, refreshToken, context }) => {
    if (client === undefined) {
      for (const token of [accessToken, refreshToken]) callers.know(token, context)
      client = anonymous.with({ bearer: accessToken })
      const turn = exec.vu.idInTest % renewalsInTurn
      renewAt = enteredAt + renewAfterMs + turn * spacingOf(renewAfterMs)
    }
    return Date.now() > renewAt ? renew(refreshToken) : client
  }
}

/** Follows a closed session to its end and reports it. */
export const followToEnd = async (
  client: Client,
  kind: 'onlineSession' | 'batchSession',
  session: {
    readonly session: number
    readonly ref: string
    readonly opened: number
    readonly closed: number
  },
): Promise<void> => {
  try {
    const { status, body } = await settleSession(client, { referenceNumber: session.ref }, kind)
    const count = (field: string) => Number(body[field] ?? 0)
    report({
      t: 'session',
      ...session,
      settled: Date.now(),
      status: status.code,
      invoices: count('invoiceCount'),
      succeeded: count('successfulInvoiceCount'),
      failed: count('failedInvoiceCount'),
    })
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error
    const none = { status: 0, invoices: 0, succeeded: 0, failed: 0 }
    report({ t: 'session', ...session, settled: Date.now(), ...none })
  }
}
