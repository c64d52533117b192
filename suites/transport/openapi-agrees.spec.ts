import type { Dialect } from '../../contract/dialect.ts'
import { endpoint, operationIds } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { limits } from '../../contract/limits.ts'
import { invoiceKinds } from '../../generators/invoice/invoice.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { createExport } from '../../lib/flows/export.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { isoDay } from '../../lib/local-time.ts'
import { describedCheck } from '../../lib/node/schema.ts'
import { absence, wireOperation } from '../../lib/wire.ts'
import { calls, perform, readyCalls } from '../support/scenes/calls.ts'
import { faultsOf, mediaOf } from '../support/answers/conformity.ts'
import { described, fetchDescription } from '../support/answers/description.ts'
import type { Description } from '../support/answers/description.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { isOnTestData, offered } from '../support/service/offered.ts'
import { boughtBy, identified } from '../support/documents/parties.ts'
import { rule } from '../support/checks/rule.ts'
import { findAll } from '../support/steps/searches.ts'
import { createStage } from '../support/callers/stage.ts'
import { accept, outcomeOfInvoice } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('transport.openapi-agrees', 'served'), async ({ api }) => {
  const answer = await api.call('transport.openapi', { bearer: null })
  expect(answer).toBeOk()
  expect(answer.headers['content-type'], 'JSON').toMatch(/^application\/(json|.*\+json)/i)
  expect((answer.body as Description).openapi, 'the version of OpenAPI').toMatch(/^3\./)
})

test(...rule('transport.openapi-agrees', 'served, with the address'), async ({ api, target }) => {
  const description = await fetchDescription(api)
  const { method, path } = wireOperation('auth.challenge', target.dialect)
  const found = described(description, method, path, target.dialect.prefix)
  const statuses: number[] = []
  for (const { url } of description.servers ?? [{ url: '/' }]) {
    const base = new URL(url, api.baseUrl).href.replace(/\/$/, '')
    // The description may name other environments as well.
    if (new URL(base).origin !== new URL(api.baseUrl).origin) continue
    statuses.push((await api.request(method, `${base}${found?.place}`)).status)
  }
  test.skip(statuses.length === 0, 'the description names no server of this origin')
  expect(statuses, 'the status of a call at a described address').toContain(200)
})

test(...rule('transport.openapi-agrees', 'operations'), async ({ api, target }) => {
  const description = await fetchDescription(api)
  const missing = operationIds.filter((id) => {
    const { environments } = endpoint(id)
    if (environments !== undefined && !environments.includes(target.environment)) return false
    if (absence(id, target.dialect) !== undefined) return false
    const { method, path, bearer } = wireOperation(id, target.dialect)
    // Signed addresses are handed out by answers and need no description.
    if (bearer === 'link') return false
    return described(description, method, path, target.dialect.prefix) === undefined
  })
  expect(missing, 'operations missing from the description').toEqual([])
})

const escaped = (steps: readonly string[]): string =>
  steps
    .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/')

const parameters = (path: string): number => path.split('{').length - 1

/**
 * What is wrong with answers by the service's own description. What already contradicts the contract is a finding of
 * the rule that owns it, and no second one here.
 */
const judgeBy = (description: Description, dialect: Dialect) => {
  const check = describedCheck(description)
  const { paths = {} } = description
  // A path without parameters goes before one that has a parameter in its place.
  const places = Object.keys(paths).toSorted((a, b) => parameters(a) - parameters(b))
  return (exchange: Exchange): string[] => {
    if (faultsOf(exchange, dialect).length > 0) return []
    const { request, status, headers, bytes, text } = exchange
    const { pathname } = new URL(request.url)
    const method = request.method.toLowerCase()
    const place = places.find(
      (key) =>
        paths[key]?.[method] !== undefined &&
        new RegExp(`^(${dialect.prefix})?${key.replace(/\{[^}]*\}/g, '[^/]+')}/?$`).test(pathname),
    )
    const named = `${request.method} ${pathname}`
    const response = place === undefined ? undefined : paths[place]?.[method]?.responses?.[status]
    if (place === undefined || response === undefined)
      return [`${named}: ${status} is not described`]
    if (bytes.length === 0) return []
    const media = mediaOf(headers['content-type'])
    if (!Object.hasOwn(response.content ?? {}, media))
      return [`${named}: ${media} is not described`]
    if (!media.endsWith('json')) return []
    const way = ['paths', place, method, 'responses', String(status), 'content', media, 'schema']
    return check(`/${escaped(way)}`, JSON.parse(text)).map((problem) => `${named}: ${problem}`)
  }
}

