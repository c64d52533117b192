import { gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import type { Server } from '../../../reference/server/server.ts'
import { startServer } from '../../../reference/server/server.ts'
import { serve } from '../../served.ts'
import type { Served } from '../../served.ts'
import {
  answerOf,
  ask,
  connectTo,
  expectWell,
  head,
  json,
  last,
  statusOf,
  statusesOf,
} from './wire.ts'

/** Wrong, slow or endless input is refused cleanly: no 5xx, and the service works afterwards. */

const token = '/api/v2/auth/svc-token'
const post = (body: string | Uint8Array, ...headers: string[]): Buffer =>
  Buffer.concat([
    Buffer.from(
      head('POST', token, [json, last, `content-length: ${Buffer.byteLength(body)}`, ...headers]),
    ),
    Buffer.from(body as string),
  ])
const get = (path: string, ...headers: string[]): string => head('GET', path, [last, ...headers])
const lengthOf = (length: string): string =>
  head('POST', token, [json, last, `content-length: ${length}`]) + '{}'
const chunked = (chunks: string, ...headers: string[]): string =>
  head('POST', token, [json, last, 'transfer-encoding: chunked', ...headers]) + chunks
const challenge = '/api/v2/auth/challenge'

/** Requests as bytes, and the statuses that are a clean refusal of them. */
const hostile: Readonly<
  Record<string, readonly [request: string | Uint8Array, ...statuses: number[]]>
> = {
  'escapes that are none': [get('/api/v2/auth/%ff%zz'), 401, 404],
  'a path of one escape': [get('/%'), 404],
  'an address that is none': [get('http://[bad/api/v2/'), 400],
  'an asterisk': [head('OPTIONS', '*', [last]), 400],
  TRACE: [head('TRACE', '/api/v2/auth/challenge', [last]), 405],
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
  'an expectation of nonsense': [
    head('POST', '/api/v2/auth/challenge', ['expect: nonsense', last]),
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
      last,
    ]) + 'x',
    401,
    403,
    404,
  ],
  'a body announced as endless': [
    head('POST', token, [json, 'content-length: 1000000000000', last]) + '{',
    413,
  ],
  'a body that grows beyond the limit': [
    chunked(`100000\r\n${'a'.repeat(0x100000)}\r\n`.repeat(30) + '0\r\n\r\n'),
    413,
  ],
  'a method that does not exist': [head('FOO', challenge, [last]), 400],
  'a method of another protocol': [head('PROPFIND', challenge, [last]), 405],
  'a method in lower case': [head('get', challenge, [last]), 400],
  CONNECT: [head('CONNECT', 'service:443', [last]), 405],
  'a head of 100 KB': [get('/api/v2/health', `x: ${'a'.repeat(100_000)}`), 431],
  'an address of 100 KB': [get(`/${'a'.repeat(100_000)}`), 431],
  'no version': ['GET\r\n\r\n', 400],
  'a version that does not exist': ['GET / HTTP/9.9\r\n\r\n', 400],
  zeroes: [Buffer.alloc(4), 400],
  'a length below zero': [lengthOf('-1'), 400],
  'a length that is no number': [lengthOf('abc'), 400],
  'a length beyond all': [lengthOf('9'.repeat(25)), 400],
  'a length and chunks': [chunked('2\r\n{}\r\n0\r\n\r\n', 'content-length: 5'), 400],
  'a body shorter than announced': [
    // What stands behind it is no request.
    head('POST', token, [json, 'content-length: 4']) + '{}\r\n{}',
    400,
  ],
  'an encoding of the transfer that does not exist': [
    head('POST', token, [json, last, 'transfer-encoding: nonsense']) + '{}',
    400,
  ],
  'extensions of a chunk without end': [chunked(`2;${'a=b;'.repeat(50_000)}\r\n{}\r\n`), 413],
  'trailers without end': [chunked(`2\r\n{}\r\n0\r\n${'x: y\r\n'.repeat(20_000)}\r\n`), 431],
  'chunks of one byte': [chunked('1\r\n \r\n'.repeat(20_000) + '2\r\n{}\r\n0\r\n\r\n'), 400],
  'a compressed body': [
    post(gzipSync(Buffer.alloc(10_000_000, '{')), 'content-encoding: gzip'),
    400,
  ],
  'a header with a zero byte': [get('/api/v2/health', 'x: a\0b'), 400],
  'a header over two lines': [get('/api/v2/health', 'x: a\r\n b'), 400],
  'fifteen thousand slashes': [get(`${'/'.repeat(15_000)}api`), 404],
  'a zero byte, escaped, in the path': [get('/api/v2/invoices/svc/a%00b'), 401],
  'invalid UTF-8 in the body': [post(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])), 400],
  'UTF-16 in the body': [post(Buffer.from('{}', 'utf16le')), 400],
  'a name 50,000 times': [post(`{${'"challenge":"a",'.repeat(50_000)}"challenge":"b"}`), 400],
  'a hundred thousand names': [
    post(`{${Array.from({ length: 70_000 }, (_, n) => `"k${n}":1`).join(',')}}`),
    400,
  ],
  'a number of 900,000 digits': [post(`{"challenge":1${'0'.repeat(900_000)}}`), 400],
  'names of methods': [
    post('{"toString":1,"hasOwnProperty":null,"challenge":{"toString":1},"constructor":{}}'),
    400,
  ],
  'half of a character': [post('{"challenge":"\\ud800","encryptedToken":"\\udfff"}'), 400],
}

