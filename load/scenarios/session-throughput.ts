import { readJson } from '../../lib/client.ts'
import type { Client } from '../../lib/client.ts'
import { readError } from '../../lib/errors.ts'
import { closeOnline } from '../../lib/flows/session.ts'
import { expectText } from '../../lib/outcome.ts'
import { callRequest } from '../../lib/request.ts'
import { after } from '../after.ts'
import type { OnlineAssignment, Reach } from '../assignment.ts'
import { openCorpus } from '../corpus-file.ts'
import type { OpenCorpusFile } from '../corpus-file.ts'
import { report } from '../report.ts'
import { scheduled } from '../scenario.ts'
import type { Scenario } from '../scenario.ts'
import { segmentOfSession } from '../segment.ts'
import {
  beginOnTime,
  createAccess,
  createNumberOfIteration,
  createScheduleStart,
  enter,
  followToEnd,
  reportReady,
  waitForAccess,
} from '../sessions.ts'
import type { Entered } from '../sessions.ts'
import type { CallLine } from '../trace/line.ts'
import { lower, repeat } from '../transport.ts'

/**
 * Invoices into interactive sessions side by side. Each has its own moment in a schedule that does not wait for the
 * service; then the sessions are closed and followed to their ends.
 */

interface Opened extends Entered {
  /** Place of a session -> its reference number; only those of this process. */
  readonly sessions: Readonly<Record<string, string>>
}

const operation = 'invoices.submit'

/** One field of an answer. Reading all of it by its schema costs k6 more than parsing it. */
const textField = (body: string | null, name: string): string | undefined => {
  try {
    const fields: unknown = JSON.parse(body ?? '')
    const value: unknown = Object(fields)[name]
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

type Outcome = Pick<CallLine, 'ended' | 'status' | 'code' | 'ref'>

/** Submits prepared bodies to one session. */
const createSubmitter = (client: Client, referenceNumber: string, reach: Reach) => {
  const { dialect, identity } = client
  const call = { path: { referenceNumber }, body: '', media: 'application/json' }
  const send = repeat(callRequest(client, identity, operation, call), reach)
  const nameOnWire = dialect.fields['referenceNumber'] ?? 'referenceNumber'
  return (document: ArrayBuffer): Outcome => {
    const answer = send(document)
    const ended = Date.now()
    const { status } = answer
    if (status === 0) return { ended, status }
    if (status < 300) return { ended, status, ref: textField(answer.body, nameOnWire) }
    const body = readJson(answer.body ?? '', status, operation, dialect)
    const error = readError({ status, headers: lower(answer.headers), body }, dialect)
    return { ended, status, code: error?.code }
  }
}

/** One submitter for each session, created anew after each login. */
const createSubmitters = (reach: Reach) => {
  let client: Client | undefined
  let bySession = new Map<string, ReturnType<typeof createSubmitter>>()
  return (current: Client, referenceNumber: string) => {
    if (client !== current) bySession = new Map()
    client = current
    const submitter =
      bySession.get(referenceNumber) ?? createSubmitter(client, referenceNumber, reach)
    bySession.set(referenceNumber, submitter)
    return submitter
  }
}

export const sessionThroughput = (
  assignment: OnlineAssignment,
  openFile: OpenCorpusFile,
): Scenario<Opened> => {
  const pieceOf = openCorpus(openFile, assignment.index, assignment.bodies)
  const access = createAccess(assignment)
  const submitterTo = createSubmitters(assignment)
  const scheduleStart = createScheduleStart(assignment)
  const numberOfIteration = createNumberOfIteration()

  return {
    executor: scheduled(assignment),
    abortOn: assignment.abortOn,

    async setup(): Promise<Opened> {
      const entered = await enter(assignment)
      const client = await access(entered)
      const { index, count } = entered.segment
      const sessions: Record<string, string> = {}
      for (const [session, body] of assignment.opens.entries())
        if (segmentOfSession(session, count) === index)
          sessions[session] = expectText(
            await client.call('sessions.openOnline', { body }),
            'open a session',
            'referenceNumber',
          )
      reportReady(assignment, entered.segment)
      return { ...entered, sessions }
    },

    iteration: (opened) => {
      const i = numberOfIteration()
      return after(pieceOf(i), ({ due: offset, session, body }) => {
        const due = scheduleStart() + offset
        waitForAccess(due)
        return after(access(opened), (client) => {
          const referenceNumber = opened.sessions[session]
          if (referenceNumber === undefined)
            throw new Error(`k6 gave iteration ${i} to a process that did not open its session`)
          const submit = submitterTo(client, referenceNumber)
          const begun = beginOnTime(i, due)
          if (begun === undefined) return
          const { ended, status, code, ref } = submit(body)
          report({ t: 'call', op: operation, i, due, begun, session, ended, status, code, ref })
        })
      })
    },

    async teardown(opened: Opened): Promise<void> {
      const client = await access(opened)
      for (const [session, ref] of Object.entries(opened.sessions)) {
        await closeOnline(client, { referenceNumber: ref })
        const times = { opened: opened.enteredAt, closed: Date.now() }
        await followToEnd(client, 'onlineSession', { session: Number(session), ref, ...times })
      }
    },
  }
}
