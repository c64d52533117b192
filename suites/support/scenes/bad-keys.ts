import type { VariantText } from '../../../contract/rules.ts'
import { constants, publicEncrypt } from 'node:crypto'
import { base64Ways } from '../../../generators/faults/base64.ts'
import type { Client } from '../../../lib/client.ts'
import { randomBytes } from '../../../lib/crypto.ts'
import { encryptFor } from '../../../lib/flows/keys.ts'
import type { KeyUsage } from '../../../lib/flows/keys.ts'
import { publicKeyFor } from '../documents/oaep.ts'

interface KeyFields {
  readonly encryptedSymmetricKey: string
  readonly initVector: string
}

const good = async (api: Client, keyBytes = 32, ivBytes = 16): Promise<KeyFields> => {
  const { encrypted } = await encryptFor(api, 'SymmetricKeyEncryption', randomBytes(keyBytes))
  return { encryptedSymmetricKey: encrypted, initVector: api.codec.base64(randomBytes(ivBytes)) }
}

/** A key that was written as text before it was encrypted. */
const asText = async (api: Client, encoding: 'base64' | 'hex'): Promise<KeyFields> => {
  const text = Buffer.from(Buffer.from(randomBytes(32)).toString(encoding))
  const { encrypted } = await encryptFor(api, 'SymmetricKeyEncryption', new Uint8Array(text))
  return { encryptedSymmetricKey: encrypted, initVector: api.codec.base64(randomBytes(16)) }
}

const wrapped = async (
  api: Client,
  usage: KeyUsage,
  options: { readonly padding: number; readonly oaepHash?: string },
): Promise<KeyFields> => {
  const publicKey = await publicKeyFor(api, usage)
  const encrypted = publicEncrypt({ key: publicKey, ...options }, randomBytes(32))
  return {
    encryptedSymmetricKey: encrypted.toString('base64'),
    initVector: api.codec.base64(randomBytes(16)),
  }
}

const oaep = constants.RSA_PKCS1_OAEP_PADDING

/** The same bytes in the URL-safe alphabet of Base64; the two alphabets share most characters. */
const ofAddresses = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_')

/** An initialization vector that has both characters in which the alphabets differ, and padding. */
const telling = (api: Client): string =>
  api.codec.base64(new Uint8Array([0xfb, 0xef, 0xff, ...randomBytes(13)]))

/** A key whose text shows which alphabet it is in: nearly every key does. */
const tellingKey = async (api: Client): Promise<KeyFields> => {
  for (;;) {
    const made = await good(api)
    if (/[+/]/.test(made.encryptedSymmetricKey)) return made
  }
}

/** Invalid session keys and initialization vectors, by variant. */
export const badKeys: readonly (readonly [
  VariantText<'sessions.online.bad-key-refused'>,
  (api: Client) => Promise<KeyFields>,
])[] = [
  ['short key', (api) => good(api, 16)],
  ['short key, of another AES', (api) => good(api, 24)],
  ['short key, a byte less', (api) => good(api, 31)],
  ['long key', (api) => good(api, 33)],
  ['long key, written in Base64', (api) => asText(api, 'base64')],
  ['long key, written in hex', (api) => asText(api, 'hex')],
  ['short iv', (api) => good(api, 32, 12)],
  ['long iv', (api) => good(api, 32, 17)],
  [
    'wrong certificate',
    (api) => wrapped(api, 'SvcTokenEncryption', { padding: oaep, oaepHash: 'sha256' }),
  ],
  [
    'oaep sha-1',
    (api) => wrapped(api, 'SymmetricKeyEncryption', { padding: oaep, oaepHash: 'sha1' }),
  ],
  [
    'pkcs1',
    (api) => wrapped(api, 'SymmetricKeyEncryption', { padding: constants.RSA_PKCS1_PADDING }),
  ],
  [
    'not base64',
    async (api) => ({ ...(await good(api)), encryptedSymmetricKey: '!!! not Base64 !!!' }),
  ],
  ['iv not base64', async (api) => ({ ...(await good(api)), initVector: '!!! not Base64 !!!' })],
  [
    'not base64, alphabet of addresses',
    async (api) => {
      const { encryptedSymmetricKey, initVector } = await tellingKey(api)
      return { encryptedSymmetricKey: ofAddresses(encryptedSymmetricKey), initVector }
    },
  ],
  [
    'iv not base64, alphabet of addresses',
    async (api) => ({ ...(await good(api)), initVector: ofAddresses(telling(api)) }),
  ],
  [
    'iv not base64, without padding',
    async (api) => ({ ...(await good(api)), initVector: telling(api).replace(/=+$/, '') }),
  ],
  [
    'not encrypted',
    async (api) => ({
      ...(await good(api)),
      encryptedSymmetricKey: api.codec.base64(randomBytes(32)),
    }),
  ],
]

/** A key and an initialization vector in other forms than Base64 with padding in one line. */
export const badBase64 = (valid: Readonly<Record<string, unknown>>) =>
  (['encryptedSymmetricKey', 'initVector'] as const).flatMap((field) => {
    const text = String(valid[field])
    const unpadded = ['unpadded', '', (padded: string) => padded.replace(/=+$/, '')] as const
    return [unpadded, ...base64Ways]
      .map(([id, , write]) => ({ what: `${field}, ${id}`, fault: { [field]: write(text) } }))
      .filter(({ fault }) => fault[field] !== text)
  })
