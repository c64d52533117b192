import fc from 'fast-check'
import { command, named } from '../command.ts'
import { agree, agreeOk } from '../divergence.ts'
import { ahead, clear, usable } from '../state.ts'
import type { LoginState, Model, Party } from '../state.ts'
import type { World } from '../world.ts'

const rule = 'auth.sessions.ended'

/** The list of logins holds those of the party that are still active, and none that was ended. */
const compareList = async (model: Model, world: World, party: Party): Promise<void> => {
  const observer = await world.observer(party.context)
  const list = await observer.call('auth.sessions', { query: { pageSize: 100 } })
  const { items = [], continuationToken } = (agreeOk(world, rule, list).body ?? {}) as {
    items?: readonly { readonly referenceNumber: string }[]
    continuationToken?: unknown
  }
  const listed = new Set(items.map(({ referenceNumber }) => referenceNumber))
  for (const one of model.logins) {
    const reference = world.handles.started.get(one)?.referenceNumber ?? ''
    if (one.party !== party || !one.redeemed || !clear(model, one.refreshUntil)) continue
    const runs = !one.revoked && ahead(model, one.refreshUntil)
    // The contract does not say whether a login outlives its service token; further pages may list the login.
    if (runs && (one.token?.revoked === true || typeof continuationToken === 'string')) continue
    const name = named('login', model.logins, one)
    const wanted = runs ? `${name} in the list` : `${name}, which is over, no more in the list`
    agree(world, rule, listed.has(reference) === runs, wanted, 'the contrary', list)
  }
}

/** Ends a login session: its refresh token is of no more use, and nothing else ends with it. */
export const endLogin = () =>
  fc.nat(15).map((drawn) =>
    command<LoginState>({
      name: 'end a login',
      find: (model) =>
        model.choices.pick(
          usable(model).filter(({ refreshUntil }) => ahead(model, refreshUntil)),
          drawn,
        ),
      says: ({ logins }, login) => `${login.party.name} ends ${named('login', logins, login)}`,
      async act(model, world, login) {
        const bearer = world.handles.tokens.get(login)?.refreshToken ?? ''
        const answer = await world.client.call('auth.revokeCurrent', { bearer })
        agreeOk(world, rule, answer)
        login.revoked = true
        if (ahead(model, login.accessUntil)) {
          const lives = await world.as(login).call('auth.sessions', { query: { pageSize: 100 } })
          agreeOk(world, rule, lives)
        }
        if (login.party.owner) await compareList(model, world, login.party)
      },
    }),
  )
