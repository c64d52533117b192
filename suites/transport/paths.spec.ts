import { originOf } from '../../lib/client.ts'
import { exportBody } from '../../lib/flows/export.ts'
import { drawSecret, submissionBody } from '../../lib/flows/session.ts'
import { issuedAround } from '../support/filters.ts'
import { rule } from '../support/rule.ts'
import { accept } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test(...rule('transport.path-prefix', 'every path below the prefix'), async ({ api }) => {
  expect(await api.call('auth.challenge')).toBeOk()
  const outside = await api.request('POST', `${originOf(api.baseUrl)}/auth/challenge`)
  expect(outside.status, 'the same path without the prefix').toBe(404)
})

for (const operation of ['limits.context', 'limits.subject'] as const) {
  test(...rule('transport.path-prefix', `${operation} without the prefix`), async ({ login }) => {
    const { api } = await login()
    expect(await api.call(operation, { atOrigin: true })).toBeOk()
  })
}

test(...rule('transport.unknown-is-404', 'path'), async ({ login }) => {
  const { api } = await login()
  const answer = await api.request('GET', '/there/is/no/such/thing', {
    bearer: api.identity.bearer ?? null,
  })
  expect(answer).toBeRefused('unknown-path')
})

test(...rule('transport.unknown-is-404', 'session'), async ({ login, unissued }) => {
  const { api } = await login()
  const referenceNumber = unissued('onlineSession')
  const answer = await api.call('sessions.status', { path: { referenceNumber } })
  expect(answer.status, 'an unknown resource').toBe(404)
  expect(answer).toBeRefused('session-unknown')
})

test(...rule('transport.unknown-is-404', 'invoice'), async ({ login, unissuedNumber }) => {
  const { api } = await login()
  const answer = await api.call('invoices.bySvcNumber', { path: { svcNumber: unissuedNumber() } })
  expect(answer.status, 'an unknown resource').toBe(404)
  expect(answer).toBeRefused('invoice-unknown')
})

test(...rule('transport.unknown-is-404', 'export'), async ({ login, unissued }) => {
  const { api } = await login()
  const path = { referenceNumber: unissued('export') }
  const answer = await api.call('exports.status', { path })
  expect(answer.status, 'an unknown resource').toBe(404)
  expect(answer).toBeRefused('export-unknown')
})

test(...rule('transport.unknown-is-404', 'operation'), async ({ login, unissued }) => {
  const { api } = await login()
  const path = { referenceNumber: unissued('operation') }
  const answer = await api.call('operations.status', { path })
  expect(answer.status, 'an unknown resource').toBe(404)
  expect(answer).toBeRefused('operation-unknown')
})

for (const [operation, method] of [
  ['auth.challenge', 'GET'],
  ['auth.challenge', 'PUT'],
  ['keys.list', 'POST'],
  ['sessions.openOnline', 'DELETE'],
] as const) {
  test(...rule('transport.wrong-method', `${method} of ${operation}`), async ({ login }) => {
    const { api } = await login()
    const answer = await api.call(operation, { method })
    expect(answer).toBeRefused('method-not-allowed')
    if (answer.status === 405)
      expect(answer.headers['allow'], 'a 405 names the methods that are allowed').toBeTruthy()
  })
}

test(...rule('transport.health'), async ({ api }) => {
  expect(await api.call('transport.health', { bearer: null })).toBeOk()
})

test(...rule('transport.unknown-version'), async ({ api }) => {
  const unknown = api.baseUrl.replace(/\/v2$/, '/v3')
  expect(unknown, 'an address that ends in the version').not.toBe(api.baseUrl)
  const answer = await api.request('POST', `${unknown}/auth/challenge`)
  expect(answer.status, 'a path of a version that there is not').toBe(404)
  expect(await api.call('auth.challenge'), 'the known version goes on').toBeOk()
})

test(...rule('transport.trailing-slash'), async ({ open, invoice }) => {
  const { api, session } = await open()
  const path = { referenceNumber: session.referenceNumber }
  for (const alias of [undefined, 0]) {
    const body = await submissionBody(api, session, invoice().bytes)
    const answer = await api.call('invoices.submit', {
      path,
      body,
      ...(alias === undefined ? {} : { alias }),
    })
    expect(answer).toBeOk()
  }
})

test(...rule('transport.export-alias'), async ({ open, invoice, target }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  const filters = issuedAround(target.now())
  for (const alias of [undefined, 0]) {
    const spelling = alias === undefined ? {} : { alias }
    const created = await desk.api.call('exports.create', {
      ...spelling,
      body: await exportBody(desk.api, { filters }, drawSecret()),
    })
    expect(created).toBeOk()
    const { referenceNumber } = created.body as { referenceNumber: string }
    for (const other of [{}, { alias: 0 }])
      expect(
        await desk.api.call('exports.status', { ...other, path: { referenceNumber } }),
      ).toBeOk()
  }
})
