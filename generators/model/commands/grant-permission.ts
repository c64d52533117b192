import fc from 'fast-check'
import type { Permission } from '../../../contract/types.ts'
import { command } from '../command.ts'
import { agree } from '../divergence.ts'
import { settleAll } from '../settling.ts'
import { grantedId, operate } from './operation.ts'

const grantable = ['InvoiceWrite', 'InvoiceRead'] as const satisfies readonly Permission[]

/** The owner of the first context grants the person a permission. */
export const grantPermission = () =>
  fc.constantFrom(...grantable).map((permission) =>
    command<true>({
      name: 'grant a permission',
      find: ({ parties, grants }) =>
        parties.some(({ owner }) => !owner) &&
        !grants.some((grant) => grant.permission === permission && !grant.revoked)
          ? true
          : undefined,
      says: () => `A grants ${permission} to P`,
      async act(model, world) {
        const { visitor } = world
        if (visitor === undefined) return
        await settleAll(model, world)
        const api = await world.observer(0)
        const rule = 'permissions.grant.effective'
        await operate(world, api, rule, 'permissions.grantPerson', {
          subjectIdentifier: visitor.subject,
          permissions: [permission],
          description: 'granted by a sequence of steps',
          subjectDetails: {
            subjectDetailsType: 'PersonByIdentifier',
            personById: { firstName: 'Anna', lastName: 'Nowak' },
          },
        })
        const id = await grantedId(api, visitor.subject.value, permission)
        agree(world, rule, id !== undefined, `${permission} in the list of grants`, 'none')
        const grant = { permission, revoked: false }
        model.grants.push(grant)
        world.handles.grants.set(grant, id ?? '')
      },
    }),
  )
