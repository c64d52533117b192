import fc from 'fast-check'
import { command, named, pick } from '../command.ts'
import { agreeOk } from '../divergence.ts'
import { ahead, usable } from '../state.ts'
import type { LoginState } from '../state.ts'

/** Ends a login session: its refresh token is of no more use. */
export const endLogin = () =>
  fc.nat(15).map((drawn) =>
    command<LoginState>({
      name: 'end a login',
      find: (model) =>
        pick(
          usable(model).filter(({ refreshUntil }) => ahead(model, refreshUntil)),
          drawn,
        ),
      says: ({ logins }, login) => `${login.party.name} ends ${named('login', logins, login)}`,
      async act(_model, world, login) {
        const bearer = world.handles.tokens.get(login)?.refreshToken ?? ''
        const answer = await world.client.call('auth.revokeCurrent', { bearer })
        agreeOk(world, 'auth.status.failure-is-final', answer)
        login.revoked = true
      },
    }),
  )
