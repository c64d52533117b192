import { createHash } from 'node:crypto'
import type { RefusalId } from '../../../contract/errors.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import { encryptFor } from '../../../lib/flows/keys.ts'
import { fetchChallenge } from '../../../lib/flows/login.ts'
import type { Context } from '../../../lib/flows/login.ts'
import { freshKey, sealSubject } from '../../../lib/node/pki.ts'
import { obtainCertificate, revokeCertificate } from '../../support/callers/enrolment.ts'
import type { Fixtures as All } from '../../support/harness/fixtures.ts'
import { expectReason } from '../../support/steps/reasons.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { ownCertificate } from '../../support/steps/seals.ts'
import { contextBeside, mintToken, revokeToken } from '../../support/callers/service-token.ts'
import type { ServiceToken } from '../../support/callers/service-token.ts'
import { authenticateAs, outcomeOfAuthentication, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Every way in which a sign-in fails after the service has taken it in: the status says why. */

type Fixtures = Pick<All, 'api' | 'own' | 'login' | 'another' | 'target' | 'serviceToken'>

type Outcome = Awaited<ReturnType<typeof authenticateAs>>

const rule: RuleId = 'auth.status.failure-is-final'
const hour = 3_600_000

const dated =
  (notBefore: number, notAfter: number) =>
  ({ api, own, target }: Fixtures) => {
    const credentials = ownCertificate(target, {
      subject: sealSubject(own.nip),
      notBefore,
      notAfter,
    })
    return authenticateAs(api, own, { credentials })
  }

const byDocument: Readonly<Record<string, (fixtures: Fixtures) => Promise<Outcome>>> = {
  'an expired certificate': dated(-48 * hour, -hour),
  'a certificate of the future': dated(hour, 48 * hour),
  'a certificate that another key signed': ({ api, own, target }) =>
    authenticateAs(api, own, {
      credentials: ownCertificate(target, {
        subject: sealSubject(own.nip),
        issuerKey: freshKey('p256'),
      }),
    }),
  'a revoked certificate of the service': async ({ api, own, login }) => {
    const me = await login()
    const { serialNumber, credentials } = await obtainCertificate(me.api)
    await revokeCertificate(me.api, serialNumber)
    return authenticateAs(api, own, { credentials })
  },
  'a certificate for offline use': async ({ api, own, login }) => {
    const me = await login()
    const { credentials } = await obtainCertificate(me.api, { type: 'Offline' })
    return authenticateAs(api, own, { credentials })
  },
}

interface Sent {
  readonly plain?: (token: string, timestamp: number) => string
  /** A context other than that of the token. */
  readonly context?: Context
  readonly change?: (bytes: string) => string
}

const signIn = async (api: Client, held: ServiceToken, sent: Sent = {}): Promise<Outcome> => {
  const { challenge, timestamp } = await fetchChallenge(api)
  const { plain = (token, at) => `${token}|${at}`, context = held.context, change } = sent
  const bytes = api.codec.utf8(plain(held.token, timestamp))
  const { encrypted } = await encryptFor(api, 'SvcTokenEncryption', bytes)
  const { type, value } = context
  const body = {
    challenge,
    contextIdentifier: { type, value },
    encryptedToken: change?.(encrypted) ?? encrypted,
  }
  return outcomeOfAuthentication(api, await api.call('auth.token', { body }))
}

/** Another ciphertext of the same length. */
const undecryptable = (encrypted: string): string => {
  const bytes = Buffer.from(encrypted, 'base64')
  const noise = createHash('sha512').update(bytes).digest()
  return Buffer.concat([bytes.subarray(0, 1), noise, bytes.subarray(1 + noise.length)]).toString(
    'base64',
  )
}

const byToken: Readonly<
  Record<string, (fixtures: Fixtures, held: ServiceToken) => Promise<Outcome>>
> = {
  'a token that cannot be decrypted': ({ api }, held) =>
    signIn(api, held, { change: undecryptable }),
  'a token without its time': ({ api }, held) =>
    signIn(api, held, { plain: (token) => `${token}|` }),
  'a token of an earlier time': ({ api }, held) =>
    signIn(api, held, { plain: (token, at) => `${token}|${at - hour}` }),
  'a token of a later time': ({ api }, held) =>
    signIn(api, held, { plain: (token, at) => `${token}|${at + hour}` }),
  'an unknown token': ({ api }, held) =>
    signIn(api, held, { plain: (token, at) => `${token.slice(0, -8)}00000000|${at}` }),
  'a token of another context': async ({ api, own, another }, held) =>
    signIn(api, held, { context: await contextBeside(held, { own, another }) }),
  'a revoked token': async ({ api, login }) => {
    const me = await login()
    const held = await mintToken(me)
    await revokeToken(me.api, held.referenceNumber ?? '')
    return signIn(api, held)
  },
}

const expectFailure = async (
  outcome: Outcome,
  refusal: RefusalId,
  { api, own }: Fixtures,
): Promise<void> => {
  expect(outcome).toBeRejected(refusal)
  // A service that refuses such a sign-in at once has no status to explain.
  if ('request' in outcome) return
  const good = await authenticateAs(api, own)
  const seen = [...('exchanges' in good ? good.exchanges : []), ...outcome.exchanges.slice(0, -1)]
  expectReason(outcome, ...seen.map(reported))
}

for (const [what, enter] of Object.entries(byDocument))
  test(
    ...familyRule(rule, 'failed sign-in', what),
    async ({ api, own, login, another, target, serviceToken }) => {
      const fixtures = { api, own, login, another, target, serviceToken }
      await expectFailure(await enter(fixtures), 'certificate-refused', fixtures)
    },
  )

for (const [what, enter] of Object.entries(byToken))
  test(
    ...familyRule(rule, 'failed sign-in by token', what),
    async ({ api, own, login, another, target, serviceToken }) => {
      const fixtures = { api, own, login, another, target, serviceToken }
      const held = await serviceToken()
      await expectFailure(await enter(fixtures, held), 'token-refused', fixtures)
    },
  )
