import fc from 'fast-check'
import { command } from '../command.ts'
import { agree } from '../divergence.ts'
import { settleAll } from '../settling.ts'
import type { GrantState } from '../state.ts'
import { awaitOperation, grantedId } from './operation.ts'

/** The owner of the first context revokes a permission, once the invoices sent under it are processed. */
export const revokePermission = () =>
  fc.nat(7).map((drawn) =>
    command<GrantState>({
      name: 'revoke a permission',
      find: (model) =>
        model.choices.pick(
          model.grants.filter(({ revoked }) => !revoked),
          drawn,
        ),
      says: (_model, { permission }) => `A revokes ${permission} from P`,
      async act(model, world, grant) {
        await settleAll(model, world)
        const api = await world.observer(0)
        const permissionId = world.handles.grants.get(grant) ?? ''
        const rule = 'permissions.revoke.effective'
        const started = await api.call('permissions.revoke', { path: { permissionId } })
        await awaitOperation(world, api, rule, started)
        grant.revoked = true
        const left = await grantedId(api, world.visitor?.subject.value ?? '', grant.permission)
        agree(world, rule, left === undefined, `${grant.permission} no longer in the list`, left)
      },
    }),
  )
