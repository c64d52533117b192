import type { RuleId } from '../../contract/rules.ts'
import type { Client } from '../../lib/client.ts'
import { fetchChallenge } from '../../lib/flows/login.ts'
import { forgeries } from '../../lib/node/forgeries.ts'
import type { Forgery } from '../../lib/node/forgery.ts'
import { transformForgeries } from '../../lib/node/transform-forgeries.ts'
import type { OwnContext } from '../support/contexts.ts'
import { rule } from '../support/rule.ts'
import { authenticate } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

const of = (id: RuleId): readonly Forgery[] =>
  [...forgeries, ...transformForgeries].filter((forgery) => forgery.rule === id)

interface Scene {
  readonly api: Client
  readonly own: OwnContext
  readonly another: () => Promise<OwnContext>
}

/** Expects of a forged document, made of fresh challenges, what it deserves. */
const expectRefusal = async (forgery: Forgery, { api, own, another }: Scene): Promise<void> => {
  const { challenge, timestamp } = await fetchChallenge(api)
  const { challenge: otherChallenge } = await fetchChallenge(api)
  const other = await another()
  const document = forgery.make({
    credentials: own.credentials,
    challenge,
    otherChallenge,
    context: { type: own.type, value: own.value },
    otherContext: { type: other.type, value: other.value },
    signingTime: timestamp - 60_000,
  })
  const fate = await authenticate(api, document)
  const taken = !('request' in fate) && fate.succeeded
  test.skip(taken && forgery.mayBeAccepted !== undefined, forgery.mayBeAccepted)
  expect(fate).toBeRejected(forgery.refusedAs)
}

for (const forgery of of('auth.xades.detached-refused'))
  test(...rule('auth.xades.detached-refused', forgery.variant), ({ api, own, another }) =>
    expectRefusal(forgery, { api, own, another }),
  )

for (const forgery of of('auth.xades.tampered-refused'))
  test(...rule('auth.xades.tampered-refused', forgery.variant), ({ api, own, another }) =>
    expectRefusal(forgery, { api, own, another }),
  )

for (const forgery of of('auth.xades.incomplete-signature-refused'))
  test(
    ...rule('auth.xades.incomplete-signature-refused', forgery.variant),
    ({ api, own, another }) => expectRefusal(forgery, { api, own, another }),
  )

for (const forgery of of('auth.xades.wrapping-refused'))
  test(...rule('auth.xades.wrapping-refused', forgery.variant), ({ api, own, another }) =>
    expectRefusal(forgery, { api, own, another }),
  )

for (const forgery of of('auth.xades.hostile-xml'))
  test(...rule('auth.xades.hostile-xml', forgery.variant), ({ api, own, another }) =>
    expectRefusal(forgery, { api, own, another }),
  )

for (const forgery of of('auth.xades.transforms-refused'))
  test(...rule('auth.xades.transforms-refused', forgery.variant), ({ api, own, another }) =>
    expectRefusal(forgery, { api, own, another }),
  )
