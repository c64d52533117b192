import { connect } from 'node:net'
import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import { svc } from '../../../contract/dialects/svc.ts'
import { schema } from '../../../contract/schemas.ts'
import type { Json } from '../../../contract/types.ts'
import { createClient } from '../../../lib/client.ts'
import { loginWithToken } from '../../../lib/flows/login.ts'
import { nodeCodec } from '../../../lib/node/codec.ts'
import { createSend } from '../../../lib/node/fetch.ts'
import { startServer } from '../../../reference/server.ts'
import type { RunningServer } from '../../../reference/server.ts'

// Whatever comes in, nothing ends in a 5xx, every refusal has the one shape, and the service is well afterwards.

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer({
    seed: 1,
    limits: 'off',
    startAt: Date.parse('2026-06-15T08:00:00Z'),
  })
})
test.afterAll(() => server.close())

const broken = () =>
  server.running.journal
    .after(0)
    .filter(({ kind }) => kind === 'broken')
    .map(({ error }) => error)

const healthy = async () => {
  expect((await fetch(`${server.url}/health`)).status, 'health').toBe(200)
  expect(broken(), 'failures within the service').toEqual([])
}

/** What the service says to bytes that are not necessarily HTTP. */
const raw = (
  bytes: string | Uint8Array,
  { hostname, port }: Pick<URL, 'hostname' | 'port'> = new URL(server.url),
): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => (answer += chunk))
    socket.on('end', () => resolve(answer))
    socket.on('close', () => resolve(answer))
    // Writing on after the refusal fails; the answer is there all the same.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EPIPE' || error.code === 'ECONNRESET' ? resolve(answer) : reject(error),
    )
    socket.write(bytes)
  })

const texts = fc.constantFrom(
  '',
  'x',
  '%2F',
  '%',
  '%zz',
  '..',
  '0',
  '\u00e9',
  '%00',
  '5265877635',
  '20260615-SO-2F6A9B0C1D-0E3F4A5B6C-7D',
  '5265877635-20250826-0100001AF629-AF',
)
const values: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, -1, 1e308, '', '\ud800', '2026-13-45', '9999-12-31T23:59:59Z'),
  fc.string({ maxLength: 40 }),
  fc.constantFrom<Json>([], {}, [[]], 'a'.repeat(70_000)),
)

test('random calls of every operation', async () => {
  test.setTimeout(120_000)
  const context = server.profile.contexts[0]!
  const sender = createSend()
  const client = createClient({
    send: sender.send,
    baseUrl: server.url,
    dialect: svc,
    codec: nodeCodec,
  })
  const { accessToken } = await loginWithToken(client, {
    context: { type: context.kind, value: context.value },
    token: context.token,
  })
  sender.close()
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...operationIds),
      fc.array(texts, { minLength: 4, maxLength: 4 }),
      fc.constantFrom(
        '',
        '?pageSize=9',
        '?pageOffset=-1',
        '?%',
        '?statuses=Nope',
        '?pageSize=10&a=%ff',
      ),
      fc.constantFrom('application/json', 'application/xml', 'text/plain', ''),
      fc.nat(1_000),
      values,
      async (operation, parts, query, media, place, value) => {
        const row = endpoint(operation)
        let at = 0
        const path = row.path.replace(/\{[^}]+\}/g, () => parts[at++ % parts.length] || 'x')
        const examples = (schema(row.request?.schema ?? '')?.['examples'] ?? [{}]) as Json[]
        const example = { ...(examples[0] as Record<string, Json>) }
        const names = Object.keys(example)
        if (names.length > 0) example[names[place % names.length]!] = value
        const given = row.request?.media === 'application/json' || media !== '' ? media : undefined
        const answer = await fetch(server.url + path + query, {
          method: row.method,
          headers: {
            ...(given !== undefined && { 'content-type': given || row.request!.media }),
            ...(place % 10 > 0 && { authorization: `Bearer ${accessToken}` }),
          },
          ...(row.method !== 'GET' && { body: JSON.stringify(example) }),
        })
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
        if (answer.status >= 400) {
          const body = (await answer.json()) as { code?: unknown; description?: unknown }
          return (
            answer.status < 500 &&
            typeof body.code === 'number' &&
            typeof body.description === 'string'
          )
        }
        await answer.arrayBuffer()
        return true
      },
    ),
    { numRuns: 1_500 },
  )
  expect([...seen.keys()].every((status) => status < 500)).toBe(true)
  await healthy()
})

test('bytes that are not HTTP', async () => {
  for (const bytes of [
    '\0\0\0\0',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00',
  ]) {
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 4\d\d |^$/)
  }
  await healthy()
})

test('a header section without an end', async () => {
  const endless = `GET /api/v2/health HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(100_000)}\r\n`
  expect(await raw(endless)).toMatch(/^HTTP\/1\.1 431 |^$/)
  await healthy()
})

test('a body longer than it may be: announced, and in chunks', async () => {
  const head =
    'POST /api/v2/auth/svc-token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  expect(await raw(`${head}content-length: 999999999\r\n\r\n{`)).toMatch(/^HTTP\/1\.1 413 /)
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
  expect(await raw(`${head}transfer-encoding: chunked\r\n\r\n${chunk.repeat(40)}`)).toMatch(
    /^HTTP\/1\.1 413 /,
  )
  await healthy()
})

test('a body that breaks off', async () => {
  const { hostname, port } = new URL(server.url)
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write('POST /api/v2/auth/svc-token HTTP/1.1\r\nhost: x\r\n')
      socket.write('content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"challenge')
      setImmediate(() => socket.destroy())
    })
    socket.on('close', () => resolve())
  })
  await healthy()
})

test('headers and bodies that never come to an end', async () => {
  const slow = await startServer({ seed: 3, patience: { headers: 300, request: 600 } })
  const { hostname, port } = new URL(slow.url)
  const begin = 'POST /api/v2/auth/svc-token HTTP/1.1\r\nhost: x\r\n'
  const answers = [
    begin,
    `${begin}content-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
  ].map((bytes) => raw(bytes, { hostname, port }))
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 408 |^$/)
  expect((await fetch(`${slow.url}/health`)).status).toBe(200)
  await slow.close()
})

test('bodies nested without end', async () => {
  for (const body of [
    '['.repeat(300_000),
    '{"a":'.repeat(100_000),
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  ]) {
    const answer = await fetch(`${server.url}/auth/svc-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(answer.status).toBe(400)
  }
  await healthy()
})

test('two thousand connections that say nothing', async () => {
  const { hostname, port } = new URL(server.url)
  const sockets = await Promise.all(
    Array.from(
      { length: 2_000 },
      () =>
        new Promise<ReturnType<typeof connect>>((resolve, reject) => {
          const socket = connect(Number(port), hostname, () => resolve(socket))
          socket.on('error', reject)
        }),
    ),
  )
  await healthy()
  for (const socket of sockets) socket.destroy()
})

test('a close lets running calls end', async () => {
  const other = await startServer({ seed: 2, limits: 'off' })
  const { hostname, port } = new URL(other.url)
  const head =
    'POST /api/v2/auth/svc-token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n'
  let answer = ''
  const socket = connect(Number(port), hostname)
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => (answer += chunk))
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.write(`${head}{`)
  // The call has begun once the service has answered another one after it.
  await fetch(`${other.url}/health`)
  const closed = other.close()
  socket.write('}')
  await Promise.all([closed, ended])
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
})
