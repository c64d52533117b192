import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { svc } from '../../contract/dialects/svc.ts'
import { schema, schemaIds } from '../../contract/schemas.ts'
import { concatBytes, hex } from '../../lib/codec.ts'
import { decryptAes } from '../../lib/crypto.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { makeTarGz, makeZip, packBatch, readTarGz, readZip } from '../../lib/node/archive.ts'
import { BaselineError, readBaseline } from '../../lib/node/baseline.ts'
import { createSend, Unreachable } from '../../lib/node/fetch.ts'
import { curl, recorded, redactJson } from '../../lib/node/record.ts'
import { redactText } from '../../lib/redact.ts'
import { schemaJudge } from '../../lib/node/schema.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'assay-'))
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, contents: unknown): string => {
  const file = path.join(folder, name)
  writeFileSync(file, typeof contents === 'string' ? contents : JSON.stringify(contents))
  return file
}

test('archives return their input', () => {
  const files = fc.dictionary(
    fc.stringMatching(/^[a-z0-9]{1,40}\.xml$/),
    fc.uint8Array({ maxLength: 2000 }),
    { maxKeys: 6, noNullPrototype: true },
  )
  const plain = (given: Readonly<Record<string, Uint8Array>>) =>
    Object.entries(given).map(([name, bytes]) => [name, hex(bytes)])
  fc.assert(
    fc.property(files, (given) => {
      expect(plain(readZip(makeZip(given)))).toEqual(plain(given))
      expect(plain(readTarGz(makeTarGz(given)))).toEqual(plain(given))
    }),
    { numRuns: 40 },
  )
})

test('does not unpack archives that exceed the limit', () => {
  const zeros = { 'a.xml': new Uint8Array(100_000) }
  expect(() => readZip(makeZip(zeros), 99_999)).toThrow(/more than 99999 bytes/)
  expect(() => readTarGz(makeTarGz(zeros), 99_999)).toThrow(/larger than 99999 bytes/)
  expect(readZip(makeZip(zeros), 100_000)['a.xml']?.length).toBe(100_000)
  const lying = Buffer.from(makeZip(zeros))
  const directory = lying.indexOf('PK\x01\x02', 0, 'latin1')
  lying.writeUInt32LE(10, directory + 24)
  expect(readZip(lying, 100_000)['a.xml']?.length ?? 0, 'bytes of an entry that lies').toBeLessThan(
    11,
  )
})

test('the parts of a package decrypt separately and join to the archive', async () => {
  const batch = await packBatch({ 'a.xml': Buffer.from('<a/>') }, { partBytes: 50 })
  expect(batch.parts.length).toBeGreaterThan(1)
  const parts = await Promise.all(
    batch.parts.map(({ bytes }) => decryptAes(bytes, batch.key, batch.iv)),
  )
  const archive = concatBytes(parts)
  expect(archive.length).toBe(batch.fileSize)
  expect(Object.keys(readZip(archive))).toEqual(['a.xml'])
})

const token =
  '20251010-EC-1DCE3E3000-12ECB5B36E-45|nip-5265877635|919f0d3c5e1b2a4d919f0d3c5e1b2a4d919f0d3c5e1b2a4d919f0d3c5e1b2a4d'
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2lnbmF0dXJl'

test('redacts secrets everywhere', () => {
  const exchange: Exchange = {
    operation: 'auth.redeem',
    request: {
      method: 'POST',
      url: `http://host/up?sig=SECRET&a=1`,
      headers: { authorization: `Bearer ${jwt}`, 'x-note': jwt },
      body: JSON.stringify({ encryptedToken: 'SECRET', deep: [{ note: `a ${token} b` }] }),
    },
    status: 200,
    headers: {},
    bytes: Buffer.from(JSON.stringify({ accessToken: { token: 'SECRET' }, refreshToken: jwt })),
    text: '',
    body: {},
    startedAt: 0,
    ms: 1,
    span: [0, 0],
  }
  const kept = JSON.stringify(recorded(exchange))
  for (const secret of ['SECRET', jwt, token]) expect(kept).not.toContain(secret)
  expect(curl(exchange)).toContain('"authorization: Bearer $TOKEN"')
  expect(redactText(`x ${jwt} y`)).toBe('x (redacted) y')
})

