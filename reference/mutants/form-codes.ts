import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import type { Opened } from './session-views.ts'

/** Defects in reading the form code of a session from its label. */

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
