import fc from 'fast-check'
import { fetchChallenge } from '../../../lib/flows/login.ts'
import { command } from '../command.ts'
import { agree } from '../divergence.ts'
import type { ChallengeState, Model } from '../state.ts'
import type { World } from '../world.ts'

/** Adds a new challenge to model and world. */
export const takeChallenge = async (model: Model, world: World): Promise<ChallengeState> => {
  const given = await fetchChallenge(world.client)
  const known = [...world.handles.challenges.values()].map(({ challenge }) => challenge)
  const fresh = !known.includes(given.challenge)
  agree(world, 'auth.challenge.individual', fresh, 'a new challenge', given.challenge)
  const challenge = { givenAt: world.client.now(), spent: false }
  model.challenges.push(challenge)
  world.handles.challenges.set(challenge, given)
  return challenge
}

/** A client asks for a challenge. */
export const askChallenge = () =>
  fc.constant(
    command<true>({
      name: 'ask for a challenge',
      find: () => true,
      says: ({ challenges }) => `somebody asks for challenge ${challenges.length + 1}`,
      async act(model, world) {
        await takeChallenge(model, world)
      },
    }),
  )
