import fc from 'fast-check'
import { succeeded } from '../../../lib/exchange.ts'
import {
  fetchChallenge,
  readStarted,
  settleAuthentication,
  tokenLoginBody,
} from '../../../lib/flows/login.ts'
import { command, named } from '../command.ts'
import { agreeOk, agreeRefused, agreeRejected } from '../divergence.ts'
import { settleLogin } from '../settling.ts'
import type { TokenState } from '../state.ts'
import { beginLogin } from './authenticate.ts'
import { redeemLogin } from './redeem.ts'

/** Logs in by a service token; a revoked token is refused. */
export const logInByToken = () =>
  fc.nat(7).map((drawn) =>
    command<TokenState>({
      name: 'log in by a service token',
      find: (model) => model.choices.pick(model.tokens, drawn),
      says: ({ tokens, logins }, token) =>
        `${token.party.name} logs in by ${named('token', tokens, token)}${
          token.revoked ? ', which was revoked' : ` (login ${logins.length + 1})`
        }`,
      async act(model, world, token) {
        const { client } = world
        const context = world.actorOf(token.party)
        const known = world.handles.serviceTokens.get(token)?.token ?? ''
        const login = { context, token: known, keys: await world.keys() }
        const body = await tokenLoginBody(client, login, await fetchChallenge(client))
        const answer = await client.call('auth.token', { body })
        if (token.revoked) {
          const rule = 'auth.token.unusable-refused'
          if (!succeeded(answer)) return agreeRefused(world, rule, answer, 'token-refused')
          const started = readStarted(answer, 'authenticate by service token')
          const { status } = await settleAuthentication(client, started)
          return agreeRejected(world, rule, status, ['token-refused'], answer)
        }
        agreeOk(world, 'auth.token.accepted', answer)
        const about = { party: token.party, token, succeeds: true }
        const begun = beginLogin(model, world, answer, about)
        await settleLogin(model, world, begun)
        await redeemLogin(model, world, begun)
      },
    }),
  )