const reference = '20260615-SO-2F6A9B0C1D-0E3F4A5B6C-7D'

for (const [what, text, shown] of [
  ['a token that was cut off', `{"accessToken":{"token":"${jwt.slice(0, 20)}`, '"(redacted)'],
  ['an opaque token', `200 {"refreshToken": "SECRET"}`, '200 {"refreshToken": "(redacted)"}'],
  ['a token within a text', JSON.stringify(`{"token":"SECRET"}`), String.raw`\"(redacted)\"`],
  ['a token of one stage', `{"token":"${token.slice(0, 80)}`, '"(redacted)'],
  ['a key of an address', `GET http://host/up/1?part=1&sig=SECRET`, '?part=1&sig=(redacted)'],
  [
    'a key in the path',
    `http://host/v2/receipts/${reference}.mqj7.SECRET`,
    `${reference}.(redacted)`,
  ],
  ['an opaque path', `http://host/upo/${'SECRET'.repeat(8)}?a=1`, 'http://host/upo/(redacted)?a=1'],
  ['half a key', '-----BEGIN PRIVATE KEY-----\nSECRET', '(redacted)'],
] as const)
  test(`${what} is redacted in what a message says`, () => {
    const kept = redactText(text)
    expect(kept).toContain(shown)
    for (const secret of ['SECRET', jwt.slice(0, 20), token.slice(50, 80)])
      expect(kept).not.toContain(secret)
  })

test('keeps URLs without signatures readable', () => {
  const text = `https://host/api/v2/sessions/${reference}/invoices/5265877635-20260615-0123456789AB-CD?pageSize=10`
  expect(redactText(text)).toBe(text)
})

test('redaction changes nothing else', () => {
  const plain = { referenceNumber: '20260615-SO-2F6A9B0C1D-0E3F4A5B6C-7D', count: 3, list: [null] }
  expect(redactJson(plain)).toEqual(plain)
})

test('a command line escapes quotes and bytes', () => {
  const line = (body: string | Uint8Array) =>
    curl({ request: { method: 'PUT', url: 'http://host/', headers: {}, body } })
  expect(line(`it's`)).toContain(String.raw`--data-raw 'it'\''s'`)
  expect(line(new Uint8Array([0, 255]))).toContain('--data-binary @part.bin # (2 bytes)')
})

test('a command line asks for the head of an answer in the way that ends', () => {
  const request = { method: 'HEAD', url: 'http://host/', headers: {} }
  expect(curl({ request })).toBe("curl -sS -i --head 'http://host/'")
})

test('every schema accepts its own examples', () => {
  const judge = schemaJudge(svc)
  let examples = 0
  for (const id of schemaIds) {
    for (const example of (schema(id)?.['examples'] ?? []) as unknown[]) {
      expect(judge.problems(id, example), id).toEqual([])
      examples += 1
    }
  }
  expect(examples).toBeGreaterThan(100)
})

test('a field of the wrong type is named', () => {
  expect(schemaJudge(svc).problems('ChallengeAnswer', { challenge: 5 })).toContain(
    '/challenge must be string',
  )
})

test('a baseline finds exactly what it lists', () => {
  const rule = 'auth.challenge.public'
  const baseline = readBaseline(
    write('known.json', { known: [{ rule, variant: 'x', reason: 'issue 5' }] }),
  )
  expect(baseline.find(rule, 'x')?.reason).toBe('issue 5')
  expect(baseline.find(rule, undefined)).toBeUndefined()
  const twice = write('twice.json', {
    known: [
      { rule, reason: 'issue 5' },
      { rule, reason: 'issue 6' },
    ],
  })
  expect(() => readBaseline(twice)).toThrow('twice')
  const unknown = write('unknown.json', { known: [{ rule: 'no.such.rule', reason: 'why' }] })
  expect(() => readBaseline(unknown)).toThrow(BaselineError)
})

test('distinguishes a missing response from a response', async () => {
  const sender = createSend()
  try {
    const error: unknown = await sender
      .send({
        method: 'GET',
        url: 'http://127.0.0.1:1/x?sig=SECRET',
        headers: {},
      })
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Unreachable)
    expect((error as Unreachable).code).toBe('ECONNREFUSED')
    expect((error as Unreachable).message).not.toContain('SECRET')
  } finally {
    sender.close()
  }
})
