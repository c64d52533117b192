import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { Malformation } from './malformation.ts'

/** Headers of a call, names in lower case. */
type Headers = Readonly<Record<string, string>>

export interface HeaderMalformation extends Malformation {
  readonly of: 'headers'
  /** Which operations it can be tried on. */
  readonly on: 'protected' | 'json-body'
  /** The headers with the fault. The call has `authorization: Bearer <JWT>` and its media types. */
  readonly apply: (headers: Headers) => Headers
}

const without = (headers: Headers, name: string): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name))

const tokenOf = (headers: Headers) => (headers['authorization'] ?? '').replace(/^Bearer /, '')
const bearer =
  (change: (token: string) => string) =>
  (headers: Headers): Headers => ({
    ...headers,
    authorization: `Bearer ${change(tokenOf(headers))}`,
  })
const authorization =
  (change: (token: string) => string) =>
  (headers: Headers): Headers => ({
    ...headers,
    authorization: change(tokenOf(headers)),
  })

const decode = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Changes a part of a JWT and leaves its signature. */
const jwt = (
  change: (
    header: Record<string, unknown>,
    payload: Record<string, unknown>,
    signature: string,
  ) => readonly [unknown, unknown, string],
) =>
  bearer((token) => {
    const [header = '', payload = '', signature = ''] = token.split('.')
    const [h, p, s] = change(decode(header), decode(payload), signature)
    return [encode(h), encode(p), s].join('.')
  })

interface Row {
  readonly id: string
  readonly summary: string
  readonly apply: HeaderMalformation['apply']
  readonly rule?: RuleId
  readonly refusedAs?: RefusalId
}

const forged = { rule: 'auth.access-token.forged-refused' } as const

const bearers: readonly Row[] = [
  {
    id: 'none',
    summary: 'no Authorization',
    apply: (headers) => without(headers, 'authorization'),
  },
  { id: 'empty', summary: 'an empty Authorization', apply: authorization(() => '') },
  {
    id: 'scheme-alone',
    summary: 'the scheme without a token',
    apply: authorization(() => 'Bearer'),
  },
  {
    id: 'token-alone',
    summary: 'the token without its scheme',
    apply: authorization((token) => token),
  },
  {
    id: 'basic',
    summary: 'another scheme',
    apply: authorization(() => `Basic ${Buffer.from('a:b').toString('base64')}`),
  },
  {
    id: 'token-scheme',
    summary: 'a scheme that does not exist',
    apply: authorization((token) => `Token ${token}`),
  },
  {
    id: 'rubbish',
    summary: 'text that is not a token',
    refusedAs: 'rubbish-token',
    apply: bearer(() => 'rubbish'),
  },
  {
    id: 'cut',
    summary: 'the token without its last part',
    // Two parts are no JWT at all.
    refusedAs: 'rubbish-token',
    apply: bearer((token) => token.slice(0, token.lastIndexOf('.'))),
    ...forged,
  },
  {
    id: 'signature-cut',
    summary: 'half of the signature',
    apply: bearer((token) => token.slice(0, -20)),
    ...forged,
  },
  {
    id: 'signature-none',
    summary: 'an empty signature',
    apply: jwt((h, p) => [h, p, '']),
    ...forged,
  },
  {
    id: 'signature-changed',
    summary: 'one character of the signature changed',
    apply: bearer(
      (token) => token.slice(0, -10) + (token.at(-10) === 'A' ? 'B' : 'A') + token.slice(-9),
    ),
    ...forged,
  },
  {
    id: 'algorithm-none',
    summary: 'the algorithm "none"',
    apply: jwt((h, p) => [{ ...h, alg: 'none' }, p, '']),
    ...forged,
  },
  {
    id: 'algorithm-none-signed',
    summary: 'the algorithm "None" with the old signature',
    apply: jwt((h, p, s) => [{ ...h, alg: 'None' }, p, s]),
    ...forged,
  },
  {
    id: 'algorithm-other',
    summary: 'another algorithm with the old signature',
    apply: jwt((h, p, s) => [{ ...h, alg: h['alg'] === 'HS256' ? 'RS256' : 'HS256' }, p, s]),
    ...forged,
  },
  {
    id: 'expiry-moved',
    summary: 'an expiry that was moved',
    apply: jwt((h, p, s) => [h, { ...p, exp: Number(p['exp']) + 86_400 }, s]),
    ...forged,
  },
  {
    id: 'claim-added',
    summary: 'a claim that was added',
    apply: jwt((h, p, s) => [h, { ...p, per: ['CredentialsManage'] }, s]),
    ...forged,
  },
]

const medias: readonly Row[] = [
  {
    id: 'content-none',
    summary: 'no Content-Type',
    apply: (headers) => without(headers, 'content-type'),
  },
  {
    id: 'content-text',
    summary: 'JSON that is called plain text',
    apply: (headers) => ({ ...headers, 'content-type': 'text/plain' }),
  },
  {
    id: 'content-xml',
    summary: 'JSON that is called XML',
    apply: (headers) => ({ ...headers, 'content-type': 'application/xml' }),
  },
  {
    id: 'content-form',
    summary: 'JSON that is called a form',
    apply: (headers) => ({ ...headers, 'content-type': 'application/x-www-form-urlencoded' }),
  },
  {
    id: 'content-nonsense',
    summary: 'text that is not a Content-Type',
    apply: (headers) => ({ ...headers, 'content-type': 'json' }),
  },
]

/** Headers that no call may have: bearers that are missing, malformed, forged or misspelt, and wrong media types. */
export function headerMalformations(): HeaderMalformation[] {
  return [
    ...bearers.map(
      ({
        id,
        summary,
        apply,
        rule = 'auth.access-token.required',
        refusedAs = 'wrong-token',
      }): HeaderMalformation => ({
        id: `bearer:${id}`,
        layer: 'headers',
        of: 'headers',
        on: 'protected',
        rule,
        refusedAs,
        summary,
        apply,
      }),
    ),
    ...medias.map(({ id, summary, apply }): HeaderMalformation => ({
      id: `media:${id}`,
      layer: 'headers',
      of: 'headers',
      on: 'json-body',
      rule: 'transport.media-type',
      refusedAs: 'media-type',
      summary,
      apply,
    })),
  ]
}