test(
  ...rule('transport.openapi-agrees', 'responses'),
  async ({ api, open, invoice, ledger, target }) => {
    const description = await fetchDescription(api)
    const desk = await open()
    const { referenceNumber } = await accept(desk, invoice().bytes)
    // A rejected invoice has neither a service number nor a receipt.
    const rejected = await outcomeOfInvoice(desk, invoice().bytes.slice(0, -10))
    expect(rejected).toBeRejected('invoice-invalid')
    const path = { referenceNumber: desk.session.referenceNumber }
    await desk.api.call('sessions.status', { path })
    await desk.api.call('sessions.list', { query: { sessionType: 'Online' } })
    await desk.api.call('sessions.invoices', { path })
    for (const operation of offered('invoices.status'))
      await desk.api.call(operation, { path: { invoiceId: referenceNumber } })
    await desk.api.call('limits.context')
    await desk.api.call('sessions.list', { bearer: null })
    await desk.api.call('auth.token', { body: '{' })
    await desk.api.call('sessions.closeOnline', { path })
    const faults = ledger.exchanges.flatMap(judgeBy(description, target.dialect))
    expect(faults, 'differences between responses and the description').toEqual([])
  },
)

const isDocument = (id: OperationId): boolean => endpoint(id).answer.media === 'application/xml'

/** Operations that answer in JSON or with a document, and do not destroy what later calls need. */
const answering = operationIds.filter(
  (id) => (endpoint(id).answer.schema !== undefined || isDocument(id)) && !isOnTestData(id),
)

test(
  ...rule('transport.openapi-agrees', 'responses, of every operation'),
  async ({ api, login, another, invoice, rng, ledger, target }) => {
    const description = await fetchDescription(api)
    const me = await login()
    const stage = createStage({ me, api, login, another, invoice, rng, target })
    // Nobody in the context is the author of what the test data grant.
    for (const operation of offered('testdata.grant'))
      await perform(api, operation, await calls[operation](stage))
    // An address that the service issued may have any form, and needs no description.
    const about = ({ operation }: Exchange): boolean =>
      operation !== undefined &&
      operation !== 'receipts.link' &&
      wireOperation(operation, target.dialect).bearer !== 'link'
    for (const [operation, call] of await readyCalls(stage, offered(...answering)))
      await perform(stage.me.api, operation, call)
    const seen = ledger.exchanges.filter((one) => one.status < 300 && about(one))
    const faults = new Set(seen.flatMap(judgeBy(description, target.dialect)))
    expect([...faults], 'differences between responses and the description').toEqual([])
  },
)

test(
  ...rule('transport.openapi-agrees', 'no longer kept'),
  async ({ api, login, clock, ledger, target }) => {
    const description = await fetchDescription(api)
    const me = await login()
    const { referenceNumber } = await createExport(me.api, { filters: issuedAround(clock.now()) })
    await clock.advance((limits['retention.statusDays'].value + 1) * 24 * 3_600_000)
    const later = await login()
    const answer = await later.api.call('exports.status', { path: { referenceNumber } })
    expect(answer).toBeRefused('resource-gone')
    const faults = ledger.exchanges.flatMap(judgeBy(description, target.dialect))
    expect(faults, 'differences between responses and the description').toEqual([])
  },
)

test(
  ...rule('transport.openapi-agrees', 'responses, buyers of each kind'),
  async ({ api, open, invoice, clock, ledger, rng, target }) => {
    const description = await fetchDescription(api)
    const desk = await open()
    const numbers: string[] = []
    for (const kind of identified(drawNip(rng))) {
      const text = new TextDecoder().decode(invoice().bytes)
      const bytes = new TextEncoder().encode(boughtBy(text, kind, 'A buyer'))
      numbers.push((await accept(desk, bytes)).svcNumber)
    }
    await findAll(desk.api, issuedAround(clock.now()), numbers)
    const faults = new Set(ledger.exchanges.flatMap(judgeBy(description, target.dialect)))
    expect([...faults], 'differences between responses and the description').toEqual([])
  },
)

test(
  ...rule('transport.openapi-agrees', 'responses, invoices of each mode and kind'),
  async ({ api, open, invoice, clock, ledger, target }) => {
    const description = await fetchDescription(api)
    const desk = await open()
    const issueDate = isoDay(clock.now() - 3 * 24 * 3_600_000)
    const numbers = [
      await accept(desk, invoice().bytes, { offlineMode: true }),
      await accept(desk, invoice({ issueDate }).bytes),
    ].map(({ svcNumber }) => svcNumber)
    for (const kind of invoiceKinds)
      numbers.push((await accept(desk, invoice({ kind }).bytes)).svcNumber)
    const path = { referenceNumber: desk.session.referenceNumber }
    await desk.api.call('sessions.invoices', { path })
    await findAll(desk.api, issuedAround(clock.now()), numbers)
    const faults = new Set(ledger.exchanges.flatMap(judgeBy(description, target.dialect)))
    expect([...faults], 'differences between responses and the description').toEqual([])
  },
)
