import { expect, test } from '@playwright/test'
import { dialects, withoutAdditions } from '../../contract/dialects.ts'
import type { Dialect } from '../../contract/dialect.ts'
import { createClient } from '../../lib/client.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { loginWithToken } from '../../lib/flows/login.ts'
import { drawSecret, encryptionFields } from '../../lib/flows/session.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import type { Reference } from '../../reference/service/reference.ts'
import { createReference } from '../../reference/service/reference.ts'
import { formCodes } from '../../suites/support/checks/forms.ts'

// What a dialect defines besides spelling determines how the reference behaves; in process, with a stopped clock.

const start = Date.parse('2026-06-15T08:00:00Z')
const { svc, ksef } = dialects

// Services start slowly, because they generate keys: one for each dialect.
const services = new Map<Dialect, Promise<Reference>>()
const serviceOf = (dialect: Dialect): Promise<Reference> => {
  const known = services.get(dialect)
  const running = known ?? createReference({ dialect, startAt: start, clock: 'manual', seed: 1 })
  services.set(dialect, running)
  return running
}

test.afterAll(async () => {
  for (const running of services.values()) await (await running).close()
})

/** A context of its own. */
const begin = async (dialect: Dialect) => {
  const running = await serviceOf(dialect)
  const anonymous = createClient({
    send: async ({ url, method, headers, body }) => {
      const request = new Request(url, { method, headers, body: body ?? null } as RequestInit)
      const answer = await running.fetch(request, { address: '127.0.0.1' })
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: new Uint8Array(await answer.arrayBuffer()),
      }
    },
    baseUrl: `http://localhost${dialect.prefix}`,
    dialect,
    codec: nodeCodec,
    now: () => running.clock.now(),
    sleep: (ms) => running.clock.advance(ms),
  })
  const { value, token } = await running.control.createContext({ algorithm: 'P-256' })
  const context = { type: 'Nip', value } as const
  const login = async () => {
    const { accessToken } = await loginWithToken(anonymous, { context, token })
    return anonymous.with({ bearer: accessToken })
  }
  return { running, anonymous, login }
}

const codeOf = ({ body }: Exchange): number | undefined => {
  const { exception } = body as {
    exception?: { exceptionDetailList: readonly { exceptionCode: number }[] }
  }
  return exception?.exceptionDetailList[0]?.exceptionCode
}

const spoken = [
  [svc, false],
  [ksef, true],
] as const

for (const [dialect, taken] of spoken) {
  test(`${dialect.id}: FA(2) after its calendar is ${taken ? 'taken' : 'refused'}`, async () => {
    const { login } = await begin(dialect)
    const api = await login()
    const body = { formCode: formCodes.fa2, ...(await encryptionFields(api, drawSecret())) }
    expect((await api.call('sessions.openOnline', { body })).status).toBe(taken ? 201 : 400)
  })

  test(`${dialect.id}: a bad key ends ${taken ? 'the session' : 'the opening'}`, async () => {
    const { login } = await begin(dialect)
    const api = await login()
    const bad = { ...drawSecret(), key: new Uint8Array(16) }
    const body = { formCode: formCodes.fa3, ...(await encryptionFields(api, bad)) }
    const opened = await api.call('sessions.openOnline', { body })
    expect(opened.status).toBe(taken ? 201 : 400)
    if (!taken) return
    const { referenceNumber } = opened.body as { referenceNumber: string }
    const { body: session } = await api.call('sessions.status', { path: { referenceNumber } })
    expect(session).toMatchObject({ status: { code: 415 } })
  })

  test(`${dialect.id}: the list of sessions ${taken ? 'asks' : 'does not ask'} for a type`, async () => {
    const { login } = await begin(dialect)
    const api = await login()
    const answer = await api.call('sessions.list')
    expect(answer.status).toBe(taken ? 400 : 200)
    if (taken) expect(codeOf(answer)).toBe(21405)
    const listed = await api.call('sessions.list', { query: { sessionType: 'Online' } })
    expect(listed.status).toBe(200)
  })

  test(`${dialect.id}: opening and closing count ${taken ? 'together' : 'apart'}`, async () => {
    const { login } = await begin(dialect)
    const api = await login()
    const body = { formCode: formCodes.fa3, ...(await encryptionFields(api, drawSecret())) }
    for (let call = 0; call < 10; call += 1)
      expect((await api.call('sessions.openOnline', { body })).status).toBe(201)
    const path = { referenceNumber: '20260615-SO-0000000000-0000000000-00' }
    const closing = await api.call('sessions.closeOnline', { path })
    expect(closing.status === 429).toBe(taken)
  })
}

test('ksef: the body of a refusal states the reason', async () => {
  const { login, anonymous } = await begin(ksef)
  const api = await login()
  const { body } = await api.call('tokens.create', {
    body: { permissions: ['InvoiceRead'], description: 'reads only' },
  })
  const { token, referenceNumber } = body as { token: string; referenceNumber: string }
  await api.sleep(5_000)
  const context = { type: 'Nip', value: token.split('|')[1]?.slice(4) ?? '' } as const
  expect(referenceNumber).toBe(token.split('|')[0])
  const { accessToken } = await loginWithToken(anonymous, { context, token })
  const reader = anonymous.with({ bearer: accessToken })
  const secret = await encryptionFields(api, drawSecret())
  const answer = await reader.call('sessions.openOnline', {
    body: { formCode: formCodes.fa3, ...secret },
  })
  expect(answer.status).toBe(403)
  expect(answer.body).toMatchObject({
    status: 403,
    reasonCode: 'missing-permissions',
    security: { presentPermissions: ['InvoiceRead'] },
  })
})

test('ksef: a body with the field names of the specification is refused', async () => {
  const { login } = await begin(ksef)
  const api = await login()
  const fields = await encryptionFields(api, drawSecret())
  const spelled = { formCode: formCodes.fa3, ...fields }
  const answer = await api.call('sessions.openOnline', { body: JSON.stringify(spelled) })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain("'encryption'")
})

for (const [what, dialect, shown] of [
  ['later versions are served', ksef, true],
  ['later versions are left out on request', withoutAdditions(ksef), false],
] as const)
  test(`ksef: fields of ${what}`, async () => {
    const { login } = await begin(dialect)
    const { text } = await (await login()).call('limits.context')
    expect(text.includes('collectiveIdentifier')).toBe(shown)
  })

// Last, because the clock is not moved back.
for (const [dialect, taken] of spoken) {
  test(`${dialect.id}: a service token after 2026 is ${taken ? 'taken' : 'refused'}`, async () => {
    const { login, running } = await begin(dialect)
    await running.clock.set(Date.parse('2027-03-01T08:00:00Z'))
    if (taken) expect((await login()).identity.bearer).toMatch(/^ey/)
    else await expect(login()).rejects.toThrow(/450/)
  })
}
