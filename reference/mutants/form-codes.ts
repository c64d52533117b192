import { dayOf } from '../base/identifiers.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { calls, decidedBy, refuses } from './rewrite.ts'
import { sessionOf } from './session-views.ts'
import type { Opened } from './session-views.ts'

/** Defects in which form code a session takes, and until when. */

/** A label of an earlier schema is refused, though that schema is in force. */
export const newestLabelAlone: Mutant = {
  policy: {
    formCodeLabelFits: (row, label) =>
      policy.formCodeLabelFits(row, label) && !label.endsWith('(2)'),
  },
}

/** A label means the first schema of its family. */
export const labelOfTheFamily: Mutant = {
  at: ['sessions.openOnline'],
  async call(call, next) {
    const answer = await next(call)
    const { sessions } = call.service.state
    const session = sessions.get((answer.body as Opened).referenceNumber)
    if (typeof (call.body as Fields)['formCode'] === 'string' && session !== undefined)
      sessions.put({ ...session, schema: 'fa2' })
    return answer
  },
}

/** Refuses submissions in FA(2) after a day, whenever their session was opened. */
export const takesFa2Until = (lastDay: string): Mutant =>
  refuses(
    ['invoices.submit'],
    'session-state-forbids',
    (call) => sessionOf(call)?.schema === 'fa2' && dayOf(call.now) > lastDay,
  )

/** The day is looked up once an hour: who opened a session before midnight finds the same forms in force after it. */
export const dayOfTheLastHour = (): Mutant => {
  let known = { at: 0, day: '' }
  return calls(['sessions.openOnline', 'sessions.openBatch'], (call) => {
    if (Math.abs(call.now - known.at) > 3_600_000) known = { at: call.now, day: dayOf(call.now) }
    const { day } = known
    return decidedBy(call, { schemaInForce: (schema) => policy.schemaInForce(schema, day) })
  })
}

/** What was in force when a context opened a session stays so for it. */
export const inForceOnceOpened = (): Mutant => {
  const known = new Set<string>()
  return calls(['sessions.openOnline'], (call) =>
    decidedBy(call, {
      schemaInForce(schema, day) {
        const key = JSON.stringify([call.caller?.context, schema.formCode])
        const isInForce = policy.schemaInForce(schema, day)
        if (isInForce) known.add(key)
        return isInForce || known.has(key)
      },
    }),
  )
}
