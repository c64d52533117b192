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
import type { SeededContext } from '../../../reference/service/seed.ts'
import { startServer } from '../../../reference/server/server.ts'
import type { Server } from '../../../reference/server/server.ts'
import { expectWell } from './wire.ts'

/** Calls of every operation, with a wrong value in every place: no 5xx, and every refusal has the same shape. */

let server: Server
test.beforeAll(async () => {
  server = await startServer({
    seed: 1,
    limits: 'off',
    startAt: Date.parse('2026-06-15T08:00:00Z'),
  })
})
test.afterAll(() => server.close())

const well = () => expectWell({ url: server.url, management: server.managementUrl })

/** Logs in by a context's token; the access token. */
const enter = async ({ kind, value, token }: SeededContext): Promise<string> => {
  const sender = createSend()
  const client = createClient({
    send: sender.send,
    baseUrl: server.url,
    dialect: svc,
    codec: nodeCodec,
  })
  const { accessToken } = await loginWithToken(client, { context: { type: kind, value }, token })
  sender.close()
  return accessToken
}

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
  const accessToken = await enter(server.profile.contexts[0]!)
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
  await well()
})

test('queries with a page that does not exist', async () => {
  // A context of its own: the random calls may have set limits for the other one.
  const accessToken = await enter(await server.reference.control.createContext({}))
  const ask = async (path: string, init: RequestInit = {}) => {
    const { status } = await fetch(server.url + path, {
      ...init,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    })
    return status
  }
  const body = JSON.stringify({
    subjectType: 'subject1',
    dateRange: { dateType: 'issue', from: '2026-06-01T00:00:00Z', to: '2026-06-10T00:00:00Z' },
  })
  const wrong = ['-1', 'NaN', 'Infinity', '1e9', '0x10', '', '%00', '9'.repeat(20), '1.5', '10,20']
  for (const page of wrong) {
    expect(await ask(`/sessions?sessionType=Online&pageSize=${page}`), page).toBe(400)
    expect(await ask(`/tokens?pageSize=${page}`), page).toBe(400)
    for (const name of ['pageSize', 'pageOffset'])
      expect(
        await ask(`/invoices/query/metadata?${name}=${page}`, { method: 'POST', body }),
        `${name}=${page}`,
      ).toBe(400)
  }
  // Of a name that comes twice the last value counts; brackets make another name, which is ignored.
  expect(await ask('/sessions?sessionType=Online&pageSize=-1&pageSize=10')).toBe(200)
  expect(await ask('/sessions?sessionType=Online&pageSize[]=-1&pageSize[a]=-1')).toBe(200)
  expect(await ask('/sessions?sessionType=Online&statuses=Succeeded&statuses=None')).toBe(400)
  await well()
})
