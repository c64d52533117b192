import fc from 'fast-check'
import { succeeded } from '../../../lib/exchange.ts'
import { readToken } from '../../../lib/flows/login.ts'
import { command, named } from '../command.ts'
import { agree, agreeOk, agreeRefused } from '../divergence.ts'
import { clear, holdsAny, over } from '../state.ts'
import type { LoginState } from '../state.ts'

/** Takes a new access token, or is refused: after seven days, and after the login was ended. */
export const refresh = () =>
  fc.record({ place: fc.nat(15), over: fc.integer({ min: 0, max: 3 }) }).map((drawn) =>
    command<LoginState>({
      name: 'refresh',
      find(model) {
        const known = model.logins.filter(
          ({ redeemed, refreshUntil, party }) =>
            redeemed && clear(model, refreshUntil) && holdsAny(model, party),
        )
        const ended = known.filter(({ revoked, token }) => revoked || token?.revoked === true)
        return model.choices.pick(drawn.over === 3 && ended.length > 0 ? ended : known, drawn.place)
      },
      says: ({ logins }, login) => `${login.party.name} refreshes ${named('login', logins, login)}`,
      async act(model, world, login) {
        const tokens = world.handles.tokens.get(login)
        if (tokens === undefined) return
        const answer = await world.client.call('auth.refresh', { bearer: tokens.refreshToken })
        if (login.revoked)
          return agreeRefused(world, 'auth.sessions.ended', answer, 'refresh-refused')
        if (over(model, login.refreshUntil))
          return agreeRefused(world, 'auth.refresh.seven-days', answer, 'refresh-refused')
        if (login.token?.revoked === true)
          return agreeRefused(world, 'tokens.revoke.logins', answer, 'refresh-refused')
        if (!login.refreshStated && !succeeded(answer)) return
        const rule = 'auth.refresh.repeatable'
        agreeOk(world, rule, answer)
        const { accessToken } = (answer.body ?? {}) as { accessToken?: unknown }
        const access = readToken(accessToken)
        agree(world, rule, access !== undefined, 'an access token', 'none', answer)
        if (access === undefined) return
        tokens.accessToken = access.token
        if (access.validUntil !== undefined) login.accessUntil = access.validUntil
      },
    }),
  )
