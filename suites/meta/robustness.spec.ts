import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { expect, test } from '@playwright/test'
import type { RunningServer } from '../../reference/server.ts'
import { startServer } from '../../reference/server.ts'
import { serve } from './served.ts'

/** What comes over the wire from clients that are slow, many, or hostile ends in a clean refusal; nothing is a 5xx. */

const connectTo = async (url: string): Promise<net.Socket> => {
  const { hostname, port } = new URL(url)
  const socket = net.connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

/** Everything that comes until the connection ends. */
const answerOf = async (socket: net.Socket): Promise<string> => {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // Whoever is refused in the middle of a body may still be writing it.
  socket.on('error', () => undefined)
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return Buffer.concat(chunks).toString('latin1')
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])

const head = (method: string, path: string, headers: readonly string[] = []): string =>
  [`${method} ${path} HTTP/1.1`, 'host: service', ...headers, '', ''].join('\r\n')

const json = 'content-type: application/json'
const token = '/api/v2/auth/svc-token'
const post = (body: string): string =>
  head('POST', token, [json, 'connection: close', `content-length: ${body.length}`]) + body
const get = (path: string, ...headers: string[]): string =>
  head('GET', path, ['connection: close', ...headers])
const chunked = (chunks: string): string =>
  head('POST', token, [json, 'connection: close', 'transfer-encoding: chunked']) + chunks

/** Requests as bytes, and the statuses that are a clean refusal of them. */
const hostile: Readonly<
  Record<string, readonly [request: string | Buffer, ...statuses: number[]]>
