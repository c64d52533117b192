import type { VariantText } from '../../contract/rules.ts'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { operationIds } from '../../contract/endpoints.ts'
import { limits } from '../../contract/limits.ts'
import { jwtPayload } from '../../lib/codec.ts'
import type { Me } from '../support/contexts.ts'
import { guarded } from '../support/offered.ts'
import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

/** Operations that require an access token, each with a value for every path parameter. */
const operations = () => guarded(...operationIds)

const parameters = new Proxy<Record<string, string>>(
  {},
  {
    get: (_, name) => (name === 'referenceNumber' ? '20260615-SO-0000000000-0000000000-00' : '1'),
    ownKeys: () => [],
  },
)

const bearers: readonly (readonly [
  VariantText<'auth.access-token.required'>,
  (me: Me) => string | null,
  'wrong-token' | 'rubbish-token',
])[] = [
  ['no token', () => null, 'wrong-token'],
  ['authentication token', ({ authenticationToken }) => authenticationToken, 'wrong-token'],
  ['refresh token', ({ refreshToken }) => refreshToken, 'wrong-token'],
  ['invalid token', () => 'rubbish', 'rubbish-token'],
]

for (const [what, bearerOf, refusal] of bearers) {
  test(...rule('auth.access-token.required', what), async ({ login }) => {
    const me = await login()
    const bearer = bearerOf(me)
    for (const operation of operations()) {
      const answer = await me.api.call(operation, { path: parameters, bearer, pace: false })
      expect(answer, operation).toBeRefused(refusal)
    }
  })
}

test(...rule('auth.access-token.required', 'other scheme'), async ({ login }) => {
  const { api, accessToken } = await login()
  for (const scheme of ['Basic ', 'Token ', ''])
    for (const operation of ['sessions.list', 'limits.context'] as const) {
      const headers = { authorization: `${scheme}${accessToken}` }
      const answer = await api.call(operation, { bearer: null, headers, pace: false })
      expect(answer, `${operation}, ${scheme.trim() || 'no scheme'}`).toBeRefused('wrong-token')
    }
})

test(...rule('auth.access-token.required', 'expired'), async ({ login, clock }) => {
  const { api, accessValidUntil } = await login()
  await clock.set((accessValidUntil ?? 0) + 1_000)
  for (const operation of operations()) {
    const answer = await api.call(operation, { path: parameters, pace: false })
    expect(answer, operation).toBeRefused('expired-token')
  }
})

const segment = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const parts = (jwt: string) => {
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  const read = (text: string) =>
    JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
  return { header: read(header), payload: read(payload), signature, text: { header, payload } }
}

const forged: readonly (readonly [
  VariantText<'auth.access-token.forged-refused'>,
  (jwt: string) => string,
])[] = [
  [
    'payload',
    (jwt) => {
      const { payload, signature, text } = parts(jwt)
      return `${text.header}.${segment({ ...payload, exp: Number(payload['exp']) + 60 })}.${signature}`
    },
  ],
  [
    'algorithm none',
    (jwt) => {
      const { header, text } = parts(jwt)
      return `${segment({ ...header, alg: 'none' })}.${text.payload}.`
    },
  ],
  [
    'other key',
    (jwt) => {
      const { text } = parts(jwt)
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const header = segment({ alg: 'ES256', typ: 'JWT' })
      const signed = `${header}.${text.payload}`
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const }
      return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
    },
  ],
  [
    'HMAC with the public key',
    (jwt) => {
      const { header, text } = parts(jwt)
      const signed = `${segment({ ...header, alg: 'HS256' })}.${text.payload}`
      return `${signed}.${createHmac('sha256', '').update(signed).digest('base64url')}`
    },
  ],
  ['no signature', (jwt) => jwt.slice(0, jwt.lastIndexOf('.') + 1)],
]

for (const [what, forge] of forged) {
  test(...rule('auth.access-token.forged-refused', what), async ({ login }) => {
    const { api, accessToken } = await login()
    for (const operation of ['sessions.list', 'limits.context', 'invoices.bySvcNumber'] as const) {
      const bearer = forge(accessToken)
      const answer = await api.call(operation, { path: { svcNumber: '1' }, bearer, pace: false })
      expect(answer, operation).toBeRefused('wrong-token')
    }
  })
}

const protectedCall = { query: { sessionType: 'Online' } }

test(...rule('auth.access-token.jwt-lifetime'), async ({ api, login, target }) => {
  const { accessToken } = await login()
  const payload = jwtPayload(api.codec, accessToken)
  expect(payload, 'a JWT').toBeDefined()
  const lifetime = Number(payload?.['exp']) - target.now() / 1000
  const minLifetime = limits['accessToken.lifetimeMinimum'].value
  const maxLifetime = limits['accessToken.lifetimeMaximum'].value
  expect(lifetime, 'seconds until `exp`').toBeGreaterThan(minLifetime - 30)
  expect(lifetime, 'seconds until `exp`').toBeLessThanOrEqual(maxLifetime + 5)
})

test(...rule('auth.access-token.expires', 'before expiry'), async ({ login, clock }) => {
  const { api, accessValidUntil } = await login()
  await clock.set((accessValidUntil ?? 0) - 5_000)
  expect(await api.call('sessions.list', protectedCall)).toBeOk()
})

test(...rule('auth.access-token.expires', 'after expiry'), async ({ login, clock }) => {
  const { api, accessValidUntil } = await login()
  await clock.set((accessValidUntil ?? 0) + 1_000)
  expect(await api.call('sessions.list', protectedCall)).toBeRefused('expired-token')
})
