import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { Draw } from '../draw/draw.ts'
import type { Fault, Malformation } from './malformation.ts'
import { base64 } from '../requests/payload.ts'
import { drawBytes } from '../draw/draw.ts'
import type { OpeningDraft } from '../requests/opening.ts'
import { opening } from '../requests/opening.ts'
import { wrap } from '../requests/wrap.ts'

interface BrokenOpening {
  /** The fields of the opening, for interactive and batch sessions alike. */
  readonly body: Readonly<Record<string, unknown>>
  readonly fault: Fault
}

export interface OpeningMalformation extends Malformation {
  readonly of: 'session'
  readonly apply: (draft: OpeningDraft, draw: Draw) => BrokenOpening
}

type Make = (draft: OpeningDraft, draw: Draw) => unknown

const keyRule = 'sessions.online.bad-key-refused'
const codeRule = 'sessions.online.bad-form-code-refused'

const keyOf =
  (bytes: number): Make =>
  (draft, draw) =>
    base64(wrap(drawBytes(draw, bytes), draft, 'session'))
const ivOf =
  (bytes: number): Make =>
  (_, draw) =>
    base64(drawBytes(draw, bytes))

/** The key, encrypted until its Base64 contains `+` or `/`, as it nearly always does the first time. */
function urlSafeKey(draft: OpeningDraft): string {
  const text = base64(wrap(draft.key, draft, 'session'))
  if (!/[+/]/.test(text)) return urlSafeKey(draft)
  return text.replaceAll('+', '-').replaceAll('/', '_')
}

const keys: readonly (readonly [string, string, Make])[] = [
  ['16-bytes', 'a key of 16 bytes', keyOf(16)],
  ['24-bytes', 'a key of 24 bytes', keyOf(24)],
  ['31-bytes', 'a key of 31 bytes', keyOf(31)],
  ['33-bytes', 'a key of 33 bytes', keyOf(33)],
  ['64-bytes', 'a key of 64 bytes', keyOf(64)],
  ['1-byte', 'a key of one byte', keyOf(1)],
  [
    'hex',
    'the hexadecimal digits of the key',
    (draft) => base64(wrap(Buffer.from(Buffer.from(draft.key).toString('hex')), draft, 'session')),
  ],
  [
    'base64',
    'the Base64 text of the key',
    (draft) => base64(wrap(Buffer.from(base64(draft.key)), draft, 'session')),
  ],
  [
    'with-iv',
    'key and initialization vector together',
    (draft) => base64(wrap(Buffer.concat([draft.key, draft.iv]), draft, 'session')),
  ],
  [
    'oaep-sha1',
    'encrypted under OAEP with SHA-1',
    (draft) => base64(wrap(draft.key, draft, 'session', 'oaep-sha1')),
  ],
  [
    'oaep-sha512',
    'encrypted under OAEP with SHA-512',
    (draft) => base64(wrap(draft.key, draft, 'session', 'oaep-sha512')),
  ],
  [
    'pkcs1',
    'encrypted under PKCS#1 v1.5',
    (draft) => base64(wrap(draft.key, draft, 'session', 'pkcs1')),
  ],
  [
    'wrong-usage',
    'encrypted under the certificate for tokens',
    (draft) => base64(wrap(draft.key, draft, 'token')),
  ],
  [
    'stranger',
    "encrypted under a certificate that is not the service's",
    (draft) => base64(wrap(draft.key, draft, 'stranger')),
  ],
  ['not-encrypted', 'not encrypted', (draft) => base64(draft.key)],
  ['random', 'random bytes', (_, draw) => base64(drawBytes(draw, 256))],
  [
    'cut',
    'the last byte is missing',
    (draft) => base64(wrap(draft.key, draft, 'session').subarray(0, -1)),
  ],
  [
    'unpadded',
    'in Base64 without its padding',
    (draft) => base64(wrap(draft.key, draft, 'session')).replace(/=+$/, ''),
  ],
  ['url-safe', 'in Base64 for addresses', urlSafeKey],
  [
    'line-feeds-76',
    'in Base64 with line feeds every 76 characters',
    (draft) => base64(wrap(draft.key, draft, 'session')).replace(/.{76}/g, '$&\n'),
  ],
  [
    'hex-text',
    'in hexadecimal digits',
    (draft) => Buffer.from(wrap(draft.key, draft, 'session')).toString('hex'),
  ],
  [
    'twice',
    'in Base64 twice',
    (draft) => base64(Buffer.from(base64(wrap(draft.key, draft, 'session')))),
  ],
  [
    'character',
    'with a character that Base64 does not have',
    (draft) => base64(wrap(draft.key, draft, 'session')).replace(/^./, '*'),
  ],
]

