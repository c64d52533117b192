import { expect, test } from '@playwright/test'
import type { OperationId } from '../../contract/endpoints.ts'
import type { Client } from '../../lib/client.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { internalId } from '../../lib/identifiers/internal-id.ts'
import { fingerprint } from '../../lib/node/certificate.ts'
import { expectOk } from '../../lib/outcome.ts'
import { selfSigned } from '../../suites/support/service/contexts.ts'
import type { OwnContext } from '../../suites/support/service/contexts.ts'
import {
  authorizationGrant,
  byNip,
  entityGrant,
  euAdministrationGrant,
  euGrant,
  grantBy,
  grantInTest,
  indirectGrant,
  personGrant,
  unitGrant,
} from '../../suites/support/callers/grants.ts'
import { tidyUp } from '../../suites/support/cleanup/left-behind.ts'
import { setRates } from '../../suites/support/service/rated.ts'
import { openInProcess } from '../../suites/support/service/target.ts'
import { clientInProcess, loginBy } from '../client-in-process.ts'

/** Whatever a check grants, allows, blocks or limits is taken back, by whichever operation it was given. */

const nip = '5265877635'
const agent = '7980332920'
const anna = { type: 'Pesel', value: '30112206276' }
const euEntity = { type: 'NipVatUe', value: `${nip}-DE123456789` } as const
const stranger = 'A'.repeat(64)

interface Work {
  /** Records what it does, as the client of a check does. */
  readonly api: Client
  readonly aside: Client
  readonly exchanges: readonly Exchange[]
  readonly own: OwnContext
  /** The caller of each `Authorization`, as the ledger of a check notes them. */
  readonly callers: ReadonlyMap<string, string>
}

const atService = async (work: (given: Work) => Promise<void>): Promise<void> => {
  const inProcess = await openInProcess({ seed: 7, dialect: 'svc' })
  const exchanges: Exchange[] = []
  const callers = new Map<string, string>()
  const api = clientInProcess(inProcess, {
    record: (exchange, subject) => {
      exchanges.push(exchange)
      const { authorization } = exchange.request.headers
      if (authorization !== undefined && subject !== undefined) callers.set(authorization, subject)
    },
  })
  const aside = clientInProcess(inProcess)
  try {
    await work({ api, aside, exchanges, own: selfSigned(nip, inProcess.now), callers })
  } finally {
    await inProcess.close()
  }
}

type GrantId = Extract<OperationId, `permissions.grant${string}`>

/** A grant of each kind, and the list in which its grantor sees it. */
const grants: Readonly<
  Record<GrantId, { readonly body: (own: OwnContext) => unknown; readonly list: OperationId }>
> = {
  'permissions.grantPerson': {
    body: () => personGrant(anna, ['InvoiceRead']),
    list: 'permissions.queryPersons',
  },
  'permissions.grantEntity': {
    body: () => entityGrant(agent, [{ type: 'InvoiceRead', canDelegate: true }]),
    list: 'permissions.queryPersons',
  },
  'permissions.grantAuthorization': {
    body: () => authorizationGrant(byNip(agent), 'SelfInvoicing'),
    list: 'permissions.queryAuthorizations',
  },
  'permissions.grantIndirect': {
    body: () => indirectGrant(anna, ['InvoiceRead'], { type: 'AllPartners' }),
    list: 'permissions.queryPersons',
  },
  'permissions.grantSubunit': {
    body: () => unitGrant(anna, { type: 'InternalId', value: internalId(nip, '1234') }, 'a branch'),
    list: 'permissions.querySubunits',
  },
  'permissions.grantEuAdministration': {
    body: () => euAdministrationGrant(stranger, euEntity.value),
    list: 'permissions.queryEu',
  },
  'permissions.grantEu': {
    body: () => euGrant(stranger, ['InvoiceRead']),
    list: 'permissions.queryEu',
  },
}

const bodyOfList: Partial<Record<OperationId, unknown>> = {
  'permissions.queryPersons': { queryType: 'PermissionsGrantedInCurrentContext' },
  'permissions.queryAuthorizations': { queryType: 'Granted' },
}

const rowsIn = async (client: Client, list: OperationId): Promise<number> => {
  const answer = await client.call(list, { body: bodyOfList[list] ?? {} })
  return Object.values(expectOk(answer, list).body as object).flat().length - 1
}

/** A login in the context where a grant is given: that of an EU entity for its representatives. */
const grantorFor = async (operation: GrantId, client: Client, own: OwnContext): Promise<Client> => {
  if (operation !== 'permissions.grantEu') return (await loginBy(client, own)).me
  const options = { context: euEntity, subjectIdentifierType: 'certificateFingerprint' }
  return (await loginBy(client, own, options)).me
}