test.describe('served', () => {
  let served: Served
  test.beforeAll(async () => {
    served = await serve()
  })
  test.afterAll(async () => {
    expect(await served.stop()).toBe(0)
  })

  for (const [what, [request, ...statuses]] of Object.entries(hostile)) {
    test(`refuses ${what}`, async () => {
      expect(statuses).toContain(statusOf(await ask(served.profile.url, request)))
      await expectWell(served.profile)
    })
  }

  test('answers a thousand calls in a row on one connection, in their order', async () => {
    const calls = [head('GET', '/api/v2/health'), head('GET', '/api/v2/none')].join('').repeat(500)
    const answer = await ask(served.profile.url, calls + get('/api/v2/health'))
    expect(statusesOf(answer)).toEqual(
      [...Array.from({ length: 500 }, () => [200, 404]), 200].flat(),
    )
  })

  test('reuses a connection whose body was too large', async () => {
    const large = head('POST', token, [json, 'content-length: 2000000']) + 'a'.repeat(2_000_000)
    const answer = await ask(served.profile.url, large + get('/api/v2/health'))
    expect(statusesOf(answer)).toEqual([413, 200])
  })

  test('sends the reason of a refusal to callers that are still writing, before it closes the connection', async () => {
    const endless = chunked(`100000\r\n${'a'.repeat(0x100000)}\r\n`.repeat(20))
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask(served.profile.url, endless)),
    )
    expect(answers.map(statusOf)).toEqual(answers.map(() => 413))
  })

  test('survives callers that disconnect during a request', async () => {
    for (let n = 0; n < 50; n++) {
      const socket = await connectTo(served.profile.url)
      socket.write(head('POST', token, [json, 'content-length: 1000']) + '{"challenge":')
      socket.destroy()
    }
    await expectWell(served.profile)
  })
})

test.describe('with short timeouts', () => {
  let server: Server
  test.beforeAll(async () => {
    server = await startServer({ limits: 'off', timeouts: { headers: 400, request: 800 } })
  })
  test.afterAll(() => server.close())
  const well = () => expectWell({ url: server.url, management: server.managementUrl })

  test('ends a request whose body never ends', async () => {
    const sockets = await Promise.all(Array.from({ length: 50 }, () => connectTo(server.url)))
    const answers = sockets.map(answerOf)
    for (const socket of sockets)
      socket.write(head('POST', token, [json, 'content-length: 1000']) + '{"challenge":')
    // Meanwhile others are served.
    await well()
    for (const answer of await Promise.all(answers)) expect([400, 408]).toContain(statusOf(answer))
    await well()
  })

  test('ends a request whose head never ends', async () => {
    const answers = ['GET', 'GET / HTTP/1.1\r\n', `GET ${challenge} HTTP/1.1\r\nhost: x\r\nx: `]
    for (const answer of await Promise.all(answers.map((bytes) => ask(server.url, bytes))))
      expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    await well()
  })

  test('ends a request with a chunk of an impossible length', async () => {
    expect(statusOf(await ask(server.url, chunked('ffffffffffffffff\r\nab')))).toBe(408)
    await well()
  })

  test('refuses an upload to an unknown address before it is received', async () => {
    const upload = '/api/v2/uploads/20260615-SB-2F6A9B0C1D-0E3F4A5B6C-7D/1?sig=none'
    // None of the announced bytes follow: a service that waits for them ends with 408.
    const announced = head('PUT', upload, ['content-length: 50000000'])
    expect(statusOf(await ask(server.url, announced))).toBe(403)
    await well()
  })
})
