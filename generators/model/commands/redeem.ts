import fc from 'fast-check'
import { limits } from '../../../contract/limits.ts'
import { jwtPayload } from '../../../lib/codec.ts'
import { succeeded } from '../../../lib/exchange.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { readToken } from '../../../lib/flows/login.ts'
import { command, named } from '../command.ts'
import { agree, agreeForward, agreeOk, agreeRefused } from '../divergence.ts'
import { ahead, clear, over } from '../state.ts'
import type { LoginState, Model } from '../state.ts'
import { codeOf } from '../world.ts'
import type { World } from '../world.ts'

/** The end of a token that is a JWT. */
const expiryOf = (world: World, token: string): number | undefined => {
  const { exp } = jwtPayload(world.client.codec, token) ?? {}
  return typeof exp === 'number' ? exp * 1000 : undefined
}

const takePair = (model: Model, world: World, login: LoginState, answer: Exchange): void => {
  const pair = (answer.body ?? {}) as Record<string, unknown>
  const access = readToken(pair['accessToken'])
  const refresh = readToken(pair['refreshToken'])
  const rule = 'auth.redeem.issues-pair'
  agree(world, rule, access !== undefined, 'an access token', answer.text.slice(0, 40), answer)
  agree(world, rule, refresh !== undefined, 'a refresh token', 'none', answer)
  if (access === undefined || refresh === undefined) return
  login.redeemed = true
  login.accessUntil = access.validUntil ?? expiryOf(world, access.token) ?? 0
  const stated = refresh.validUntil ?? expiryOf(world, refresh.token)
  login.refreshStated = stated !== undefined
  login.refreshUntil = stated ?? model.now + limits['refreshToken.lifetime'].value * 1000
  world.handles.tokens.set(login, { accessToken: access.token, refreshToken: refresh.token })
}

/** Looks at the authentication, then takes its tokens if the time has come, and is refused if it has not. */
export const redeemLogin = async (model: Model, world: World, login: LoginState): Promise<void> => {
  const started = world.handles.started.get(login)
  if (started === undefined) return
  const bearer = started.authenticationToken
  if (over(model, login.tokenUntil)) {
    const late = await world.client.call('auth.redeem', { bearer })
    return agreeRefused(world, 'auth.redeem.not-after-expiry', late, 'expired-authentication-token')
  }
  const path = { referenceNumber: started.referenceNumber }
  const look = agreeOk(
    world,
    'auth.status.moves-forward',
    await world.client.call('auth.status', { path, bearer }),
  )
  const code = codeOf(look) ?? 0
  agreeForward(world, 'auth.status.moves-forward', 'authentication', login.seen, code, look)
  const answer = await world.client.call('auth.redeem', { bearer })
  if (login.redeemed) return agreeRefused(world, 'auth.redeem.once', answer, 'redeem-refused')
  if (code > 200 || !login.succeeds)
    return agreeRefused(world, 'auth.status.failure-is-final', answer, 'redeem-refused')
  if (login.token?.revoked === true)
    return agreeRefused(world, 'tokens.revoke.logins', answer, 'redeem-refused')
  if (code < 200) {
    // Where time passes by itself, the authentication may have succeeded since it was looked at.
    if (world.still || !succeeded(answer))
      return agreeRefused(world, 'auth.redeem.not-before-success', answer, 'redeem-refused')
  }
  agreeOk(world, 'auth.redeem.issues-pair', answer)
  takePair(model, world, login, answer)
}

/** Exchanges an authentication for tokens: in time, too early, too late, twice. */
export const redeem = () =>
  fc.record({ login: fc.nat(15), known: fc.boolean() }).map((drawn) =>
    command<LoginState>({
      name: 'redeem',
      find: (model) =>
        model.choices.pick(
          model.logins.filter(
            ({ tokenUntil, redeemed }) => clear(model, tokenUntil) && redeemed === drawn.known,
          ),
          drawn.login,
        ),
      says: (model, login) =>
        `${login.party.name} redeems ${named('login', model.logins, login)}${
          login.redeemed
            ? ' again'
            : ahead(model, login.tokenUntil)
              ? ''
              : ' after its authentication token has expired'
        }`,
      act: redeemLogin,
    }),
  )
