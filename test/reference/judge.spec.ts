import {
  constants,
  createCipheriv,
  createHash,
  generateKeyPairSync,
  publicEncrypt,
} from 'node:crypto'
import { expect, test } from '@playwright/test'
import { explainContent, explainDigest, explainKey } from '../../reference/verification/explain.ts'
import { isMisencrypted } from '../../reference/keys/misencrypted.ts'
import type { KeyUsage, ServiceKey } from '../../reference/keys/service-key.ts'
import { explainTime, explainToken } from '../../reference/login/explain.ts'

// The judge explains what is wrong with content, keys or digests; each mistake of a client has one line here.

/** The same in every run: with some random keys, foreign bytes decrypt to what looks like an invoice. */
let drawn = 0
const randomBytes = (outputLength: number): Buffer => {
  drawn += 1
  return createHash('shake256', { outputLength }).update(String(drawn)).digest()
}

const key = randomBytes(32)
const iv = randomBytes(16)
const text = Buffer.from(
  `<?xml version="1.0" encoding="UTF-8"?>\n<Faktura>${'<P_2>FV/1</P_2>'.repeat(40)}</Faktura>`,
)
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64')

const under = (
  algorithm: string,
  with_: Uint8Array,
  vector: Uint8Array | null,
  bytes: Uint8Array = text,
  padding = true,
): Buffer => {
  const cipher = createCipheriv(algorithm, with_, vector).setAutoPadding(padding)
  return Buffer.concat([cipher.update(bytes), cipher.final()])
}
const cbc = 'aes-256-cbc'
const right = under(cbc, key, iv)
const wrappedKey = randomBytes(256)
const whole = Buffer.concat([text, Buffer.alloc((16 - (text.length % 16)) % 16, ' ')])

const contents: [string, Uint8Array, RegExp][] = [
  ['nothing', new Uint8Array(), /is empty/],
  ['plain', text, /not encrypted/],
  ['Base64 twice', Buffer.from(right.toString('base64')), /Base64 twice/],
  ['ECB', under('aes-256-ecb', key, null), /ECB/],
  ['CTR', under('aes-256-ctr', key, iv), /CTR/],
  ['GCM', under('aes-256-gcm', key, iv.subarray(0, 12)), /GCM/],
  ['AES-128', under('aes-128-cbc', key.subarray(0, 16), iv), /AES-128/],
  ['another key', under(cbc, randomBytes(32), iv), /not encrypted with the key of the session/],
  ['another IV', under(cbc, key, randomBytes(16)), /another IV/],
  [
    'the encrypted key as key',
    under(cbc, wrappedKey.subarray(0, 32), iv),
    /Wrong key: .*encrypted key/,
  ],
  ['IV in front', Buffer.concat([iv, right]), /IV stands before/],
  ['no padding', under(cbc, key, iv, whole, false), /lacks PKCS#7/],
  [
    'zeros',
    under(cbc, key, iv, Buffer.concat([text, Buffer.alloc(16 - (text.length % 16))]), false),
    /padded with zeros/,
  ],
  ['encrypted twice', under(cbc, key, iv, right), /encrypted twice/],
  ['cut at a block', right.subarray(0, -16), /cut short/],
  ['cut in a block', right.subarray(0, -5), /cut short/],
]

for (const [what, content, said] of contents) {
  test(`the judge names content: ${what}`, () => {
    const evidence = { key, iv, wrappedKey, declaredHash: hash(text) }
    expect(explainContent(content, evidence)).toMatch(said)
  })
}

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const [symmetric, token] = [pair(), pair()]
const held = [
  { usage: ['SvcTokenEncryption'], key: token.privateKey, current: true },
  { usage: ['SymmetricKeyEncryption'], key: symmetric.privateKey, current: true },
]
const wrap = (bytes: Uint8Array, oaepHash = 'sha256', { publicKey } = symmetric) =>
  publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, bytes)

const keys: [string, Uint8Array | undefined, Uint8Array | undefined, RegExp][] = [
  ['an IV of 12 bytes', wrap(key), randomBytes(12), /12 bytes.*GCM/],
  ['an IV of 20 bytes', wrap(key), randomBytes(20), /20 bytes/],
  ['no Base64', undefined, iv, /not Base64/],
  ['not encrypted', key, iv, /not encrypted/],
  ['OAEP over SHA-1', wrap(key, 'sha1'), iv, /SHA-1/],
  ['the other usage', wrap(key, 'sha256', token), iv, /not for symmetric keys/],
  ['a key of 16 bytes', wrap(key.subarray(0, 16)), iv, /16 bytes/],
  ['the key in Base64', wrap(Buffer.from(key.toString('base64'))), iv, /Base64 form/],
  ['Base64 twice', Buffer.from(wrap(key).toString('base64')), iv, /Base64 twice/],
  ['a stranger', wrap(key, 'sha256', pair()), iv, /does not have/],
  [
    'PKCS#1 v1.5',
    publicEncrypt({ key: symmetric.publicKey, padding: constants.RSA_PKCS1_PADDING }, key),
    iv,
    /PKCS#1/,
  ],
]

