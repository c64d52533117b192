import { sleep } from 'k6'
import encoding from 'k6/encoding'
import type { Client } from '../lib/client.ts'
import type { Exchange } from '../lib/exchange.ts'
import { callUpload } from '../lib/flows/batch.ts'
import { refreshAccess } from '../lib/flows/login.ts'
import { parseRetryAfter } from '../lib/retry-after.ts'
import type { AssignedLogin, ProbeAssignment } from './assignment.ts'
import type { Answer, Bench, ProbeCall } from './probes/bench.ts'
import { countLimited } from './probes/bench.ts'
import { report } from './report.ts'
import { callers, clientOf, send } from './transport.ts'

/** The clock of a target. */
interface TargetClock {
  now(): number
  until(instant: number): Promise<void>
}

const realClock = (offsetMs: number): TargetClock => {
  const now = () => Date.now() + offsetMs
  return {
    now,
    until(instant) {
      const wait = instant - now()
      if (wait > 0) sleep(wait / 1000)
      return Promise.resolve()
    },
  }
}

/** A clock that stands still unless the management port sets it. */
const movedClock = (management: string, start: number): TargetClock => {
  let shown = start
  return {
    now: () => shown,
    async until(instant) {
      if (instant <= shown) return
      const to = Math.ceil(instant)
      const { status } = await send({
        method: 'PUT',
        url: `${management.replace(/\/$/, '')}/clock`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ set: new Date(to).toISOString() }),
      })
      if (status !== 200)
        throw new Error(`the management port refused to move the clock with ${status}`)
      shown = to
    },
  }
}

/** Access tokens live for at least eleven minutes. */
const renewAfterMs = 5 * 60_000

const secondsOf = ({ headers }: Exchange): number | undefined => {
  const header = parseRetryAfter(headers['retry-after'])
  return header.kind === 'seconds' ? header.seconds : undefined
}

/** The target's clock, as all jobs of one lane share it. */
export const clockOf = ({ clock }: ProbeAssignment): TargetClock =>
  'management' in clock ? movedClock(clock.management, clock.start) : realClock(clock.offsetMs)

/** Runs probes against a target, for one context. */
export const createBench = (
  assignment: ProbeAssignment,
  clock: TargetClock,
  { refreshToken, context }: AssignedLogin,
): Bench => {
  callers.know(refreshToken, context)
  const anonymous = clientOf(assignment)
  let client = anonymous
  let renewAt = 0

  const call = (made: ProbeCall, by: Client): Promise<Exchange> =>
    'upload' in made
      ? callUpload(by, made.upload, new Uint8Array(encoding.b64decode(made.base64)))
      : by.call(made.operation, {
          ...(made.path === undefined ? {} : { path: made.path }),
          ...(made.query === undefined ? {} : { query: made.query }),
          ...(made.body === undefined ? {} : { body: made.body }),
        })
  const answerTo = async (made: ProbeCall): Promise<Answer> => {
    const begun = clock.now()
    try {
      const exchange = await call(made, client)
      const retryAfter = secondsOf(exchange)
      return { begun, ended: clock.now(), status: exchange.status, retryAfter }
    } catch {
      return { begun, ended: clock.now(), status: 0, retryAfter: undefined }
    }
  }
  return {
    virtual: 'management' in assignment.clock,
    now: () => clock.now(),
    until: (instant) => clock.until(instant),
    async burst(made, count) {
      if (clock.now() >= renewAt) {
        const { accessToken } = await refreshAccess(anonymous, refreshToken)
        client = anonymous.with({ bearer: accessToken })
        renewAt = clock.now() + renewAfterMs
      }
      const answers = await Promise.all(Array.from({ length: count }, () => answerTo(made)))
      const limited = countLimited(answers)
      const unanswered = answers.filter(({ status }) => status === 0).length
      report({
        t: 'burst',
        row: 'upload' in made ? 'unlimited' : made.operation,
        begun: Math.min(...answers.map(({ begun }) => begun)),
        ended: Math.max(...answers.map(({ ended }) => ended)),
        passed: count - limited - unanswered,
        limited,
        unanswered,
      })
      return answers
    },
  }
}
