import { expect, test } from '@playwright/test'
import type { Send, WireRequest } from '../../lib/exchange.ts'
import { createSend } from '../../lib/node/fetch.ts'
import { startServer } from '../../reference/server/server.ts'
import { bodyOf } from '../../reference/service/responses.ts'
import { sendWithin } from '../../suites/support/service/in-process.ts'

/** Calls of an embedded reference take no socket, and are answered as those that do. */

const requests: Readonly<Record<string, Omit<WireRequest, 'url'> & { readonly path: string }>> = {
  'without a body': { method: 'GET', path: '/health', headers: {} },
  'with an empty body': { method: 'POST', path: '/auth/challenge', headers: {} },
  'with JSON': {
    method: 'POST',
    path: '/auth/svc-token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ challenge: 'ąę', contextIdentifier: { type: 'Nip', value: 'x' } }),
  },
  'with bytes that are no text': {
    method: 'POST',
    path: '/auth/svc-token',
    headers: { 'content-type': 'application/json' },
    body: new Uint8Array([123, 34, 255, 34]),
  },
  'with XML': {
    method: 'POST',
    path: '/auth/xades-signature',
    headers: { 'content-type': 'application/xml' },
    body: '<a>ą</a>',
  },
  'with a body that is too large': {
    method: 'POST',
    path: '/auth/svc-token',
    headers: { 'content-type': 'application/json' },
    body: `"${'a'.repeat(20_000_000)}"`,
  },
  'of another media type': {
    method: 'POST',
    path: '/auth/svc-token',
    headers: { 'content-type': 'text/plain' },
    body: 'a=1',
  },
  'without a token': { method: 'GET', path: '/sessions?sessionType=Online', headers: {} },
  'with a token that is none': {
    method: 'GET',
    path: '/limits/context',
    headers: { authorization: 'Bearer abc' },
  },
  'by another method': { method: 'PATCH', path: '/sessions/online', headers: {} },
  'of a path that is not there': { method: 'GET', path: '/%E2%82%AC//there', headers: {} },
}

/** What every answer has of its own: times, numbers and what a connection adds. */
const told = ({ status, headers, body }: Awaited<ReturnType<Send>>) => {
  const { 'content-type': media, allow, 'retry-after': wait } = headers
  const text = Buffer.from(body).toString('latin1')
  return {
    status,
    media,
    allow,
    wait,
    text: text.replace(/\d{4}-\d\d-\d\dT[^"]+|\d{13}|[\dA-F]{10}|-[\dA-F]{2}"/g, '#'),
  }
}

test('a call is answered as by the socket, whatever it brings', async () => {
  const server = await startServer({ limits: 'off', seed: 1 })
  const socket = createSend()
  const within = sendWithin(
    server.origin,
    (request, by) => server.reference.fetch(request, by),
    bodyOf,
  )
  const send = within(() => Promise.reject(new Error('no call of these needs a socket')))
  try {
    for (const [what, { path, ...request }] of Object.entries(requests)) {
      const wire = { ...request, url: `${server.url}${path}` }
      expect(told(await send(wire)), `a call ${what}`).toEqual(told(await socket.send(wire)))
    }
  } finally {
    socket.close()
    await server.close()
  }
})

test('calls that depend on a connection, and calls of others, go by the socket', async () => {
  const bySocket: string[] = []
  const within = sendWithin(
    'http://here.test',
    () => Promise.reject(new Error('not by this')),
    bodyOf,
  )
  const send = within(({ url, method }) => {
    bySocket.push(`${method} ${url}`)
    return Promise.resolve({ status: 200, headers: {}, body: new Uint8Array() })
  })
  const call = { method: 'GET', url: 'http://here.test/a', headers: {} }
  await send({ ...call, method: 'HEAD' })
  await send({ ...call, url: 'http://here.test.other/a' })
  const release = Promise.resolve()
  await send({ ...call, method: 'PUT', body: 'a' }, { held: { begun: () => undefined, release } })
  expect(bySocket).toEqual([
    'HEAD http://here.test/a',
    'GET http://here.test.other/a',
    'PUT http://here.test/a',
  ])
  await expect(send(call), 'a service that breaks').rejects.toThrow('ECONNRESET')
})
