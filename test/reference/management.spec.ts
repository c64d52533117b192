import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { linkUntil, signLink } from '../../reference/http/links.ts'
import { parseInstant } from '../../reference/base/instants.ts'
import type { Reference } from '../../reference/service/reference.ts'
import { createReference } from '../../reference/service/reference.ts'

/** What the management port takes, and what it refuses: what was expected, what was received, nothing done. */

const startAt = Date.parse('2026-06-15T08:00:00Z')

// Keys take most of the time that a reference needs to start, so all tests share one, reset before each.
let running: Reference
test.beforeAll(async () => {
  running = await createReference({ startAt, clock: 'manual', seed: 1 })
})
test.afterAll(() => running.close())
test.beforeEach(async () => {
  await running.management.fetch(new Request('http://management/reset', { method: 'POST' }))
})

const put = async (method: string, path: string, body: string) => {
  const request = new Request(`http://management${path}`, { method, body })
  const answer = await running.management.fetch(request)
  return { status: answer.status, ...((await answer.json()) as { error?: string; now?: string }) }
}

const refused: readonly (readonly [method: string, path: string, body: string, says: RegExp])[] = [
  ['PUT', '/clock', '{"set":1781510400000.5}', /set: expected .*whole.* received 1781510400000\.5/],
  ['PUT', '/clock', '{"set":"tomorrow"}', /set: expected an instant .* received "tomorrow"/],
  ['PUT', '/clock', '{"set":"2026-02-30"}', /set: expected an instant .* received "2026-02-30"/],
  ['PUT', '/clock', '{"set":"2026-06-15T08:00:00"}', /set: expected an instant .*offset/],
  ['PUT', '/clock', '{"set":"9999-01-01"}', /set: expected an instant between 2000 and 2199/],
  ['PUT', '/clock', '{"set":null}', /set: expected an instant .* received null/],
  ['PUT', '/clock', '{"advance":1.5}', /advance: expected .*whole milliseconds.* received 1\.5/],
  ['PUT', '/clock', '{"advance":-1}', /advance: expected .* from 0, received -1/],
  ['PUT', '/clock', '{"advance":"PT0.0005S"}', /advance: expected .* received "PT0\.0005S"/],
  ['PUT', '/clock', '{"advance":"P900000D"}', /advance: expected to stay before 2200/],
  ['PUT', '/clock', '{"freeze":true,"advance":"soon"}', /advance: .* received "soon"/],
  ['PUT', '/clock', '{"freeze":"yes"}', /freeze: expected true or false, received "yes"/],
  ['PUT', '/clock', '{"turn":1}', /expected set, advance or freeze, received \{"turn":1\}/],
  ['PUT', '/clock', 'null', /expected a JSON object, received null/],
  ['PUT', '/clock', '[]', /expected a JSON object, received \[\]/],
  ['PUT', '/clock', '{', /not JSON/],
  ['PUT', '/delays', '{"expiry":"PT1M"}', /expected some of authentication, .* received "expiry"/],
  ['PUT', '/delays', '{"invoice":"soon"}', /invoice: expected a duration .* received "soon"/],
  ['PUT', '/sizes', '{"exports.running":1}', /expected some of receipt.* received "exports/],
  ['PUT', '/sizes', '{"exports.invoices":0}', /exports\.invoices: expected a whole number.* 0/],
  ['PUT', '/limits', '"tight"', /expected "production", "test", "off" or a table/],
  ['PUT', '/limits', '{"queries":{}}', /no rate rule is called queries/],
  ['POST', '/keys/rotate', '{"usage":"All"}', /usage: expected SvcTokenEncryption or .*"All"/],
  ['POST', '/keys/rotate', '{"usage":"SymmetricKeyEncryption","overlap":0.1}', /overlap: expected/],
  ['POST', '/contexts', '{"value":"123"}', /'value'/],
  ['POST', '/contexts', '{"algorithm":"DSA"}', /'algorithm' must be one of RSA, P-256/],
  ['POST', '/contexts', '{"permissions":["Fly"]}', /'permissions\[0\]' must be one of/],
  ['POST', '/contexts', '"5265877635"', /expected a JSON object/],
]

for (const [method, path, body, says] of refused)
  test(`${method} ${path} refuses ${body} and says why`, async () => {
    const { status, error } = await put(method, path, body)
    expect(error).toMatch(says)
    expect(status).toBe(400)
    expect(running.clock.now(), 'the clock stands as it stood').toBe(startAt)
  })

test('the clock takes instants with their offset, days and whole milliseconds', async () => {
  const turns: readonly (readonly [body: unknown, now: string])[] = [
    [{ set: '2026-07-01T10:00:00.1239+02:00' }, '2026-07-01T08:00:00.123Z'],
    [{ set: '2026-08-01' }, '2026-08-01T00:00:00.000Z'],
    [{ set: startAt }, '2026-06-15T08:00:00.000Z'],
    [{ advance: 1 }, '2026-06-15T08:00:00.001Z'],
    [{ advance: 'PT0.999S' }, '2026-06-15T08:00:01.000Z'],
  ]
  for (const [body, now] of turns)
    expect(await put('PUT', '/clock', JSON.stringify(body))).toMatchObject({
      status: 200,
      now,
    })
})

test('in the process, waits are whole milliseconds and never shorter; links hold after any of them', async () => {
  const { clock, service } = running
  await clock.advance(0.25)
  expect(clock.now()).toBe(startAt + 1)
  const until = clock.now() + 1_000
  const link = signLink(service, 'receipt', 'one', until)
  expect(linkUntil(service, 'receipt', 'one', link)).toBe(until)
  clock.at(startAt + 2.5, () => expect(clock.now()).toBe(startAt + 3))
  await clock.advance(10)
  for (const wrong of [startAt + 0.5, Number.NaN, Number.POSITIVE_INFINITY, 0])
    await expect(clock.set(wrong)).rejects.toThrow(
      `the instant to set the clock to: expected an instant between 2000 and 2199`,
    )
  for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    await expect(clock.advance(wrong)).rejects.toThrow(`received ${wrong}`)
  await clock.advance(1)
  expect(clock.now(), 'what was refused holds up nothing').toBe(startAt + 12)
  await expect(createReference({ startAt: startAt + 0.5 })).rejects.toThrow('startAt: expected')
})

test('an instant is read as it is written, or not at all', () => {
  expect(parseInstant('2026-06-15T10:00+02:00')).toBe(startAt)
  for (const wrong of ['5', '2026', '2026-06', '15.06.2026', '2026-06-15 08:00Z', '2026-13-01', ''])
    expect(parseInstant(wrong), wrong).toBeUndefined()
})

const callers: readonly (readonly [string, Record<string, string>, number])[] = [
  ['a program on this machine', { host: '127.0.0.1:9091' }, 200],
  ['a program that names no host', {}, 200],
  ['a container by its short name', { host: 'reference:9091' }, 200],
  ['a page of this machine', { host: '127.0.0.1:9091', origin: 'http://127.0.0.1:3000' }, 403],
  ['a sandboxed page', { host: 'localhost:9091', origin: 'null' }, 403],
  ['a page whose name was pointed here', { host: 'attacker.example:9091' }, 403],
]
for (const [who, headers, status] of callers)
  test(`${who} that calls /reset gets ${status}`, async () => {
    const { management, clock } = running
    await clock.advance(60_000)
    const before = clock.now()
    const url = 'http://management/reset'
    const answer = await management.fetch(new Request(url, { method: 'POST', headers }))
    expect(answer.status).toBe(status)
    expect(clock.now() < before, 'whether the clock went back').toBe(status === 200)
  })

test('after a reset, certificates of contexts that were made later are still valid', async () => {
  const service = await createReference({
    startAt,
    clock: 'manual',
    seed: 1,
    environment: 'demo',
  })
  try {
    await service.clock.advance(3_000)
    const { certificate } = await service.control.createContext({ algorithm: 'P-256' })
    service.control.reset()
    const { validFrom } = new X509Certificate(readFileSync(certificate))
    expect(Date.parse(validFrom)).toBeLessThanOrEqual(service.clock.now())
  } finally {
    await service.close()
  }
})
