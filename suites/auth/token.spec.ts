import { constants, publicEncrypt } from 'node:crypto'
import { limits } from '../../contract/limits.ts'
import type { Client } from '../../lib/client.ts'
import { encryptFor } from '../../lib/flows/keys.ts'
import {
  fetchChallenge,
  loginWithToken,
  readStarted,
  tokenLoginBody,
} from '../../lib/flows/login.ts'
import type { Challenge } from '../../lib/flows/login.ts'
import { swapCase } from '../../lib/node/digests.ts'
import { publicKeyFor } from '../support/documents/oaep.ts'
import { rule } from '../support/checks/rule.ts'
import { contextBeside } from '../support/callers/service-token.ts'
import type { ServiceToken } from '../support/callers/service-token.ts'
import { authenticateAs, outcomeOfAuthentication } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'
import { drawUnit } from '../support/run/units.ts'

const contextOf = ({ context: { type, value } }: ServiceToken) => ({ type, value })

/** Logs in with a token that `encrypt` encrypted. */
const outcomeOf = async (
  api: Client,
  held: ServiceToken,
  encrypt: (challenge: Challenge) => Promise<string>,
) => {
  const challenge = await fetchChallenge(api)
  const body = {
    challenge: challenge.challenge,
    contextIdentifier: contextOf(held),
    encryptedToken: await encrypt(challenge),
  }
  return outcomeOfAuthentication(api, await api.call('auth.token', { body }))
}

const encrypted = async (api: Client, plain: string): Promise<string> =>
  (await encryptFor(api, 'SvcTokenEncryption', api.codec.utf8(plain))).encrypted

/** Logs in with the token correctly, after a pause since the challenge. */
const byToken = (api: Client, held: ServiceToken, pause?: () => Promise<unknown>) =>
  outcomeOf(api, held, async ({ timestamp }) => {
    await pause?.()
    return encrypted(api, `${held.token}|${timestamp}`)
  })

test(...rule('auth.token.accepted'), async ({ api, serviceToken }) => {
  const held = await serviceToken()
  const login = { context: contextOf(held), token: held.token }
  const body = await tokenLoginBody(api, login, await fetchChallenge(api))
  const answer = await api.call('auth.token', { body })
  expect(answer).toBeOk()
  const { referenceNumber, authenticationToken: bearer } = readStarted(answer, 'log in')
  const look = await api.call('auth.status', { path: { referenceNumber }, bearer })
  expect(look, 'the status under the reference number').toBeOk()
  expect(await outcomeOfAuthentication(api, answer)).toHaveSucceeded('authentication')
})

test(...rule('auth.token.plaintext-form'), async ({ api, serviceToken }) => {
  const held = await serviceToken()
  const outcome = await byToken(api, held)
  expect(outcome).toHaveSucceeded('authentication')
})

test(...rule('auth.token.plaintext-form', 'clock behind'), async ({ api, serviceToken }) => {
  const held = await serviceToken()
  for (const behind of [0, 60_000]) {
    const outcome = await outcomeOf(api, held, ({ timestamp }) =>
      encrypted(api, `${held.token}|${timestamp - behind}`),
    )
    expect(outcome, `a clock ${behind} ms behind`).toHaveSucceeded('authentication')
  }
})

const oaep = constants.RSA_PKCS1_OAEP_PADDING

for (const [what, usage, options] of [
  ['oaep sha-1', 'SvcTokenEncryption', { padding: oaep, oaepHash: 'sha1' }],
  ['pkcs1', 'SvcTokenEncryption', { padding: constants.RSA_PKCS1_PADDING }],
  ['wrong certificate', 'SymmetricKeyEncryption', { padding: oaep, oaepHash: 'sha256' }],
] as const) {
  test(...rule('auth.token.wrong-encryption-refused', what), async ({ api, serviceToken }) => {
    const held = await serviceToken()
    const key = await publicKeyFor(api, usage)
    const outcome = await outcomeOf(api, held, async ({ timestamp }) =>
      publicEncrypt({ key, ...options }, Buffer.from(`${held.token}|${timestamp}`)).toString(
        'base64',
      ),
    )
    expect(outcome).toBeRejected('token-refused')
  })
}

