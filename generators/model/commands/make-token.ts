import fc from 'fast-check'
import { expectText } from '../../../lib/outcome.ts'
import { command } from '../command.ts'
import { agreeOk, agreeRefused } from '../divergence.ts'
import { settleToken } from '../service-tokens.ts'
import type { LoginState, TokenState } from '../state.ts'
import { callerOf, nameOf, refusalOf } from './callers.ts'

/** Maximum number of tokens in a sequence. */
const maxTokens = 3

/** An owner has the service make a service token, and awaits that it can be used. */
export const makeToken = () =>
  fc.record({ place: fc.nat(15), stray: fc.boolean() }).map((drawn) =>
    command<LoginState>({
      name: 'make a service token',
      find: (model) =>
        model.tokens.length >= maxTokens
          ? undefined
          : callerOf(
              model,
              drawn,
              'InvoiceWrite',
              ({ party, token }) => party.owner && token === undefined,
            ),
      says: (model, login) => `${nameOf(model, login)} makes token ${model.tokens.length + 1}`,
      async act(model, world, login) {
        const made = await world.as(login).call('tokens.create', {
          body: {
            permissions: ['InvoiceRead', 'InvoiceWrite'],
            description: 'made by a sequence of steps',
          },
        })
        const refusal = refusalOf(model, login, 'InvoiceWrite')
        if (refusal !== undefined) return agreeRefused(world, refusal.rule, made, refusal.as)
        agreeOk(world, 'tokens.status.moves-forward', made)
        const token: TokenState = { party: login.party, revoked: false }
        model.tokens.push(token)
        const step = 'make a service token'
        world.handles.serviceTokens.set(token, {
          referenceNumber: expectText(made, step, 'referenceNumber'),
          token: expectText(made, step, 'token'),
          seen: [],
        })
        await settleToken(world, token, 'Active')
      },
    }),
  )
