import { operationIds } from '../../contract/endpoints.ts'
import { callReceipt } from '../../lib/flows/receipt.ts'
import { settleInvoice, submissionBody, submit } from '../../lib/flows/session.ts'
import { wireOperation } from '../../lib/wire.ts'
import { altered, placesOf } from '../support/steps/altered.ts'
import { unknownOf } from '../support/scenes/as-unknown.ts'
import { calls, perform } from '../support/scenes/calls.ts'
import type { Me } from '../support/service/contexts.ts'
import { expectations } from '../support/service/expectations.ts'
import { foreignRefusalOf } from '../support/scenes/foreign.ts'
import { outcomeOfCall } from '../support/callers/grants.ts'
import { ofResource, patternOf } from '../support/coverage/matrices.ts'
import { wentWell } from '../support/judging/matchers.ts'
import { offered } from '../support/service/offered.ts'
import { rule } from '../support/checks/rule.ts'
import { createStage } from '../support/callers/stage.ts'
import { accept } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

/** One below each area, and one of no area. */
const unknownPaths = [
  '/there/is/no/such/thing',
  ...['auth', 'sessions', 'invoices', 'permissions', 'operations', 'certificates', 'security'].map(
    (area) => `/${area}/there/is/no/such/thing`,
  ),
]

const misspelt = (path: string): string =>
  path.replace(/[a-z](?=[a-z-]*$)/, (letter) => (letter === 'x' ? 'y' : 'x'))

/** What is nearly a path that the service has, and none: a segment more, one less, one twice, or a wrong letter. */
const nearlyKnown = (): readonly (readonly [method: string, path: string])[] => {
  const { dialect } = expectations()
  const known = offered(...operationIds)
    .map((operation) => wireOperation(operation, dialect))
    .filter(({ atOrigin, bearer }) => !atOrigin && bearer !== 'link')
  const patterns = known.flatMap(({ path, aliases }) => [path, ...aliases].map(patternOf))
  const rows = known.flatMap(({ method, path, aliases }) =>
    [path, ...aliases].flatMap((one) => {
      const whole = one.replace(/\/$/, '').replace(/\{[^}]*\}/g, 'x1')
      const at = whole.lastIndexOf('/')
      const [parent, last] = [whole.slice(0, at), whole.slice(at)]
      const twice = last === '/x1' ? [] : [`${whole}${last}`]
      return [`${whole}/x`, ...twice, parent, misspelt(whole)].map(
        (near) => [method, near] as const,
      )
    }),
  )
  const near = rows.filter(([, path]) => path !== '' && !patterns.some((one) => one.test(path)))
  return [...new Map(near.map((row) => [row.join(' '), row])).values()]
}

test(...rule('transport.unknown-is-404', 'path, nearly a known one'), async ({ login }) => {
  const { api, accessToken: bearer } = await login()
  for (const [method, path] of nearlyKnown()) {
    const answer = await api.request(method, path, {
      bearer,
      ...(method === 'POST' && { body: {} }),
    })
    expect.soft(answer, `${method} ${path}`).toBeRefused('unknown-path')
  }
})

for (const [what, bearersOf] of [
  [
    'path, without a valid token',
    ({ refreshToken }: Me) => [null, 'this.is.rubbish', refreshToken],
  ],
  ['path', ({ accessToken }: Me) => [accessToken]],
] as const)
  test(...rule('transport.unknown-is-404', what), async ({ login }) => {
    const me = await login()
    for (const path of unknownPaths)
      for (const bearer of bearersOf(me))
        for (const method of ['GET', 'POST', 'DELETE'] as const) {
          const sent = method === 'POST' ? { body: {} } : {}
          const answer = await me.api.request(method, path, { bearer, ...sent })
          expect.soft(answer, `${method} ${path}`).toBeRefused('unknown-path')
        }
  })

test(
  ...rule('transport.unknown-is-404', 'resource, session'),
  async ({ open, invoice, unissued }) => {
    const { api, session } = await open()
    const path = { referenceNumber: unissued('onlineSession') }
    const answer = await api.call('sessions.status', { path })
    expect(answer, 'an unknown resource').toBeRefusedWith(404)
    expect(answer).toBeRefused('session-unknown')
    const body = await submissionBody(api, session, invoice().bytes)
    const sent = await api.call('invoices.submit', { path, body })
    expect(sent, 'an invoice for an unknown session').toBeRefused('session-unknown')
  },
)