> = {
  'escapes that are none': [get('/api/v2/auth/%ff%zz'), 401, 404],
  'a path of one escape': [get('/%'), 404],
  'an address that is none': [get('http://[bad/api/v2/'), 400],
  'an asterisk': [head('OPTIONS', '*', ['connection: close']), 400],
  TRACE: [head('TRACE', '/api/v2/auth/challenge', ['connection: close']), 405],
  'two slashes': [get('//api//v2'), 404],
  'a way out of the root': [get('/api/v2/../../etc/passwd'), 404],
  'a long path': [get(`/${'a'.repeat(15_000)}`), 404, 414],
  'a long header': [get('/', `x: ${'a'.repeat(20_000)}`), 431],
  'a zero byte in the path': [get('/a\0b'), 400],
  'no host': ['GET / HTTP/1.1\r\n\r\n', 400],
  'a host that is none': [
    'GET /api/v2/health HTTP/1.1\r\nhost: [::\r\nconnection: close\r\n\r\n',
    400,
  ],
  'two lengths': [head('POST', token, ['content-length: 1', 'content-length: 2']) + 'ab', 400],
  'a chunk without length': [chunked('zz\r\nab'), 400],
  'a chunk of no possible length': [chunked('ffffffffffffffff\r\nab'), 400, 408],
  'an expectation of nonsense': [
    head('POST', '/api/v2/auth/challenge', ['expect: nonsense', 'connection: close']),
    417,
  ],
  'no HTTP': [Buffer.from([0x16, 3, 1, 0, 200, 1, 0, 0]), 400],
  'arrays, 200,000 deep': [post('['.repeat(200_000) + ']'.repeat(200_000)), 400],
  'objects, 100,000 deep': [post('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)), 400],
  'names of prototypes': [
    post('{"__proto__":{"x":1},"contextIdentifier":{"type":"__proto__","value":"constructor"}}'),
    400,
  ],
  'a number beyond all': [post('1e999999'), 400],
  null: [post('null'), 400],
  'no JSON': [post('{'), 400],
  'a bearer without end': [
    get('/api/v2/sessions', `authorization: Bearer ${'a.'.repeat(3000)}`),
    401,
  ],
  'a link with a zero byte': [
    head('PUT', '/api/v2/sessions/batch/x/parts/99999999999999999999?sig=%00', [
      'content-length: 1',
      'connection: close',
    ]) + 'x',
    401,
    403,
    404,
  ],
  'a body announced as endless': [
    head('POST', token, [json, 'content-length: 1000000000000', 'connection: close']) + '{',
    413,
  ],
  'a body that grows beyond the limit': [
    chunked(`100000\r\n${'a'.repeat(0x100000)}\r\n`.repeat(30) + '0\r\n\r\n'),
    413,
  ],
}

const broken = ({ running }: RunningServer): readonly unknown[] =>
  running.journal.after(0).filter(({ kind }) => kind === 'broken')

test.describe('one service', () => {
  let server: RunningServer
  test.beforeAll(async () => {
    server = await startServer({
      limits: 'off',
      patience: { headers: 400, request: 800 },
    })
  })
  test.afterAll(() => server.close())

  for (const [what, [request, ...statuses]] of Object.entries(hostile)) {
    test(`refuses ${what}`, async () => {
      const socket = await connectTo(server.url)
      const answer = answerOf(socket)
      socket.write(request)
      expect(statuses).toContain(statusOf(await answer))
      expect(broken(server)).toEqual([])
    })
  }

  test('lets nobody wait for a body that never ends', async () => {
    const sockets = await Promise.all(Array.from({ length: 50 }, () => connectTo(server.url)))
    const answers = sockets.map(answerOf)
    for (const socket of sockets)
      socket.write(head('POST', token, [json, 'content-length: 1000']) + '{"challenge":')
    // Meanwhile others are served.
    const other = await fetch(`${server.url}/auth/challenge`, { method: 'POST' })
    expect(other.status).toBe(200)
    for (const answer of await Promise.all(answers)) expect([400, 408]).toContain(statusOf(answer))
    expect(broken(server)).toEqual([])
  })

  test('survives callers that hang up in the middle', async () => {
    for (let n = 0; n < 50; n++) {
      const socket = await connectTo(server.url)
      socket.write(head('POST', token, [json, 'content-length: 1000']) + '{"challenge":')
      socket.destroy()
    }
    const other = await fetch(`${server.url}/auth/challenge`, { method: 'POST' })
    expect(other.status).toBe(200)
    expect(broken(server)).toEqual([])
  })
})

test('answers what runs before it stops, and takes nothing new', async () => {
  const server = await startServer({ limits: 'off' })
  const socket = await connectTo(server.url)
  const answer = answerOf(socket)
  const body = '{"challenge":"x"}'
  socket.write(head('POST', token, [json, `content-length: ${body.length}`]) + body.slice(0, 5))
  // A call that was answered on another connection proves that the first half was read too.
  await fetch(`${server.url}/auth/challenge`, { method: 'POST' })
  const closed = server.close()
  await expect(connectTo(server.url)).rejects.toThrow(/ECONNREFUSED/)
  socket.write(body.slice(5))
  expect(statusOf(await answer)).toBe(400)
  await closed
})

/** Open files that a process may have; Node raises its soft limit to the hard one. */
const mostOpenFiles = (): number => {
  try {
    const [, , hard] = /^Max open files\s+(\S+)\s+(\S+)/m.exec(
      readFileSync('/proc/self/limits', 'utf8'),
    )!
    return hard === 'unlimited' ? Infinity : Number(hard)
  } catch {
    // Elsewhere than on Linux: what macOS allows by default.
    return 256
  }
}

test('holds ten thousand connections at once', async () => {
  test.setTimeout(120_000)
  const count = Math.min(10_000, mostOpenFiles() - 500)
  test.info().annotations.push({ type: 'connections', description: String(count) })
  const served = await serve()
  const sockets: net.Socket[] = []
  try {
    while (sockets.length < count) {
      const wave = Math.min(250, count - sockets.length)
      sockets.push(
        ...(await Promise.all(Array.from({ length: wave }, () => connectTo(served.profile.url)))),
      )
    }
    const statuses = new Map<number, number>()
    // All of them are open when the first of them asks.
    for (let at = 0; at < count; at += 250) {
      await Promise.all(
        sockets.slice(at, at + 250).map(async (socket) => {
          const first = once(socket, 'data') as Promise<[Buffer]>
          socket.write(head('GET', '/api/v2/health'))
          const status = statusOf((await first)[0].toString('latin1'))
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }),
      )
    }
    expect([...statuses]).toEqual([[200, count]])
    expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(0)
  } finally {
    for (const socket of sockets) socket.destroy()
    expect(await served.stop()).toBe(0)
  }
})
