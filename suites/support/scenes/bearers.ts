import type { OperationId } from '../../../contract/endpoints.ts'
import type { VariantOf } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import type { WrongBearer } from '../coverage/matrices.ts'
import { expect } from '../harness/test.ts'

interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** Bearers other than an authentication token, with the name of their variant. */
export const notOfAuthentication: readonly (readonly [
  VariantOf<'auth.redeem.wrong-bearer-refused'>,
  (tokens: Tokens) => string | null,
  WrongBearer,
])[] = [
  ['access token', ({ accessToken }) => accessToken, 'wrong stage'],
  ['refresh token', ({ refreshToken }) => refreshToken, 'wrong stage'],
  ['no token', () => null, 'no token'],
  ['invalid token', () => 'this.is.rubbish', 'invalid token'],
]

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Tokens that a client may still send because it logged in before, here or at another service. */
const left: Readonly<Record<string, string>> = {
  'no token at all': 'this.is.rubbish',
  'the token of another service, which has expired': [
    part({ alg: 'HS256', typ: 'JWT' }),
    part({ iss: 'another', exp: 1_600_000_000 }),
    part({}),
  ].join('.'),
}

/** Expects a public operation to accept any caller, even one that sends a token without need. */
export const expectPublic = async (api: Client, operation: OperationId): Promise<void> => {
  for (const [what, bearer] of Object.entries(left))
    expect(await api.call(operation, { bearer }), `beside ${what}`).toBeOk()
  const headers = { authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` }
  const answer = await api.call(operation, { bearer: null, headers })
  expect(answer, 'beside credentials of another scheme').toBeOk()
}
