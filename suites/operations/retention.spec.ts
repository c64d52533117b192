import type { OperationId } from '../../contract/endpoints.ts'
import { limits } from '../../contract/limits.ts'
import { createExport } from '../../lib/flows/export.ts'
import { settleSession } from '../../lib/flows/session.ts'
import { expectText } from '../../lib/outcome.ts'
import { applyFor } from '../support/enrolment.ts'
import { issuedAround } from '../support/filters.ts'
import { personGrant } from '../support/grants.ts'
import { rule } from '../support/rule.ts'
import type { Me } from '../support/contexts.ts'
import { accept, reported } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { drawPesel } from '../../lib/identifiers/pesel.ts'
import type { Rng } from '../../lib/random.ts'

/** How long the status of asynchronous work is kept. */

const hour = 3600_000
const day = 24 * hour

interface Work {
  readonly what: string
  readonly days: number
  readonly status: OperationId
  /** Starts it; its reference. */
  readonly start: (me: Me, rng: Rng) => Promise<string>
}

const works: readonly Work[] = [
  {
    what: 'an export',
    days: limits['retention.statusDays'].value,
    status: 'exports.status',
    start: async ({ api }) =>
      (await createExport(api, { filters: issuedAround(api.now()) })).referenceNumber,
  },
  {
    what: 'an operation',
    days: limits['retention.operationDays'].value,
    status: 'operations.status',
    start: async ({ api }, rng) =>
      expectText(
        await api.call('permissions.grantPerson', {
          body: personGrant({ type: 'Pesel', value: drawPesel(rng) }, ['InvoiceRead']),
        }),
        'grant a permission',
        'referenceNumber',
      ),
  },
  {
    what: 'an application',
    days: limits['retention.operationDays'].value,
    status: 'certificates.enrollment',
    start: async ({ api }) =>
      expectText(await applyFor(api), 'apply for a certificate', 'referenceNumber'),
  },
]

for (const { what, days, status, start } of works)
  test(...rule('operations.status.kept', what), async ({ login, clock, rng, target }) => {
    test.skip(
      status === 'certificates.enrollment' && !target.has('provoke'),
      'applications for certificates are scarce there',
    )
    const referenceNumber = await start(await login(), rng)
    const look = async () => (await login()).api.call(status, { path: { referenceNumber } })
    expect(await look(), 'at once').toBeOk()
    await clock.advance(days * day - hour)
    expect(await look(), `an hour before the ${days} days are over`).toBeOk()
    await clock.advance(2 * hour)
    expect(await look()).toBeRefused('resource-gone')
  })

test(
  ...rule('operations.status.kept', 'a session, for good'),
  async ({ open, invoice, login, clock }) => {
    const { api, session } = await open()
    await accept({ api, session }, invoice().bytes)
    const path = { referenceNumber: session.referenceNumber }
    expect(await api.call('sessions.closeOnline', { path })).toBeOk()
    await settleSession(api, session)
    await clock.advance(400 * day)
    const later = (await login()).api
    const look = await later.call('sessions.status', { path })
    expect(look, 'more than a year later').toBeOk()
    expect(reported(look)).toHaveSucceeded('onlineSession')
    expect(await later.call('sessions.invoices', { path }), 'its invoices').toBeOk()
  },
)
