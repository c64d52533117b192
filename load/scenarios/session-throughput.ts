import { sleep } from 'k6'
import exec from 'k6/execution'
import { readError } from '../../lib/errors.ts'
import { closeOnline } from '../../lib/flows/session.ts'
import { expectText } from '../../lib/outcome.ts'
import { maximumLatenessMs } from '../assignment.ts'
import type { OnlineAssignment } from '../assignment.ts'
import { openCorpus } from '../corpus-file.ts'
import { report } from '../report.ts'
import { scheduled } from '../scenario.ts'
import type { Scenario } from '../scenario.ts'
import { segmentOfSession } from '../segment.ts'
import { createAccess, enter, followToEnd, scheduleStart } from '../sessions.ts'
import type { Entered } from '../sessions.ts'
import type { CallLine } from '../trace/line.ts'

/**
 * Invoices into interactive sessions side by side. Each has its own moment in a schedule that does not wait for the
 * service; then the sessions are closed and followed to their ends.
 */

interface Opened extends Entered {
  /** Place of a session -> its reference number; only those of this process. */
  readonly sessions: Readonly<Record<string, string>>
}

const referenceIn = (body: unknown): string | undefined => {
  const { referenceNumber } = (body ?? {}) as { referenceNumber?: unknown }
  return typeof referenceNumber === 'string' ? referenceNumber : undefined
}

export const sessionThroughput = (assignment: OnlineAssignment): Scenario<Opened> => {
  const pieceOf = openCorpus(assignment.index, assignment.bodies)
  const access = createAccess(assignment)

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
      return { ...entered, sessions }
    },

    async iteration(opened: Opened): Promise<void> {
      const i = exec.scenario.iterationInTest
      const { due: offset, session, body: bodyOf } = await pieceOf(i)
      const referenceNumber = opened.sessions[session]
      if (referenceNumber === undefined)
        throw new Error(`k6 gave iteration ${i} to a process that did not open its session`)
      const client = await access(opened)
      const body = await bodyOf()
      const due = scheduleStart(assignment) + offset
      const wait = due - Date.now()
      if (wait > 0) sleep(wait / 1000)
      const begun = Date.now()
      if (begun - due > maximumLatenessMs) {
        report({ t: 'drop', i, due, at: begun })
        return
      }
      const line = { t: 'call', op: 'invoices.submit', i, due, begun, session } as const
      try {
        const exchange = await client.call('invoices.submit', {
          path: { referenceNumber },
          body,
          media: 'application/json',
        })
        const ended = Date.now()
        const { status } = exchange
        const code = status < 300 ? undefined : readError(exchange, client.dialect)?.code
        const ref = status < 300 ? referenceIn(exchange.body) : undefined
        const answered: CallLine = {
          ...line,
          ended,
          status,
          ...(code === undefined ? {} : { code }),
          ...(ref === undefined ? {} : { ref }),
        }
        report(answered)
      } catch {
        report({ ...line, ended: Date.now(), status: 0 })
      }
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
