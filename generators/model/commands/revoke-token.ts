import fc from 'fast-check'
import { command, named } from '../command.ts'
import { agreeOk } from '../divergence.ts'
import { lookAtToken, settleToken } from '../service-tokens.ts'
import { settleAll } from '../settling.ts'
import type { TokenState } from '../state.ts'

/** The owner revokes a service token; revoking it again changes nothing, whatever the answer. */
export const revokeToken = () =>
  fc.nat(7).map((drawn) =>
    command<TokenState>({
      name: 'revoke a service token',
      find: (model) => model.choices.pick(model.tokens, drawn),
      says: ({ tokens }, token) =>
        `${token.party.name} revokes ${named('token', tokens, token)}${token.revoked ? ' again' : ''}`,
      async act(model, world, token) {
        // A pending login could end either way.
        await settleAll(model, world)
        const observer = await world.observer(token.party.context)
        const handle = world.handles.serviceTokens.get(token)
        const path = { referenceNumber: handle?.referenceNumber ?? '' }
        const answer = await observer.call('tokens.revoke', { path })
        if (token.revoked) return void (await lookAtToken(world, token))
        agreeOk(world, 'tokens.revoke.rights', answer)
        token.revoked = true
        await settleToken(world, token, 'Revoked')
      },
    }),
  )
