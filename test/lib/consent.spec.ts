import { expect, test } from '@playwright/test'
import { dialects } from '../../contract/dialects.ts'
import { endpoint, operationIds } from '../../contract/endpoints.ts'
import { createCallerContexts } from '../../lib/caller-contexts.ts'
import { consents, createClassifier, guarded } from '../../lib/consent.ts'
import type { Consent } from '../../lib/consent.ts'
import type { WireRequest, WireResponse } from '../../lib/exchange.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { absence, wireOperation } from '../../lib/wire.ts'

const baseUrl = 'https://host/api/v2'
const consent: Consent = {
  address: baseUrl,
  contexts: ['*'],
  operations: ['sessions.*', 'invoices.submit'],
  until: '2026-12-31',
}
const inTime = Date.parse('2026-12-31T23:59:00Z')

test('a consent holds for its address, its operations and until the end of its last day', () => {
  expect(consents(consent, 'sessions.openOnline', baseUrl, inTime)).toBe(true)
  expect(consents(consent, 'invoices.submit', baseUrl, inTime)).toBe(true)
  expect(consents(consent, 'invoices.send', baseUrl, inTime)).toBe(false)
  expect(consents(consent, 'sessions.openOnline', 'https://other/api/v2', inTime)).toBe(false)
  expect(consents(consent, 'sessions.openOnline', baseUrl, inTime + 60_000)).toBe(false)
  expect(consents(undefined, 'sessions.openOnline', baseUrl, inTime)).toBe(false)
})

for (const dialect of Object.values(dialects))
  test(`every operation of ${dialect.id} is classified by its method and path`, () => {
    const classify = createClassifier(baseUrl, dialect)
    const present = operationIds.filter((id) => absence(id, dialect) === undefined)
    const wrong = present.flatMap((id) => {
      const { method, path } = wireOperation(id, dialect)
      const url = `${baseUrl}${path.replaceAll(/\{[^}]*\}/g, '20260101-AB')}?x=1`
      const row = endpoint(id)
      const expected = row.effect ?? (row.method === 'GET' ? 'reads' : 'writes')
      const { effect } = classify({ method, url })
      return effect === expected ? [] : [`${id}: ${effect} instead of ${expected}`]
    })
    expect(wrong).toEqual([])
    expect(present.length).toBeGreaterThan(60)
  })

const passing = async (request: Pick<WireRequest, 'method' | 'url'>, agreed?: Consent) => {
  const sent: WireRequest[] = []
  const send = guarded(
    (one) => {
      sent.push(one)
      return Promise.resolve({ status: 200, headers: {}, body: new Uint8Array() } as WireResponse)
    },
    {
      baseUrl,
      dialect: dialects.svc,
      consent: agreed,
      callers: createCallerContexts(nodeCodec),
      now: () => inTime,
      refuse: (reason) => new RangeError(reason),
    },
  )
  const refused = await send({ headers: {}, ...request }).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  )
  return { sent: sent.length, refused }
}

test('without consent only reading calls and logins are sent', async () => {
  const tried = [
    { method: 'GET', url: `${baseUrl}/sessions` },
    { method: 'POST', url: `${baseUrl}/auth/challenge` },
    { method: 'POST', url: `${baseUrl}/invoices/query/metadata?pageSize=10` },
    { method: 'POST', url: `${baseUrl}/sessions/online` },
    { method: 'POST', url: `${baseUrl}/sessions/online/` },
    { method: 'DELETE', url: `${baseUrl}/auth/challenge` },
    { method: 'POST', url: `${baseUrl}/nowhere` },
    { method: 'PUT', url: 'https://storage/part/1?sig=x' },
    { method: 'POST', url: `${baseUrl}.evil/auth/challenge` },
    { method: 'POST', url: `${baseUrl}/auth/challenge/../../sessions/online` },
  ]
  const passed = []
  for (const request of tried) passed.push((await passing(request)).sent)
  expect(passed).toEqual([1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
})

test('with consent exactly the operations that it names are sent', async () => {
  const open = { method: 'POST', url: `${baseUrl}/sessions/online` }
  expect(await passing(open, consent)).toEqual({ sent: 1, refused: undefined })
  const upload = { method: 'PUT', url: 'https://storage/part/1?sig=x' }
  expect((await passing(upload, consent)).sent).toBe(1)
  const token = await passing({ method: 'POST', url: `${baseUrl}/tokens` }, consent)
  expect(token.sent).toBe(0)
  expect(token.refused).toContain('does not cover tokens.create')
})
