import { X509Certificate } from 'node:crypto'
import { expect, test } from '@playwright/test'
import { sound } from '../../examples/client/conduct.ts'
import { createKeyList } from '../../examples/client/key-list.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { makeCertificate, sealSubject } from '../../lib/node/pki.ts'

/** The model client encrypts with the key that the service has now, however slow the answers are. */

const usage = 'SymmetricKeyEncryption'
const now = Date.parse('2026-06-15T08:00:00Z')
const { certificate } = makeCertificate({ subject: sealSubject('5265877635'), now, keys: 'rsa' })
const der = new X509Certificate(certificate).raw.toString('base64')

const answer = (status: number, body: unknown): Exchange => ({
  operation: 'keys.list',
  request: { method: 'GET', url: 'http://127.0.0.1', headers: {} },
  status,
  headers: {},
  bytes: new Uint8Array(),
  text: '',
  body,
  startedAt: now,
  ms: 1,
  span: [0, 0],
})

/** A service that lists one key, valid from this many milliseconds after `now`. */
const listing = (fromMs: number) => {
  const entry = {
    usage: [usage],
    certificate: der,
    validFrom: new Date(now + fromMs).toISOString(),
    validTo: new Date(now + 3_600_000_000).toISOString(),
  }
  let reads = 0
  const call = () => {
    reads += 1
    return Promise.resolve(answer(200, [entry]))
  }
  const keys = createKeyList({ client: { codec: nodeCodec }, call }, sound)
  return { keys, reads: () => reads }
}

test('a key that is valid a little later by a clock that a slow answer set is used', async () => {
  const { keys } = listing(5_000)
  const { status } = await keys.using(
    usage,
    new Uint8Array(32),
    () => now,
    () => Promise.resolve(answer(201, {})),
  )
  expect(status).toBe(201)
})

test('a key of the next hour is not used', async () => {
  const { keys } = listing(3_600_000)
  const sent = keys.using(
    usage,
    new Uint8Array(32),
    () => now,
    () => Promise.resolve(answer(201, {})),
  )
  await expect(sent).rejects.toThrow('no certificate for SymmetricKeyEncryption is valid')
})

test('a refusal has the list read again, and the time too', async () => {
  const { keys, reads } = listing(120_000)
  const times = [now + 121_000, now + 122_000]
  const statuses = [400, 201]
  const { status } = await keys.using(
    usage,
    new Uint8Array(32),
    () => times.shift() ?? now,
    () => Promise.resolve(answer(statuses.shift() ?? 500, {})),
  )
  expect(status).toBe(201)
  expect(reads()).toBe(2)
  expect(times, 'each attempt asks for the time').toEqual([])
})
