import type { AnyCall } from '../call/call.ts'
import type { Grant } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import type { State } from '../model/state.ts'
import type { Mutant } from './mutant.ts'
import { answers } from './rewrite.ts'

/** What permissions that are granted as test data depend on, and should not. */

interface GrantRequest {
  readonly authorizedIdentifier: Grant['subject']
  readonly permissions: readonly { readonly permissionType: Grant['permission'] }[]
}

/** What is in force of earlier test grants to somebody. */
const heldBy = ({ service }: AnyCall, subject: Grant['subject']): readonly Grant[] =>
  service.state.grants
    .by('subject', keyOf(subject))
    .filter(({ kind, revokedAt }) => kind === 'testdata' && revokedAt === undefined)

/** A request that asks for what is held already is done. */
export const doneWhereHeld: Mutant = {
  at: ['testdata.grant'],
  call(call, next) {
    const { authorizedIdentifier, permissions } = call.body as GrantRequest
    const held = new Set(heldBy(call, authorizedIdentifier).map(({ permission }) => permission))
    return permissions.some(({ permissionType }) => held.has(permissionType)) ? {} : next(call)
  },
}

/** What a request grants replaces what was granted before. */
export const replacesTheHeld: Mutant = answers(['testdata.grant'], (answer, call) => {
  const { authorizedIdentifier, permissions } = call.body as GrantRequest
  for (const grant of heldBy(call, authorizedIdentifier))
    if (permissions.every(({ permissionType }) => permissionType !== grant.permission))
      call.service.state.grants.put({ ...grant, revokedAt: call.now })
  return answer
})

/** Entities that were removed get nothing, though they are there again. */
export const notToTheRemoved = (entity: 'subjects' | 'persons'): Mutant => {
  const removed = new Set<string>()
  return {
    tables: {
      [entity]: {
        remove(nip: string, { persons }: State) {
          removed.add(nip)
          if (entity === 'persons') removed.add(persons.get(nip)?.pesel ?? '')
          return true
        },
      },
      grants: {
        write: (next) =>
          next.kind === 'testdata' && removed.has(next.subject.value) ? undefined : next,
      },
    },
  }
}
