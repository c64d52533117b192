import type { Session } from '../model/documents.ts'
import { keyOf } from '../model/entities.ts'
import type { Mutant } from './mutant.ts'
import type { Opened } from './session-views.ts'

/** Interactive sessions of a context that are taken for one another because their clients chose the same key. */

const sameKey = (one: Session, other: Session): boolean =>
  one.kind === 'online' && Buffer.from(one.key).equals(other.key)

/** Initialization vectors are kept by keys: that of the newest session counts for each with its key. */
export const vectorOfTheNewest: Mutant = {
  tables: {
    sessions: {
      read(found, _key, { sessions }) {
        if (found === undefined) return found
        const alike = sessions.by('context', keyOf(found.context))
        const newest = alike.findLast((one) => sameKey(one, found))
        return newest === undefined ? found : { ...found, iv: newest.iv }
      },
    },
  },
}

/** An opening with the key and the vector of an earlier session in such a state is answered with that session. */
export const openedByItsSecret = (isMeant: (code: number) => boolean): Mutant => ({
  at: ['sessions.openOnline'],
  async call(call, next) {
    const answer = await next(call)
    const { sessions } = call.service.state
    const { referenceNumber: own, ...rest } = answer.body as Opened
    const begun = sessions.get(own)
    const earlier =
      begun &&
      sessions
        .by('context', keyOf(begun.context))
        .find(
          (one) =>
            one.referenceNumber !== own &&
            isMeant(one.status.code) &&
            sameKey(one, begun) &&
            Buffer.from(one.iv).equals(begun.iv),
        )
    const referenceNumber = earlier?.referenceNumber ?? own
    return { ...answer, body: { ...rest, referenceNumber } }
  },
})
