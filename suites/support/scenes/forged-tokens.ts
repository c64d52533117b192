import {
  X509Certificate,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  sign,
} from 'node:crypto'
import type { VariantText } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import { jwtPayload } from '../../../lib/codec.ts'
import { certificateDer, spkiOf } from '../../../lib/der.ts'
import { fetchKeys } from '../../../lib/flows/keys.ts'
import { makeCertificate } from '../../../lib/node/pki.ts'
import type { WrongBearer } from '../coverage/matrices.ts'

/** Tokens that a service did not issue in exactly this form, made of ones that it did. */

const segment = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const parts = (jwt: string) => {
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  const read = (text: string) =>
    JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
  return { header: read(header), payload: read(payload), signature, text: { header, payload } }
}

/** Public knowledge, used as the key of an HMAC: the published certificates in the forms that libraries take. */
const publicSecrets = async (api: Client): Promise<readonly (string | Uint8Array)[]> => [
  '',
  ...(await fetchKeys(api)).flatMap(({ certificate }) => {
    const der = certificateDer(api.codec, certificate)
    const key = createPublicKey({ key: Buffer.from(spkiOf(der)), format: 'der', type: 'spki' })
    return [
      certificate,
      der,
      new X509Certificate(der).toString(),
      key.export({ format: 'pem', type: 'spki' }).toString(),
      key.export({ format: 'der', type: 'spki' }),
    ]
  }),
]

type Forge = (jwt: string, api: Client) => string | Promise<readonly string[]>

export const forgedTokens: readonly (readonly [
  variant: VariantText<'auth.access-token.forged-refused'>,
  column: WrongBearer,
  forge: Forge,
])[] = [
  [
    'payload',
    'forged payload',
    (jwt) => {
      const { payload, signature, text } = parts(jwt)
      return `${text.header}.${segment({ ...payload, exp: Number(payload['exp']) + 60 })}.${signature}`
    },
  ],
  [
    'algorithm none',
    'algorithm none',
    (jwt) => {
      const { header, text } = parts(jwt)
      return `${segment({ ...header, alg: 'none' })}.${text.payload}.`
    },
  ],
  [
    'other key',
    'other key',
    (jwt) => {
      const { text } = parts(jwt)
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { certificate } = makeCertificate({
        subject: { commonName: 'A forger', countryName: 'PL' },
        now: Date.now(),
        privateKey,
      })
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const }
      // The key may be in the token itself, where a verifier must not take it from.
      const keys = [
        {},
        { jwk: publicKey.export({ format: 'jwk' }) },
        { x5c: [certificate.toString('base64')] },
      ]
      const tokens = keys.map((given) => {
        const signed = `${segment({ alg: 'ES256', typ: 'JWT', ...given })}.${text.payload}`
        return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
      })
      return Promise.resolve(tokens)
    },
  ],
  [
    'HMAC with the public key',
    'HMAC with the public key',
    async (jwt, api) => {
      const { header, text } = parts(jwt)
      const signed = `${segment({ ...header, alg: 'HS256' })}.${text.payload}`
      return (await publicSecrets(api)).map(
        (secret) => `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`,
      )
    },
  ],
  ['no signature', 'no signature', (jwt) => jwt.slice(0, jwt.lastIndexOf('.') + 1)],
]

/** A token with its last character replaced; not a forged JWT, since only the access token has to be a JWT. */
export const altered = (token: string): string =>
  `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`

/** A token whose signature begins with another character. */
const alteredWithin = (token: string): string => {
  const place = token.lastIndexOf('.') + 1
  return `${token.slice(0, place)}${token[place] === 'A' ? 'B' : 'A'}${token.slice(place + 1)}`
}

/**
 * Every forgery of a token, by its name.
 * @param other another token of the service, whose parts are put into this one
 */
export const forgeriesOfToken = async (
  api: Client,
  token: string,
  other: string,
): Promise<readonly (readonly [what: string, token: string])[]> => {
  const changed = [
    ['last character', altered(token)],
    ['first character of the signature', alteredWithin(token)],
  ] as const
  if (jwtPayload(api.codec, token) === undefined) return changed
  const { header, signature, text } = parts(token)
  const unsigned = ['None', 'NONE'].map((alg) => `${segment({ ...header, alg })}.${text.payload}.`)
  const made = await Promise.all(
    forgedTokens.map(async ([what, , forge]) =>
      [await forge(token, api)].flat().map((one) => [what, one] as const),
    ),
  )
  const mixed = jwtPayload(api.codec, other) === undefined ? [] : [parts(other)]
  return [
    ...changed,
    ...made.flat(),
    ...unsigned.map((one) => ['algorithm none', one] as const),
    ...mixed.flatMap((one) => [
      ['the payload of another token', `${text.header}.${one.text.payload}.${signature}`] as const,
      [
        'the signature of another token',
        `${text.header}.${text.payload}.${one.signature}`,
      ] as const,
    ]),
  ]
}
