import fc from 'fast-check'
import { readStarted, settleAuthentication } from '../../../lib/flows/login.ts'
import { succeeded } from '../../../lib/exchange.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { command, named } from '../command.ts'
import { agree, agreeOk, agreeRefused, agreeRejected } from '../divergence.ts'
import { settleLogin } from '../settling.ts'
import { challengeEnd, clear, holdsAny, lackRule, over } from '../state.ts'
import type { ChallengeState, LoginState, Model, Party } from '../state.ts'
import type { World } from '../world.ts'
import { takeChallenge } from './ask-challenge.ts'
import { redeemLogin } from './redeem.ts'

const minute = 60_000

/** Adds an accepted authentication to model and world. */
export const beginLogin = (
  model: Model,
  world: World,
  answer: Exchange,
  about: Pick<LoginState, 'party' | 'token' | 'succeeds'>,
): LoginState => {
  const started = readStarted(expectOk(answer, 'authenticate'), 'authenticate')
  const end = Date.parse(started.validUntil ?? '')
  const login: LoginState = {
    ...about,
    startedAt: model.now,
    tokenUntil: Number.isNaN(end) ? model.now : end,
    seen: [],
    redeemed: false,
    revoked: false,
    accessUntil: 0,
    refreshUntil: 0,
    refreshStated: true,
  }
  model.logins.push(login)
  world.handles.started.set(login, started)
  return login
}

/** The signed document is sent; what comes of it is compared as far as it is known at once. */
export const sendDocument = async (
  model: Model,
  world: World,
  challenge: ChallengeState,
  party: Party,
): Promise<LoginState | undefined> => {
  const given = world.handles.challenges.get(challenge)
  const document = await world.actorOf(party).document(given?.challenge ?? '')
  const answer = await world.client.call('auth.xades', { body: document })
  if (challenge.spent || over(model, challengeEnd(challenge))) {
    const rule = challenge.spent ? 'auth.challenge.single-use' : 'auth.challenge.ten-minutes'
    if (!succeeded(answer)) agreeRefused(world, rule, answer, 'challenge-invalid')
    else {
      const { status } = await settleAuthentication(
        world.client,
        readStarted(answer, 'authenticate'),
      )
      agreeRejected(world, rule, status, ['challenge-invalid'], answer)
    }
    return undefined
  }
  const old = model.now - challenge.givenAt > minute
  agreeOk(world, old ? 'auth.challenge.ten-minutes' : 'auth.xades.accepted', answer)
  challenge.spent = true
  const login = beginLogin(model, world, answer, { party, succeeds: holdsAny(model, party) })
  // Whether a person is admitted depends on grants that other steps change, so the outcome is awaited here.
  if (!party.owner) await awaitPerson(model, world, login)
  return login
}

const awaitPerson = async (model: Model, world: World, login: LoginState): Promise<void> => {
  await settleLogin(model, world, login)
  if (login.succeeds) return
  const ended = login.seen.at(-1) ?? 0
  const rejected = ended >= 400
  agree(world, lackRule(model), rejected, 'no way in without a permission', `state ${ended}`)
}

interface Found {
  /** Undefined: a new one is asked for first. */
  readonly challenge: ChallengeState | undefined
  readonly party: Party
}

/** Whether a party does not await its authentication; a new challenge leaves its draw unused for this. */
const hasty = (drawn: { readonly known: boolean; readonly challenge: number }): boolean =>
  !drawn.known && drawn.challenge % 3 === 0

/** A party authenticates: with a new challenge, or with any that was given before, spent and expired ones too. */
export const authenticate = () =>
  fc.record({ challenge: fc.nat(15), party: fc.nat(15), known: fc.boolean() }).map((drawn) =>
    command<Found>({
      name: 'authenticate',
      find(model) {
        const usable = model.challenges.filter((one) => clear(model, challengeEnd(one)))
        const challenge = drawn.known ? model.choices.pick(usable, drawn.challenge) : undefined
        const party = model.choices.pick(model.parties, drawn.party)
        return party === undefined ? undefined : { challenge, party }
      },
      says: ({ challenges, logins }, { challenge, party }) =>
        `${party.name} authenticates with ${
          challenge === undefined
            ? `a new challenge (challenge ${challenges.length + 1})`
            : named('challenge', challenges, challenge)
        } (login ${logins.length + 1})${hasty(drawn) ? ' and redeems immediately' : ''}`,
      async act(model, world, { challenge, party }) {
        const taken = challenge ?? (await takeChallenge(model, world))
        const login = await sendDocument(model, world, taken, party)
        if (login !== undefined && hasty(drawn)) await redeemLogin(model, world, login)
      },
    }),
  )
