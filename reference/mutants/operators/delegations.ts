import type { Grant } from '../../model/entities.ts'
import { keyOf, nipOf } from '../../model/entities.ts'
import type { State } from '../../model/state.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** What an intermediary passes on reaches other contexts than it should. */

const isDelegable = ({ kind, canDelegate, revokedAt }: Grant): boolean =>
  kind === 'entity' && canDelegate === true && revokedAt === undefined

/** What is found in a context, and more. */
const foundToo = (
  more: (found: readonly Grant[], all: () => Grant[]) => readonly Grant[],
): Mutant => ({
  tables: {
    grants: {
      find: (found, index, _value, table) =>
        index === 'context' ? [...found, ...more(found, () => [...table.values()])] : found,
    },
  },
})

const written = (write: (next: Grant, state: State) => Grant | undefined): Mutant => ({
  tables: {
    grants: {
      write: (next, before, state) => (before === undefined ? write(next, state) : next),
    },
  },
})

const isGeneral = ({ kind, target }: Grant): boolean =>
  kind === 'indirect' && target?.value === undefined

const ways: Readonly<Record<string, Mutant>> = {
  'for-every-client.reaches-the-first': written((next, { grants }) => {
    if (!isGeneral(next)) return next
    const first = grants.by('subject', keyOf(next.grantedIn)).find(isDelegable)
    return first === undefined ? next : { ...next, target: first.context }
  }),
  'for-every-client.reaches-those-that-are-known': {
    tables: {
      grants: {
        find: (found, index, _value, table) =>
          index === 'context'
            ? found.map((grant) =>
                isDelegable(grant) &&
                [...table.values()].some(
                  (one) =>
                    isGeneral(one) &&
                    nipOf(one.grantedIn) === grant.subject.value &&
                    one.startsAt < grant.startsAt,
                )
                  ? { ...grant, canDelegate: false }
                  : grant,
              )
            : found,
      },
    },
  },
  'for-a-unit.reaches-the-client': {
    policy: {
      passedOnTo: (target, context) => target === undefined || nipOf({ value: target }) === context,
    },
  },
  'for-a-client.reaches-its-units': {
    policy: {
      passedOnTo: (target, context) =>
        target === undefined || target === nipOf({ value: context }) || target === context,
    },
  },
  'of-employees.reaches-clients': foundToo((found, all) =>
    found.filter(isDelegable).flatMap(({ context, subject }) =>
      all()
        .filter((one) => one.kind === 'person' && nipOf(one.context) === subject.value)
        .map((one) => ({ ...one, context })),
    ),
  ),
  'of-an-authorization.reaches-the-client': {
    tables: {
      grants: {
        find: (found, index) =>
          index === 'context'
            ? found.map((grant) =>
                grant.kind === 'authorization'
                  ? { ...grant, kind: 'entity', permission: 'InvoiceRead', canDelegate: true }
                  : grant,
              )
            : found,
      },
    },
  },
  'delegable-after-all.is-lost': written((next, { grants }) =>
    grants
      .by('context', keyOf(next.context))
      .some(
        ({ kind, subject, permission, revokedAt }) =>
          kind === 'entity' &&
          next.kind === kind &&
          next.permission === permission &&
          keyOf(next.subject) === keyOf(subject) &&
          revokedAt === undefined,
      )
      ? undefined
      : next,
  ),
}

/** Every way in which a delegation reaches too little or too much. */
export const wrongDelegations = (): Generated[] =>
  Object.entries(ways).map(([way, mutant]) =>
    generated('delegation', way, ['permissions.grant.effective'], mutant),
  )
