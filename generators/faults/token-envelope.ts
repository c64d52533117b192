import type { RuleId } from '../../contract/rules.ts'
import type { Draw } from '../draw/draw.ts'
import type { Fault, Malformation } from './malformation.ts'
import { base64 } from '../requests/payload.ts'
import { base64Ways } from './base64.ts'
import { drawBytes } from '../draw/draw.ts'
import { wrap } from '../requests/wrap.ts'
import type { TokenDraft } from '../requests/token-envelope.ts'
import { tokenEnvelope } from '../requests/token-envelope.ts'

interface BrokenToken {
  readonly encryptedToken: string
  readonly fault: Fault
}

export interface TokenMalformation extends Malformation {
  readonly of: 'token-envelope'
  readonly apply: (draft: TokenDraft, draw: Draw) => BrokenToken
}

const hour = 3_600_000

const plaintexts: readonly (readonly [string, string, (draft: TokenDraft) => string])[] = [
  ['no-separator', 'no separator', ({ token, timestamp }) => `${token}${timestamp}`],
  ['no-timestamp', 'the token alone', ({ token }) => token],
  ['empty-timestamp', 'nothing behind the separator', ({ token }) => `${token}|`],
  ['no-token', 'nothing before the separator', ({ timestamp }) => `|${timestamp}`],
  ['other-separator', 'a colon as separator', ({ token, timestamp }) => `${token}:${timestamp}`],
  ['reversed', 'the timestamp before the token', ({ token, timestamp }) => `${timestamp}|${token}`],
  [
    'seconds',
    'the timestamp in seconds',
    ({ token, timestamp }) => `${token}|${Math.floor(timestamp / 1000)}`,
  ],
  [
    'microseconds',
    'the timestamp in microseconds',
    ({ token, timestamp }) => `${token}|${timestamp}000`,
  ],
  [
    'iso',
    'the timestamp as a date',
    ({ token, timestamp }) => `${token}|${new Date(timestamp).toISOString()}`,
  ],
  ['word', 'a word as timestamp', ({ token }) => `${token}|teraz`],
  [
    'stale',
    'a timestamp of a day ago',
    ({ token, timestamp }) => `${token}|${timestamp - 24 * hour}`,
  ],
  [
    'future',
    'a timestamp of tomorrow',
    ({ token, timestamp }) => `${token}|${timestamp + 24 * hour}`,
  ],
  ['zero', 'the first instant of all', ({ token }) => `${token}|0`],
]

const tokens: readonly (readonly [string, string, (draft: TokenDraft) => string])[] = [
  [
    'cut',
    'the token without its end',
    ({ token, timestamp }) => `${token.slice(0, -1)}|${timestamp}`,
  ],
  [
    'changed',
    'the token with its last character changed',
    ({ token, timestamp }) =>
      `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}|${timestamp}`,
  ],
  [
    'unknown',
    'a token that was never issued',
    ({ token, timestamp }) => `${token.replace(/[0-9a-f]/gi, '7')}|${timestamp}`,
  ],
  [
    'previous-version',
    'a token in the form of the previous version',
    ({ timestamp }) => `${'A1'.repeat(32)}|${timestamp}`,
  ],
]

const envelopes: readonly (readonly [string, string, (draft: TokenDraft, draw: Draw) => string])[] =
  [
    [
      'oaep-sha1',
      'OAEP with SHA-1',
      (draft) => base64(wrap(plain(draft), draft, 'token', 'oaep-sha1')),
    ],
    ['pkcs1', 'PKCS#1 v1.5', (draft) => base64(wrap(plain(draft), draft, 'token', 'pkcs1'))],
    [
      'wrong-usage',
      'the certificate for sessions',
      (draft) => base64(wrap(plain(draft), draft, 'session')),
    ],
    [
      'stranger',
      "a certificate that is not the service's",
      (draft) => base64(wrap(plain(draft), draft, 'stranger')),
    ],
    ['not-encrypted', 'not encrypted', (draft) => base64(plain(draft))],
    ['random', 'random bytes', (_, draw) => base64(drawBytes(draw, 256))],
    [
      'cut',
      'the last byte is missing',
      (draft) => base64(wrap(plain(draft), draft, 'token').subarray(0, -1)),
    ],
    [
      'hex',
      'hexadecimal digits instead of Base64',
      (draft) => Buffer.from(wrap(plain(draft), draft, 'token')).toString('hex'),
    ],
    ['twice', 'Base64 twice', (draft) => base64(Buffer.from(tokenEnvelope(draft)))],
    ['unpadded', 'without its padding', (draft) => tokenEnvelope(draft).replace(/=+$/, '')],
    ...base64Ways.map(
      ([id, summary, write]) =>
        [id, summary, (draft: TokenDraft) => write(tokenEnvelope(draft))] as const,
    ),
  ]

const plain = ({ token, timestamp }: TokenDraft) => Buffer.from(`${token}|${timestamp}`)

const timestampRule = 'auth.token.wrong-timestamp-refused'
const tokenRule = 'auth.token.unusable-refused'
const encryptionRule = 'auth.token.wrong-encryption-refused'

/** Service tokens in envelopes that do not open, or with something else in them. */
export function tokenEnvelopes(): TokenMalformation[] {
  const entry = (
    id: string,
    summary: string,
    rule: RuleId,
    make: (draft: TokenDraft, draw: Draw) => string,
  ): TokenMalformation => ({
    id: `token:${id}`,
    layer: 'token',
    of: 'token-envelope',
    rule,
    refusedAs: 'token-refused',
    summary,
    apply: (draft, draw) => ({
      encryptedToken: make(draft, draw),
      fault: { path: '/encryptedToken', new: summary },
    }),
  })
  const sealed = (text: (draft: TokenDraft) => string) => (draft: TokenDraft) =>
    base64(wrap(Buffer.from(text(draft)), draft, 'token'))
  return [
    ...plaintexts.map(([id, summary, text]) =>
      entry(`plaintext-${id}`, summary, timestampRule, sealed(text)),
    ),
    ...tokens.map(([id, summary, text]) => entry(`token-${id}`, summary, tokenRule, sealed(text))),
    ...envelopes.map(([id, summary, make]) =>
      entry(`envelope-${id}`, summary, encryptionRule, make),
    ),
  ]
}