for (const [what, wrapped, vector, said] of keys) {
  test(`the judge names a key: ${what}`, () => {
    expect(explainKey(wrapped, vector, held)).toMatch(said)
  })
}

test('the judge survives any bytes in place of a key', () => {
  for (let round = 0; round < 50; round++)
    expect(explainKey(randomBytes(256), iv, held)).toMatch(/does not have|PKCS#1/)
})

test('the judge names a digest', () => {
  const digest = createHash('sha256').update(text).digest()
  expect(explainDigest(hash(right), text, right)).toMatch(/encrypted content/)
  expect(explainDigest(digest.toString('hex'), text, right)).toMatch(/hexadecimal/)
  expect(explainDigest(hash(text), text, right)).toMatch(/size is not/)
  expect(explainDigest(digest.toString('base64url'), text, right)).toMatch(/URL-safe/)
  expect(explainDigest(hash(randomBytes(3)), text, right)).toMatch(/another content/)
})

const lines = Buffer.from('<a>\n<b/>\n</a>')
const bom = Buffer.from([0xef, 0xbb, 0xbf])
const rewritten: [string, Buffer, Buffer, RegExp][] = [
  ['a byte order mark that was hashed', Buffer.concat([bom, lines]), lines, /with a byte order/],
  ['a byte order mark that was not', lines, Buffer.concat([bom, lines]), /without its byte order/],
  ['Base64', Buffer.from(lines.toString('base64')), lines, /in Base64/],
  ['CRLF', Buffer.from(lines.toString().replaceAll('\n', '\r\n')), lines, /CRLF/],
  ['LF', lines, Buffer.from(lines.toString().replaceAll('\n', '\r\n')), /with LF/],
  ['a line end', Buffer.concat([lines, Buffer.from('\n')]), lines, /line end behind/],
  ['white space', lines, Buffer.concat([lines, Buffer.from('\n ')]), /white space/],
  ['UTF-16', Buffer.from(lines.toString(), 'utf16le'), lines, /UTF-16/],
]

for (const [what, hashed, sent, said] of rewritten)
  test(`the judge names a digest of the document rewritten: ${what}`, () => {
    expect(explainDigest(hash(hashed), sent, right)).toMatch(said)
  })

const now = Date.parse('2026-06-15T08:00:00.123Z')
const times: [string, string, RegExp][] = [
  ['seconds', String(Math.floor(now / 1000)), /in seconds/],
  ['microseconds', `${now}000`, /in microseconds/],
  ['nanoseconds', `${now}000000`, /in nanoseconds/],
  ['nothing', '', /no time/],
  ['a text', new Date(now).toISOString(), /written out/],
  ['a fraction', `${now}.5`, /fraction/],
  ['local time', String(now + 2 * 3_600_000), /local: it is off by 2 h/],
  ['another time', String(now - 25 * 60_000), /clocks differ/],
]

for (const [what, given, said] of times)
  test(`the judge names the time of a token: ${what}`, () => {
    expect(explainTime(given, now)).toMatch(said)
  })

const tokenKeys = held.map((one) => ({ usage: one.usage[0] ?? '', key: one.key }))
const envelope = Buffer.from('token|1781510400123')
const tokens: [string, Uint8Array, RegExp][] = [
  ['not encrypted', envelope, /not encrypted/],
  ['OAEP over SHA-1', wrap(envelope, 'sha1', token), /SHA-1/],
  ['the other key', wrap(envelope), /key for SymmetricKeyEncryption/],
  ['a stranger', wrap(envelope, 'sha256', pair()), /does not have/],
  [
    'PKCS#1 v1.5',
    publicEncrypt({ key: token.publicKey, padding: constants.RSA_PKCS1_PADDING }, envelope),
    /PKCS#1/,
  ],
]

for (const [what, encrypted, said] of tokens)
  test(`the judge names an encrypted token: ${what}`, () => {
    expect(explainToken(encrypted, tokenKeys)).toMatch(said)
  })

test('distinguishes a wrong padding from a wrong certificate', () => {
  const listed = held.map(
    (one) => ({ usage: one.usage as KeyUsage[], privateKey: one.key }) as unknown as ServiceKey,
  )
  const found = tokens.map(([what, encrypted]) => [
    what,
    isMisencrypted(listed, 'SvcTokenEncryption', encrypted),
  ])
  expect(Object.fromEntries(found)).toEqual({
    'not encrypted': true,
    'OAEP over SHA-1': true,
    'the other key': false,
    'a stranger': false,
    'PKCS#1 v1.5': true,
  })
})
