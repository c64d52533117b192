import type { VariantOf } from '../../../contract/rules.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { limits } from '../../../contract/limits.ts'
import { createExport } from '../../../lib/flows/export.ts'
import { settleSession } from '../../../lib/flows/session.ts'
import { statusOf } from '../../../lib/flows/settle.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { expectText } from '../../../lib/outcome.ts'
import type { Rng } from '../../../lib/random.ts'
import type { CallOptions } from '../../../lib/request.ts'
import type { Me } from '../../support/service/contexts.ts'
import { applyFor } from '../../support/callers/enrolment.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import {
  authorizationGrant,
  byNip,
  entityGrant,
  euAdministrationGrant,
  granted,
  indirectGrant,
  personGrant,
  settleOperation,
  unitGrant,
} from '../../support/callers/grants.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import type { Reported } from '../../support/judging/matchers.ts'
import { offered } from '../../support/service/offered.ts'
import { packed, sendBatch } from '../../support/steps/packages.ts'
import { listOf } from '../../support/callers/permission-lists.ts'
import { rule } from '../../support/checks/rule.ts'
import { accept, fields, finish, outcomeOfInvoice, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { drawUnit } from '../../support/run/units.ts'

/** How long the status of asynchronous work is kept. */

const hour = 3600_000
const day = 24 * hour

interface Work {
  readonly what: VariantOf<'operations.status.kept'>
  readonly days: number
  readonly status: OperationId
  /** Starts the work; returns its references, by what was started. */
  readonly start: (me: Me, rng: Rng) => Promise<readonly (readonly [string, string])[]>
}

/** Every kind of operation on permissions: a service may keep each kind for a different time. */
const startOperations: Work['start'] = async ({ api, context: { nip } }, rng) => {
  const person = () => ({ type: 'Pesel', value: drawPesel(rng) })
  const [unit, entity] = [drawUnit(rng, nip).value, `${nip}-DE${rng.digits(9)}`]
  const grants = {
    'permissions.grantPerson': personGrant(person(), ['InvoiceRead']),
    'permissions.grantEntity': entityGrant(drawNip(rng), [{ type: 'InvoiceRead' }]),
    'permissions.grantAuthorization': authorizationGrant(byNip(drawNip(rng)), 'SelfInvoicing'),
    'permissions.grantIndirect': indirectGrant(person(), ['InvoiceRead'], { type: 'AllPartners' }),
    'permissions.grantSubunit': unitGrant(
      person(),
      { type: 'InternalId', value: unit },
      'a branch',
    ),
    'permissions.grantEuAdministration': euAdministrationGrant(rng.digits(64), entity),
  } as const
  const started: (readonly [string, string])[] = []
  const note = async (operation: OperationId, options: CallOptions) => {
    const answer = await api.call(operation, options)
    started.push([operation, expectText(answer, operation, 'referenceNumber')])
  }
  for (const [operation, body] of Object.entries(grants) as [OperationId, unknown][])
    await note(operation, { body })
  for (const [, reference] of started) await settleOperation(api, reference)
  for (const [list, query, operation] of [
    ['persons', granted, 'permissions.revoke'],
    ['authorizations', { queryType: 'Granted' }, 'permissions.revokeAuthorization'],
  ] as const) {
    const [row] = await listOf(api, list, query)
    await note(operation, { path: { permissionId: String(row?.['id']) } })
  }
  // It ends without success where it is not refused at once.
  const body = personGrant(person(), ['EnforcementOperations'])
  const { referenceNumber } = fields(await api.call('permissions.grantPerson', { body }))
  if (typeof referenceNumber === 'string') started.push(['a refused grant', referenceNumber])
  return started
}

const works: readonly Work[] = [
  {
    what: 'export',
    days: limits['retention.statusDays'].value,
    status: 'exports.status',
    start: async ({ api }) => {
      const created = await createExport(api, { filters: issuedAround(api.now()) })
      return [['an export', created.referenceNumber]]
    },
  },
  {
    what: 'operation',
    days: limits['retention.operationDays'].value,
    status: 'operations.status',
    start: startOperations,
  },
  {
    what: 'application',
    days: limits['retention.operationDays'].value,
    status: 'certificates.enrollment',
    start: async ({ api }) => {
      const applied = await applyFor(api)
      return [['an application', expectText(applied, 'apply for a certificate', 'referenceNumber')]]
    },
  },
]

for (const { what, days, status, start } of works)
  test(...rule('operations.status.kept', what), async ({ login, clock, rng }) => {
    const started = await start(await login(), rng)
    const look = async () => {
      const { api } = await login()
      const answers: [string, Exchange][] = []
      for (const [of, referenceNumber] of started)
        answers.push([of, await api.call(status, { path: { referenceNumber } })])
      return answers
    }
    for (const [of, answer] of await look()) expect(answer, `${of} at once`).toBeOk()
    await clock.advance(days * day - hour)
    for (const [of, last] of await look()) {
      expect(last, `${of} an hour before the end of the ${days} days`).toBeOk()
      expect(statusOf(last.body)?.code, `the final code of ${of}`).toBeGreaterThanOrEqual(200)
    }
    await clock.advance(2 * hour)
    for (const [, answer] of await look()) expect(answer).toBeRefused('resource-gone')
  })

test(...rule('operations.status.kept', 'session'), async ({ open, invoice, login, clock }) => {
  const { api, session, me } = await open()
  const failed = await open({ me })
  await outcomeOfInvoice(failed, spoilt)
  const batch = await sendBatch(api, await packed([invoice()]))
  const others: readonly (readonly [string, string, Reported])[] = [
    ['one that failed', failed.session.referenceNumber, await finish(failed)],
    ['a batch session', batch.referenceNumber, batch.settled],
  ]
  const { svcNumber, ...sent } = await accept({ api, session }, invoice().bytes)
  const path = { referenceNumber: session.referenceNumber }
  const dateCreatedFrom = new Date(clock.now() - day).toISOString()
  expect(await api.call('sessions.closeOnline', { path })).toBeOk()
  await settleSession(api, session)
  await clock.advance(400 * day)
  const later = (await login()).api
  const look = await later.call('sessions.status', { path })
  expect(look, 'more than a year later').toBeOk()
  expect(reported(look)).toHaveSucceeded('onlineSession')
  expect(await later.call('sessions.invoices', { path }), 'its invoices').toBeOk()
  const invoiceReferenceNumber = sent.referenceNumber
  const invoiceId = sent.referenceNumber
  for (const operation of offered(
    'invoices.inSession',
    'invoices.status',
    'invoices.statusBySvcNumber',
  )) {
    const ofInvoice = { ...path, invoiceReferenceNumber, invoiceId, svcNumber }
    const status = await later.call(operation, { path: ofInvoice })
    expect(status, `${operation} of its invoice`).toBeOk()
    expect(reported(status), operation).toHaveSucceeded('invoice')
  }
  for (const [what, referenceNumber, { status }] of others) {
    const answer = await later.call('sessions.status', { path: { referenceNumber } })
    expect(answer, `${what}, more than a year later`).toBeOk()
    expect(reported(answer).status.code, `the state of ${what}`).toBe(status.code)
  }
  const query = { sessionType: 'Online', dateCreatedFrom }
  const list = await later.call('sessions.list', { query })
  expect(list.text, 'the list of sessions').toContain(session.referenceNumber)
})