const vectors: readonly (readonly [string, string, Make])[] = [
  ['0-bytes', 'no initialization vector', () => ''],
  ['8-bytes', 'an initialization vector of 8 bytes', ivOf(8)],
  ['12-bytes', 'an initialization vector of 12 bytes', ivOf(12)],
  ['15-bytes', 'an initialization vector of 15 bytes', ivOf(15)],
  ['17-bytes', 'an initialization vector of 17 bytes', ivOf(17)],
  ['32-bytes', 'an initialization vector of 32 bytes', ivOf(32)],
  [
    'hex',
    'an initialization vector in hexadecimal digits',
    (draft) => Buffer.from(draft.iv).toString('hex'),
  ],
  [
    'unpadded',
    'an initialization vector in Base64 without its padding',
    (draft) => base64(draft.iv).replace(/=+$/, ''),
  ],
  [
    'url-safe',
    'an initialization vector in Base64 for addresses',
    (_, draw) => `-_${base64(drawBytes(draw, 16)).slice(2)}`,
  ],
  [
    'line-feed-behind',
    'an initialization vector with a line feed behind',
    (draft) => `${base64(draft.iv)}\n`,
  ],
  [
    'twice',
    'an initialization vector in Base64 twice',
    (draft) => base64(Buffer.from(base64(draft.iv))),
  ],
  [
    'encrypted',
    'an initialization vector that is encrypted like the key',
    (draft) => base64(wrap(draft.iv, draft, 'session')),
  ],
  [
    'character',
    'an initialization vector with a character that Base64 does not have',
    (draft) => base64(draft.iv).replace(/^./, '*'),
  ],
]

const codes: readonly (readonly [string, string, Make])[] = [
  ['label-without-blank', 'the label without its blank', () => 'FA(3)'],
  ['label-unknown', 'the label of a form that does not exist', () => 'FA (9)'],
  ['label-lower-case', 'the label in lower case', () => 'fa (3)'],
  ['label-empty', 'an empty label', () => ''],
  [
    'system-code',
    'the code of another form',
    ({ formCode }) => ({ ...formCode, systemCode: 'FA (9)' }),
  ],
  [
    'system-code-without-blank',
    'the code without its blank',
    ({ formCode }) => ({ ...formCode, systemCode: formCode.systemCode.replace(' ', '') }),
  ],
  [
    'schema-version',
    'another version of the schema',
    ({ formCode }) => ({ ...formCode, schemaVersion: '9-9E' }),
  ],
  ['value', 'another value', ({ formCode }) => ({ ...formCode, value: 'FB' })],
]

const shared = { layer: 'session', of: 'session' } as const

function entries(
  field: string,
  rule: RuleId,
  refusedAs: RefusalId,
  rows: readonly (readonly [string, string, Make])[],
): OpeningMalformation[] {
  return rows.map(([id, summary, make]) => ({
    ...shared,
    id: `session:${field}/${id}`,
    rule,
    refusedAs,
    summary,
    apply: (draft, draw) => {
      const body = opening(draft)
      const made = make(draft, draw)
      return {
        body: { ...body, [field]: made },
        fault: { path: `/${field}`, new: typeof made === 'string' ? made : JSON.stringify(made) },
      }
    },
  }))
}

/** Keys, initialization vectors and form codes that no session can be opened with. */
export function sessionKeys(): OpeningMalformation[] {
  return [
    ...entries('encryptedSymmetricKey', keyRule, 'session-key-refused', keys),
    ...entries('initVector', keyRule, 'session-key-refused', vectors),
    ...entries('formCode', codeRule, 'form-code-refused', codes),
  ]
}
