import type { OperationId } from '../../contract/endpoints.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { Client } from '../../lib/client.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { drawInternalId } from '../../lib/identifiers/internal-id.ts'
import { drawPesel } from '../../lib/identifiers/pesel.ts'
import type { Rng } from '../../lib/random.ts'
import { applyFor } from '../support/enrolment.ts'
import {
  authorizationGrant,
  entityGrant,
  euAdministrationGrant,
  listGranted,
  personGrant,
  grantPerson,
  revoke,
  settleOperation,
  unitGrant,
} from '../support/grants.ts'
import { only } from '../support/packages.ts'
import { familyRule } from '../support/rule.ts'
import { fields } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** What starts asynchronous work returns a reference number, under which that very work reports its status. */

/** Follows the reference number of an answer. */
const follow = async (
  api: Client,
  started: Exchange,
  operation: OperationId,
): Promise<Exchange> => {
  expect(started).toBeOk()
  const referenceNumber = fields(started)['referenceNumber']
  expect(referenceNumber, 'the reference number').toEqual(expect.any(String))
  const status = await api.call(operation, { path: { referenceNumber: String(referenceNumber) } })
  expect(status, 'the status under the reference number').toBeOk()
  return status
}

interface Grantor {
  readonly nip: string
  readonly rng: Rng
}

const grants: Readonly<
  Partial<Record<OperationId, (grantor: Grantor) => Readonly<Record<string, unknown>>>>
> = {
  'permissions.grantPerson': ({ rng }) =>
    personGrant({ type: 'Pesel', value: drawPesel(rng) }, ['InvoiceRead']),
  'permissions.grantEntity': () => entityGrant('5265877635', [{ type: 'InvoiceRead' }]),
  'permissions.grantAuthorization': () =>
    authorizationGrant({ type: 'Nip', value: '5265877635' }, 'TaxRepresentative'),
  'permissions.grantSubunit': ({ rng, nip }) =>
    unitGrant(
      { type: 'Pesel', value: drawPesel(rng) },
      { type: 'InternalId', value: drawInternalId(rng, nip) },
      'a branch',
    ),
  'permissions.grantEuAdministration': ({ rng, nip }) =>
    euAdministrationGrant(`B${rng.digits(63)}`, `${nip}-DE${rng.digits(9)}`),
}

for (const [operation, bodyOf] of Object.entries(grants) as [
  OperationId,
  NonNullable<(typeof grants)[OperationId]>,
][])
  test(
    ...familyRule('operations.status.reports', 'started work', operation),
    async ({ login, own, rng }) => {
      const { api } = await login()
      const body = bodyOf({ nip: own.nip, rng })
      const started = await api.call(operation, { body })
      await follow(api, started, 'operations.status')
      const settled = await settleOperation(api, String(fields(started)['referenceNumber']))
      expect(settled.succeeded, 'the grant succeeds').toBe(true)
    },
  )

test(
  ...familyRule('operations.status.reports', 'started work', 'permissions.revoke'),
  async ({ login, rng }) => {
    const { api } = await login()
    await grantPerson(api, { type: 'Pesel', value: drawPesel(rng) }, ['InvoiceRead'])
    const { id } = only(await listGranted(api))
    await follow(api, await revoke(api, id), 'operations.status')
  },
)

const others: readonly (readonly [RuleId, OperationId, (api: Client) => Promise<Exchange>])[] = [
  [
    'tokens.status.described',
    'tokens.status',
    (api) =>
      api.call('tokens.create', {
        body: { permissions: ['InvoiceRead'], description: 'a token of a check' },
      }),
  ],
  ['certificates.enrol', 'certificates.enrollment', (api) => applyFor(api)],
]

for (const [id, operation, start] of others)
  test(...familyRule(id, 'started work', operation), async ({ login }) => {
    const { api } = await login()
    await follow(api, await start(api), operation)
  })