for (const [what, send] of [
  [
    'not base64',
    async (api: Client, plain: string) => (await encrypted(api, plain)).replace(/^.{4}/, '%%%%'),
  ],
  [
    'not encrypted',
    (_: Client, plain: string) => Promise.resolve(Buffer.from(plain).toString('base64')),
  ],
] as const)
  test(...rule('auth.token.wrong-encryption-refused', what), async ({ api, serviceToken }) => {
    const held = await serviceToken()
    const outcome = await outcomeOf(api, held, ({ timestamp }) =>
      send(api, `${held.token}|${timestamp}`),
    )
    expect(outcome).toBeRejected('token-refused')
  })

const minute = 60_000
const hour = 60 * minute
const skew = limits['serviceToken.clockSkew'].value * 1000

for (const [what, plain] of [
  ['no separator', (token: string, time: number) => `${token}${time}`],
  ['no timestamp', (token: string) => `${token}|`],
  ['seconds', (token: string, time: number) => `${token}|${Math.floor(time / 1000)}`],
  ['stale', (token: string, time: number) => `${token}|${time - 24 * hour}`],
  ['future', (token: string, time: number) => `${token}|${time + 24 * hour}`],
  ['not a number', (token: string) => `${token}|now`],
  ['no timestamp, the token alone', (token: string) => token],
  ['stale, an hour', (token: string, time: number) => `${token}|${time - hour}`],
  ['future, an hour', (token: string, time: number) => `${token}|${time + hour}`],
  [
    'stale, half a minute more',
    (token: string, time: number) => `${token}|${time - skew - 30_000}`,
  ],
  [
    'future, half a minute more',
    (token: string, time: number) => `${token}|${time + skew + 30_000}`,
  ],
  ['not a number, hexadecimal', (token: string, time: number) => `${token}|0x${time.toString(16)}`],
  ['not a number, an exponent', (token: string, time: number) => `${token}|${time / 1000}e3`],
] as const) {
  test(...rule('auth.token.wrong-timestamp-refused', what), async ({ api, serviceToken }) => {
    const held = await serviceToken()
    const outcome = await outcomeOf(api, held, ({ timestamp }) =>
      encrypted(api, plain(held.token, timestamp)),
    )
    expect(outcome).toBeRejected('token-refused')
  })
}

for (const [what, difference] of [
  ['close, earlier', 30_000 - skew],
  ['close, later', skew - 30_000],
] as const)
  test(...rule('auth.token.wrong-timestamp-refused', what), async ({ api, serviceToken }) => {
    const held = await serviceToken()
    const outcome = await outcomeOf(api, held, ({ timestamp }) =>
      encrypted(api, `${held.token}|${timestamp + difference}`),
    )
    expect(outcome).toHaveSucceeded('authentication')
  })

// The challenge may be older than the token: the time of the service counts, not that of the challenge.
for (const [what, difference, taken] of [
  ['after the challenge, close', skew - minute, true],
  ['after the challenge, stale', -skew - minute, false],
] as const)
  test(
    ...rule('auth.token.wrong-timestamp-refused', what),
    async ({ api, serviceToken, clock, target }) => {
      const held = await serviceToken()
      const outcome = await outcomeOf(api, held, async () => {
        await clock.advance(limits['challenge.lifetime'].value * 1000 - minute)
        return encrypted(api, `${held.token}|${target.now() + difference}`)
      })
      if (taken) expect(outcome).toHaveSucceeded('authentication')
      else expect(outcome).toBeRejected('token-refused')
    },
  )

const elsewhere = rule('auth.token.other-context-refused')
test(...elsewhere, async ({ api, serviceToken, another, own, rng }) => {
  const held = await serviceToken()
  const { nip } = held.context
  const unit = { ...held.context, ...drawUnit(rng, nip) }
  const entity = { ...held.context, type: 'NipVatUe', value: `${nip}-DE123456789` } as const
  for (const context of [await contextBeside(held, { own, another }), unit, entity]) {
    const outcome = await outcomeOf(api, { ...held, context }, ({ timestamp }) =>
      encrypted(api, `${held.token}|${timestamp}`),
    )
    expect(outcome, `in a context of the kind ${context.type}`).toBeRejected('token-refused')
  }
})

