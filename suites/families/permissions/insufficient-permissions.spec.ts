import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { calls, perform, readyCalls } from '../../support/scenes/calls.ts'
import type { Me } from '../../support/service/contexts.ts'
import { grantPerson } from '../../support/callers/grants.ts'
import { heldElsewhere } from '../../support/scenes/held-elsewhere.ts'
import { heldAlone, withPermission } from '../../support/coverage/matrices.ts'
import { offered } from '../../support/service/offered.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { mintToken } from '../../support/callers/service-token.ts'
import { createStage } from '../../support/callers/stage.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/**
 * What a rule of its own demands a permission for is refused to a caller with every permission that does not suffice,
 * however it holds them: one login tries them all, since each permission that is held opens what it opens alone.
 */
const rows: readonly (readonly [RuleId, readonly OperationId[]])[] = [
  ['sessions.online.needs-permission', ['sessions.openOnline', 'invoices.submit']],
  ['invoices.send.alternative', ['invoices.send']],
  ['exports.create.accepted', ['exports.create']],
  ['queries.metadata.filters', ['queries.metadata']],
]

/** The permissions, of those that a person can hold alone, that open none of these operations. */
const insufficient = (operations: readonly OperationId[]): string[] =>
  heldAlone.filter((permission) =>
    operations.every((id) => endpoint(id).permissions?.includes(permission) === false),
  )

for (const [rule, operations] of rows)
  test(
    ...familyRule(rule, 'insufficient permissions'),
    async ({ api, login, limited, another, invoice, rng, target }) => {
      const me = await login()
      const held = insufficient(operations)
      const person = personAt(me.context, rng, target)
      await grantPerson(me.api, person.subject, held)
      const { token } = await mintToken(me, held)
      const holders: Readonly<Record<string, Me>> = {
        'by test data': await limited(held),
        'by a grant': await login({ context: person.context }),
        'by a service token': await login({ token }),
      }
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      for (const operation of offered(...operations)) {
        const call = await calls[operation](stage)
        for (const [how, { api: holder }] of Object.entries(holders)) {
          // What a path names is found by a token of its owner; a person may be refused as another caller.
          if (call.path !== undefined && !how.endsWith('token')) continue
          const answer = await perform(holder, operation, { ...call, by: holder })
          expect.soft(answer, `${operation}, ${how}`).toBeRefused('missing-permission')
        }
        expect(await perform(me.api, operation, call), `${operation} by the owner`).toBeOk()
      }
    },
  )

/** The operations that some person can be permitted to call in any context, by the permissions that do not suffice. */
const byInsufficient = (operations: readonly OperationId[]): ReadonlyMap<string, OperationId[]> => {
  const groups = new Map<string, OperationId[]>()
  for (const operation of operations) {
    const held = insufficient([operation])
    if (held.length === heldAlone.length) continue
    const key = held.join(' ')
    groups.set(key, [...(groups.get(key) ?? []), operation])
  }
  return groups
}

for (const [rule, operations] of [...rows, ['permissions.matrix', withPermission]] as const)
  test(
    ...familyRule(rule, 'sufficient permissions elsewhere'),
    async ({ api, login, own, another, invoice, rng, target }) => {
      await withoutRates(target)
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const ready = await readyCalls(stage, offered(...operations))
      for (const [permissions, group] of byInsufficient([...ready.keys()])) {
        const scene = { api, login, own, another, rng, target }
        const holders = await heldElsewhere(scene, permissions.split(' '))
        for (const operation of group) {
          const call = ready.get(operation)
          // What a path names is another caller's, who may be refused for that.
          if (call === undefined || call.path !== undefined) continue
          for (const [how, { api: holder }] of Object.entries(holders)) {
            const answer = await perform(holder, operation, { ...call, by: holder })
            expect.soft(answer, `${operation}, ${how}`).toBeRefused('missing-permission')
          }
        }
      }
    },
  )
