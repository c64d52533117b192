import type { RuleId, VariantText } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import { fetchChallenge } from '../../../lib/flows/login.ts'
import type { Context } from '../../../lib/flows/login.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import type { Forgery } from '../../../lib/node/forgery.ts'
import { drawRace } from '../steps/at-once.ts'
import type { OwnContext } from '../service/contexts.ts'
import { ifOffered } from '../run/not-offered.ts'
import { authenticate } from '../steps/steps.ts'
import { expect, test } from '../harness/test.ts'

/** The forgeries of a rule; a test asserts that each names a variant that its rule declares. */
export const forgeriesOf = <Id extends RuleId>(forgeries: readonly Forgery[], id: Id) =>
  forgeries.filter(
    (forgery): forgery is Forgery & { readonly variant: VariantText<Id> } => forgery.rule === id,
  )

interface Scene {
  readonly api: Client
  readonly own: OwnContext
  readonly another: () => Promise<OwnContext>
}

/**
 * The context that a forger wants to enter: that of another caller or, where the target offers none, one of nobody that
 * the run knows. A forged document is refused for its signature, whoever is behind the context.
 */
const otherContext = async (
  { rule, variant }: Forgery,
  another: Scene['another'],
): Promise<Context> => {
  const { type, value } = (await ifOffered(another)) ?? {
    type: 'Nip',
    value: drawNip(drawRace(rule, variant)),
  }
  return { type, value }
}

/** Expects that a forged document, made with fresh challenges, is refused as its row states. */
export const expectRefusal = async (
  forgery: Forgery,
  { api, own, another }: Scene,
): Promise<void> => {
  const { challenge, timestamp } = await fetchChallenge(api)
  const { challenge: otherChallenge } = await fetchChallenge(api)
  const document = forgery.make({
    credentials: own.credentials,
    challenge,
    otherChallenge,
    context: { type: own.type, value: own.value },
    otherContext: await otherContext(forgery, another),
    signingTime: timestamp - 60_000,
  })
  const outcome = await authenticate(api, document)
  const taken = !('request' in outcome) && outcome.succeeded
  test.skip(taken && forgery.mayBeAccepted !== undefined, forgery.mayBeAccepted)
  expect(outcome).toBeRejected(forgery.refusedAs)
}