test(
  ...rule('transport.unknown-is-404', 'resource, invoice'),
  async ({ login, unissuedNumber }) => {
    const { api } = await login()
    const unknown = unissuedNumber()
    const path = { svcNumber: unknown, invoiceNumber: unknown, invoiceId: unknown }
    const reading = ['invoices.byNumber', 'invoices.status', 'invoices.statusBySvcNumber'] as const
    for (const operation of ['invoices.bySvcNumber', ...offered(...reading)] as const) {
      const answer = await api.call(operation, { path })
      expect(answer, `an unknown resource, ${operation}`).toBeRefusedWith(404)
      expect(answer, operation).toBeRefused('invoice-unknown')
    }
  },
)

test(
  ...rule('transport.unknown-is-404', 'resource, invoice of another session'),
  async ({ open, invoice }) => {
    const desk = await open()
    const { referenceNumber } = await accept(desk, invoice().bytes)
    const other = await open({ me: desk.me })
    const path = {
      referenceNumber: other.session.referenceNumber,
      invoiceReferenceNumber: referenceNumber,
    }
    const answer = await desk.api.call('invoices.inSession', { path })
    expect(answer, 'an invoice that the session does not hold').toBeRefusedWith(404)
    expect(answer).toBeRefused('invoice-unknown')
  },
)

test(
  ...rule('transport.unknown-is-404', 'resource, receipt of a rejected invoice'),
  async ({ open }) => {
    const { api, session } = await open()
    const sent = await submit(api, session, api.codec.utf8('<Faktura/>'))
    await settleInvoice(api, session, sent.referenceNumber)
    const answer = await callReceipt(api, {
      sessionReferenceNumber: session.referenceNumber,
      invoiceReferenceNumber: sent.referenceNumber,
    })
    expect(answer).toBeRefused('receipt-unknown')
  },
)

test(...rule('transport.unknown-is-404', 'resource, export'), async ({ login, unissued }) => {
  const { api } = await login()
  const path = { referenceNumber: unissued('export') }
  const answer = await api.call('exports.status', { path })
  expect(answer, 'an unknown resource').toBeRefusedWith(404)
  expect(answer).toBeRefused('export-unknown')
})

test(...rule('transport.unknown-is-404', 'resource, operation'), async ({ login, unissued }) => {
  const { api } = await login()
  const path = { referenceNumber: unissued('operation') }
  const answer = await api.call('operations.status', { path })
  expect(answer, 'an unknown resource').toBeRefusedWith(404)
  expect(answer).toBeRefused('operation-unknown')
})

test(
  ...rule('transport.unknown-is-404', 'resource, of each operation'),
  async ({ api, login, another, invoice, rng, target }) => {
    const me = await login()
    const stage = createStage({ me, api, login, another, invoice, rng, target })
    for (const operation of offered(...ofResource)) {
      if (wireOperation(operation, target.dialect).bearer !== 'access') continue
      const unknown = unknownOf(operation, await calls[operation](stage), rng)
      const answer = await perform(me.api, operation, unknown)
      const outcome = await outcomeOfCall(me.api, operation, answer)
      const refused = foreignRefusalOf(operation)
      expect.soft(outcome, `${operation} of what does not exist`).toBeRejected(refused)
    }
  },
)

test(
  ...rule('transport.unknown-is-404', 'resource, nearly a known one'),
  async ({ api, login, another, invoice, rng, target }) => {
    const me = await login()
    const stage = createStage({ me, api, login, another, invoice, rng, target })
    for (const operation of offered(...ofResource)) {
      if (wireOperation(operation, target.dialect).bearer !== 'access') continue
      const call = await calls[operation](stage)
      for (const [name, value] of Object.entries(call.path ?? {}))
        for (const at of placesOf(value)) {
          const path = { ...call.path, [name]: altered(value, at) }
          const answer = await perform(me.api, operation, { ...call, path })
          const outcome = await outcomeOfCall(me.api, operation, answer)
          const what = `${operation}, ${name} but for a character after ${at}`
          expect.soft(wentWell(outcome), what).toBe(false)
        }
    }
  },
)