for (const [operation, { body, list }] of Object.entries(grants))
  test(`${operation}: what a check granted is revoked, and what was there before stays`, async () => {
    await atService(async ({ api, aside, exchanges, own, callers }) => {
      const id = operation as GrantId
      const { me: user } = await loginBy(aside, own)
      const print = fingerprint(own.credentials.certificate)
      await grantBy(
        user,
        'permissions.grantEuAdministration',
        euAdministrationGrant(print, euEntity.value),
      )
      const me = await grantorFor(id, api, own)
      const before = await rowsIn(me, list)
      await grantBy(me, id, body(own))
      expect(await rowsIn(me, list)).toBeGreaterThan(before)
      const left = await tidyUp(aside, { exchanges, callers })
      expect(left.map(({ what, removed }) => `${what} ${removed}`)).toEqual([
        'permission true',
        'login true',
      ])
      await aside.sleep(60_000)
      expect(await rowsIn(await grantorFor(id, aside, own), list)).toBe(before)
    })
  })

test('test data and limits that a check set are removed', async () => {
  await atService(async ({ api, aside, exchanges, own, callers }) => {
    const { me: user } = await loginBy(aside, own)
    const limits = async () => [
      (await user.call('limits.context')).body,
      (await user.call('limits.subject')).body,
    ]
    const before = await limits()
    const few = { perSecond: 2, perMinute: 3, perHour: 4 }
    const { me } = await loginBy(api, own)
    const done = async (operation: OperationId, body: unknown) =>
      expectOk(await me.call(operation, { body }), operation)
    await setRates(me, { sessionOther: few })
    expect((await user.call('limits.rates')).body).toHaveProperty('sessionOther', few)
    const session = { maxInvoiceSizeInMB: 1, maxInvoiceWithAttachmentSizeInMB: 1, maxInvoices: 2 }
    await done('testdata.setSessionLimits', { onlineSession: session, batchSession: session })
    await done('testdata.setSubjectLimits', { certificate: { maxCertificates: 1 } })
    await done('testdata.allowAttachments', { nip })
    await done('testdata.blockContext', { contextIdentifier: byNip(agent) })
    await done('testdata.createPerson', {
      nip: agent,
      pesel: anna.value,
      isBailiff: false,
      description: 'a bailiff',
    })
    await grantInTest(me, { nip }, byNip(agent), ['InvoiceRead'])
    // One that the check has ended itself is not left.
    await grantInTest(me, { nip }, anna, ['InvoiceRead'])
    await done('testdata.revoke', { contextIdentifier: byNip(nip), authorizedIdentifier: anna })
    expect(await limits()).not.toEqual(before)

    const left = await tidyUp(aside, { exchanges, callers })
    const lines = left.map(({ what, id, removed }) => `${what} ${id} ${removed}`)
    expect(lines.filter((line) => !line.startsWith('login'))).toEqual([
      `rate limits Nip ${nip} true`,
      `session limits Nip ${nip} true`,
      `certificate limits Nip ${nip} true`,
      `consent to attachments ${nip} true`,
      `blocked context Nip ${agent} true`,
      `test person ${agent} true`,
      `permission of test data Nip ${agent} in Nip ${nip} true`,
    ])
    expect(await limits()).toEqual(before)
    expect((await user.call('limits.rates')).body).not.toHaveProperty('sessionOther', few)
    const { body } = await user.call('permissions.queryPersons', {
      body: { queryType: 'PermissionsInCurrentContext' },
    })
    expect(body).toHaveProperty('permissions', [])
    await expect(loginBy(aside, selfSigned(agent, aside.now))).resolves.toBeDefined()
  })
})

test('a grant that the check did not wait for is revoked once it is there', async () => {
  await atService(async ({ api, aside, exchanges, own, callers }) => {
    const { me } = await loginBy(api, own)
    expectOk(
      await me.call('permissions.grantPerson', { body: personGrant(anna, ['InvoiceRead']) }),
      'grant',
    )
    const left = await tidyUp(aside, { exchanges, callers })
    expect(left.map(({ what, removed }) => `${what} ${removed}`)).toEqual([
      'permission true',
      'login true',
    ])
  })
})

test('a grant whose operation failed is not left', async () => {
  await atService(async ({ api, aside, exchanges, own, callers }) => {
    const { me } = await loginBy(api, own)
    const target = { type: 'Nip', value: agent }
    const refused = grantBy(
      me,
      'permissions.grantIndirect',
      indirectGrant(anna, ['InvoiceRead'], target),
    )
    await expect(refused).rejects.toThrow('an operation that succeeds')
    const left = await tidyUp(aside, { exchanges, callers })
    expect(left.map(({ what }) => what)).toEqual(['login'])
  })
})
