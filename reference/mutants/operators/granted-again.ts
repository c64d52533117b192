import type { Grant } from '../../model/entities.ts'
import type { State } from '../../model/state.ts'
import { keyOf } from '../../model/entities.ts'
import { isSameHolder, grantKinds, written } from './held-grants.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** A permission that was revoked and is granted again is taken for the first one. */

/** The revoked permission that a new one repeats. */
const former = ({ grants }: State, grant: Grant): Grant | undefined =>
  grants
    .by('context', keyOf(grant.context))
    .find(
      (other) =>
        other.revokedAt !== undefined &&
        other.kind === grant.kind &&
        other.permission === grant.permission &&
        isSameHolder(other, grant),
    )

/** What a service keeps of the first permission. */
const kept: Readonly<Record<string, (first: Grant) => Partial<Grant>>> = {
  description: ({ description }) => ({ description }),
  start: ({ startsAt }) => ({ startsAt }),
}

/** Every kind of permission, granted again with the description or the start of the first. */
export const takenForTheFirst = (): Generated[] =>
  Object.entries(grantKinds).flatMap(([kind, which]) =>
    Object.entries(kept).map(([what, keep]) =>
      generated(
        'granted-again',
        `${kind}.${what}`,
        ['permissions.query.described'],
        written((next, before, state) => {
          const first = before === undefined && which(next) ? former(state, next) : undefined
          return first === undefined ? next : { ...next, ...keep(first) }
        }),
      ),
    ),
  )
