import { expect, test } from '@playwright/test'
import { transportHandlers } from '../../reference/handlers/transport.ts'
import type { AnyCall } from '../../reference/call/call.ts'
import { createJournal, redact, weightOf } from '../../reference/model/journal.ts'
import { refuse } from '../../reference/base/refusals.ts'
import { createReference } from '../../reference/service/reference.ts'
import type { Reference } from '../../reference/service/reference.ts'

// What strangers send is kept only up to a bound, and what all of them receive is created once.

let running: Reference
test.beforeAll(async () => {
  const startAt = Date.parse('2026-06-15T08:00:00Z')
  running = await createReference({ limits: 'off', startAt, clock: 'manual' })
})
test.afterAll(() => running.close())

const ask = async (path: string, init: RequestInit & { duplex?: 'half' } = {}): Promise<Response> =>
  running.fetch(new Request(`http://service/api/v2${path}`, init), { address: '127.0.0.1' })

test('the journal keeps the newest entries within its memory limit', () => {
  const journal = createJournal(() => 0, 1_000, 10_000)
  for (let n = 1; n <= 100; n++) journal.add('exchange', { n }, 1_000)
  const kept = journal.after(0)
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.length).toBeLessThanOrEqual(10)
  expect(kept.at(-1)).toMatchObject({ sequence: 100, n: 100 })
  expect(kept.map(({ sequence }) => sequence)).toEqual(kept.map((_, at) => 101 - kept.length + at))
  expect(journal.last()).toBe(100)
  // Small entries are only bounded by their number.
  for (let n = 0; n < 500; n++) journal.add('state', {})
  expect(journal.after(100)).toHaveLength(500)
})

test('the estimated size of a value includes its texts, names and fields', () => {
  expect(weightOf('a'.repeat(1_000))).toBeGreaterThanOrEqual(1_000)
  expect(weightOf({ ['a'.repeat(1_000)]: 1 })).toBeGreaterThanOrEqual(1_000)
  expect(weightOf(Array.from({ length: 100 }, () => ({})))).toBeGreaterThan(2_000)
  expect(weightOf(new Uint8Array(5_000))).toBe(5_000)
})

test('the journal truncates values that callers invent', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n]))
  const shown = redact(many) as Record<string, unknown>
  expect(Object.keys(shown)).toHaveLength(201)
  expect(shown).toMatchObject({ k0: 0, k199: 199, '(more)': 4_800 })
})

test('long URLs and requests count towards the memory limit of the journal', async () => {
  // Entries that fill most of the 100 MB, so that a few long addresses evict the oldest.
  const filling = 950
  for (let n = 0; n < filling; n++) running.journal.add('state', {}, 100_000)
  const before = running.journal.last()
  const calls = 600
  const long = `/${'a'.repeat(15_000)}`
  const statuses = new Set<number>()
  for (let n = 0; n < calls; n++) statuses.add((await ask(long)).status)
  expect([...statuses]).toEqual([404])
  expect(running.journal.last() - before).toBe(calls)
  // 95 MB and 9 MB of addresses are more than the journal may hold.
  expect(running.journal.after(before)).toHaveLength(calls)
  expect(running.journal.after(before - filling).length).toBeLessThan(filling + calls - 20)
})

test('challenges are removed one day after their expiry', async () => {
  const { challenges } = running.service.state
  for (let n = 0; n < 20; n++) await ask('/auth/challenge', { method: 'POST' })
  await running.clock.advance(24 * 3_600_000)
  await ask('/auth/challenge', { method: 'POST' })
  expect(challenges.size(), 'within the day').toBe(21)
  await running.clock.advance(3_600_000)
  await ask('/auth/challenge', { method: 'POST' })
  expect(challenges.size(), 'after it').toBe(2)
})

test('refusals quote only the beginning of the input', () => {
  expect(refuse('document-schema', 'a'.repeat(1_000_000)).details[0]).toHaveLength(1_003)
  expect(refuse('document-schema', 'short').details).toEqual(['short'])
})

test('reads a body in chunks of one byte', async () => {
  const text = JSON.stringify({ challenge: 'x'.repeat(10_000), contextIdentifier: 5 })
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of Buffer.from(text)) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const answer = await ask('/auth/svc-token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    duplex: 'half',
  })
  // The body was read completely: the refusal concerns its content.
  expect(await answer.json()).toMatchObject({
    code: 21405,
    details: expect.arrayContaining([expect.stringMatching(/'contextIdentifier' must be object/)]),
  })
})

test('the description of the interface is written once, and again when the address changes', async () => {
  const { service } = running
  const describe = (publicUrl = service.publicUrl) =>
    transportHandlers['transport.openapi']({
      service: { ...service, publicUrl },
    } as AnyCall as never) as { readonly bytes: Uint8Array }
  const first = describe().bytes
  expect(describe().bytes).toBe(first)
  const moved = `https://example.test${service.dialect.prefix}`
  const second = describe(moved).bytes
  const names = (bytes: Uint8Array) => Buffer.from(bytes).includes('https://example.test')
  expect([first, second].map(names)).toEqual([false, true])
  expect(describe(moved).bytes).toBe(second)
})