test(...rule('auth.token.unusable-refused', 'revoked'), async ({ api, serviceToken }) => {
  const held = await serviceToken()
  const { me, referenceNumber } = held
  test.skip(
    referenceNumber === undefined,
    'the only service token of the target must not be revoked',
  )
  await loginWithToken(api, { context: contextOf(held), token: held.token })
  expect(
    await me.api.call('tokens.revoke', { path: { referenceNumber: referenceNumber ?? '' } }),
  ).toBeOk()
  const outcome = await byToken(api, held)
  expect(outcome).toBeRejected('token-refused')
})

test(...rule('auth.token.unusable-refused', 'unknown'), async ({ api, serviceToken }) => {
  const held = await serviceToken()
  const unknown = held.token.replace(/.{64}$/, 'ab'.repeat(32))
  expect(unknown, 'a token that differs from the valid one').not.toBe(held.token)
  const outcome = await outcomeOf(api, held, ({ timestamp }) =>
    encrypted(api, `${unknown}|${timestamp}`),
  )
  expect(outcome).toBeRejected('token-refused')
})

test(
  ...rule('auth.token.unusable-refused', 'unknown, in other letter case'),
  async ({ api, serviceToken }) => {
    const held = await serviceToken()
    const [secret = ''] = /[0-9a-zA-Z]+$/.exec(held.token) ?? []
    const other = held.token.slice(0, -secret.length) + swapCase(secret)
    test.skip(other === held.token, 'the secret has no letters')
    const outcome = await outcomeOf(api, held, ({ timestamp }) =>
      encrypted(api, `${other}|${timestamp}`),
    )
    expect(outcome).toBeRejected('token-refused')
  },
)

test(
  ...rule('auth.token.unusable-refused', 'previous version'),
  async ({ api, serviceToken, rng }) => {
    const held = await serviceToken()
    const old = Buffer.from(rng.bytes(32)).toString('hex').toUpperCase()
    const outcome = await outcomeOf(api, held, ({ timestamp }) =>
      encrypted(api, `${old}|${timestamp}`),
    )
    expect(outcome).toBeRejected('token-refused')
  },
)

const lastMoment = Date.parse('2026-12-31T23:00:00Z')

test(...rule('auth.token.sunset', 'token'), async ({ api, serviceToken, clock }) => {
  await clock.set(lastMoment - 24 * hour)
  const held = await serviceToken()
  await clock.set(lastMoment - hour / 2)
  expect(await byToken(api, held), 'on the last day').toHaveSucceeded('authentication')
  await clock.set(lastMoment - minute)
  const over = await byToken(api, held, () => clock.set(lastMoment + minute))
  expect(over, 'with a timestamp of the last day').toBeRejected('token-refused')
  // In UTC the year is not over.
  await clock.set(lastMoment + hour / 2)
  expect(await byToken(api, held)).toBeRejected('token-refused')
})

test(...rule('auth.token.sunset', 'certificate'), async ({ api, own, clock }) => {
  await clock.set(lastMoment + hour)
  expect(await authenticateAs(api, own)).toHaveSucceeded('authentication')
})

test(...rule('auth.token.expired-refused'), async ({ api, serviceToken, clock }) => {
  // A year later and still before the end of all tokens, so that only its own expiry can be the reason.
  const [start, end] = [Date.parse('2025-10-01T10:00:00Z'), Date.parse('2026-10-01T10:00:00Z')]
  await clock.set(start)
  const held = await serviceToken()
  expect(await byToken(api, held)).toHaveSucceeded('authentication')
  // Using it in between does not extend its lifetime, whatever that is.
  const between = 60 * 24 * hour
  for (let at = start + between; at < end; at += between) {
    await clock.set(at)
    await byToken(api, held)
  }
  await clock.set(end)
  expect(await byToken(api, held)).toBeRejected('token-refused')
})

test(
  ...rule('auth.token.expired-refused', 'assumed validity'),
  async ({ api, serviceToken, clock }) => {
    const made = Date.parse('2025-10-01T08:00:00Z')
    await clock.set(made)
    const held = await serviceToken()
    const end = made + limits['serviceToken.days'].value * 24 * hour
    await clock.set(end - 10 * minute)
    expect(await byToken(api, held), 'in its last minutes').toHaveSucceeded('authentication')
    await clock.set(end - 4 * minute)
    const over = await byToken(api, held, () => clock.set(end + 4 * minute))
    expect(over, 'by a challenge from before its end').toBeRejected('token-refused')
    // The day on which it ends is not over.
    await clock.set(end + 10 * minute)
    expect(await byToken(api, held)).toBeRejected('token-refused')
  },
)
