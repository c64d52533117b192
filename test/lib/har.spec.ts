import { expect, test } from '@playwright/test'
import { svc } from '../../contract/dialects/svc.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { harOf } from '../../lib/node/har.ts'
import { readHar } from '../../suites/client/har.ts'
import { tidyUp } from '../../suites/support/cleanup/left-behind.ts'
import type { Client } from '../../lib/client.ts'
import type { CallOptions } from '../../lib/request.ts'

/** What is kept of the exchanges of a check, and what the check leaves on its target. */

const secret = `eyJ${'a'.repeat(30)}.${'b'.repeat(20)}.${'c'.repeat(20)}`

const exchange = (more: Partial<Exchange> = {}): Exchange => {
  const text = JSON.stringify({
    referenceNumber: '20260615-TO-2F6A9B0C1D-0E3F4A5B6C-7D',
    token: secret,
  })
  return {
    operation: 'tokens.create',
    request: {
      method: 'POST',
      url: 'https://service.test/api/v2/tokens?pageSize=10',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: '{"description":"d"}',
    },
    status: 202,
    headers: { 'content-type': 'application/json', 'set-cookie': 'id=1' },
    bytes: new TextEncoder().encode(text),
    text,
    body: JSON.parse(text) as unknown,
    startedAt: Date.parse('2026-06-15T08:00:00Z'),
    ms: 25,
    span: [0, 0],
    ...more,
  }
}

test('a HAR holds time, duration, headers and bodies, and no secret', () => {
  const text = harOf([exchange()], 'MUST tokens.create')
  expect(text).not.toContain(secret)
  expect(text).not.toContain('id=1')
  const [entry] = (JSON.parse(text) as { log: { entries: unknown[] } }).log.entries
  expect(entry).toMatchObject({
    startedDateTime: '2026-06-15T08:00:00.000Z',
    time: 25,
    request: { method: 'POST', queryString: [{ name: 'pageSize', value: '10' }] },
    response: { status: 202, content: { mimeType: 'application/json' } },
  })
})

test('reads the HAR files that it writes', () => {
  const history = readHar(harOf([exchange()], 'check'), svc)
  expect(history.steps.map(({ operation }) => operation)).toEqual(['tokens.create'])
})

const revoked = (request: Exchange['request']): Exchange =>
  exchange({ operation: 'tokens.revoke', request, status: 204 })

/** A client that notes what it is asked to do. */
const recording = (status: number) => {
  const calls: string[] = []
  const client = {
    with: () => client,
    call: (operation: string, { path }: CallOptions) => {
      calls.push(`${operation} ${path?.['referenceNumber']}`)
      return Promise.resolve(exchange({ status }))
    },
  } as unknown as Client
  return { client, calls }
}

const reference = '20260615-TO-2F6A9B0C1D-0E3F4A5B6C-7D'

test('a service token that a check leaves is revoked, and both are listed', async () => {
  const { client, calls } = recording(204)
  expect(await tidyUp(client, { exchanges: [exchange()] })).toEqual([
    { what: 'service token', id: reference, removed: true },
  ])
  expect(calls).toEqual([`tokens.revoke ${reference}`])
})

test('a token that the check revoked is not listed, and a refused revocation stays listed', async () => {
  const { client, calls } = recording(204)
  const url = `https://service.test/api/v2/tokens/${reference}`
  expect(
    await tidyUp(client, {
      exchanges: [exchange(), revoked({ method: 'DELETE', url, headers: {} })],
    }),
  ).toEqual([])
  expect(calls).toEqual([])
  const refused = recording(403)
  expect(await tidyUp(refused.client, { exchanges: [exchange()] })).toEqual([
    { what: 'service token', id: reference, removed: false },
  ])
})
