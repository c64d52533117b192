import { drawInternalId } from '../../lib/identifiers/internal-id.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import {
  authorizationGrant,
  entityGrant,
  euAdministrationGrant,
  grantBy,
  unitGrant,
} from '../support/grants.ts'
import { personAt } from '../support/people.ts'
import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'
import type { Narrowed } from './listed.ts'
import { listOf, shortList } from './listed.ts'

/** Each filter of the lists about units, entities and agents. Contexts are the check's own. */

test(...rule('permissions.query.narrowed', 'subunits'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  const [one, two, none] = ['one', 'two', 'none'].map(() => ({
    type: 'InternalId',
    value: drawInternalId(rng, own.nip),
  }))
  if (!one || !two) return
  const [first, second] = [personAt(own, rng, target), personAt(own, rng, target)]
  for (const [unit, { subject }] of [
    [one, first],
    [two, second],
  ] as const)
    await grantBy(api, 'permissions.grantSubunit', unitGrant(subject, unit, 'a branch'))
  const heads = [first, second].map(({ subject }) => `CredentialsManage ${subject.value}`)
  const narrowed: Narrowed = [
    [{}, heads],
    [{ subunitIdentifier: one }, heads.slice(0, 1)],
    [{ subunitIdentifier: two }, heads.slice(1)],
    [{ subunitIdentifier: none }, []],
  ]
  for (const [filter, left] of narrowed)
    expect(await shortList(api, 'subunits', filter), JSON.stringify(filter)).toEqual(
      left.toSorted(),
    )
})

test(...rule('permissions.query.narrowed', 'entities'), async ({ login, another, rng }) => {
  const [one, two] = [await login(), await login({ context: await another() })]
  const office = await login({ context: await another() })
  const { nip } = office.context
  await grantBy(one.api, 'permissions.grantEntity', entityGrant(nip, [{ type: 'InvoiceRead' }]))
  await grantBy(two.api, 'permissions.grantEntity', entityGrant(nip, [{ type: 'InvoiceWrite' }]))
  const firm = (value: string) => ({ type: 'Nip', value })
  const narrowed: Narrowed = [
    [{}, ['InvoiceRead', 'InvoiceWrite']],
    [{ contextIdentifier: firm(one.context.nip) }, ['InvoiceRead']],
    [{ contextIdentifier: firm(two.context.nip) }, ['InvoiceWrite']],
    [{ contextIdentifier: firm(drawNip(rng)) }, []],
  ]
  for (const [filter, left] of narrowed)
    expect(await shortList(office.api, 'entities', filter), JSON.stringify(filter)).toEqual(left)
})

test(...rule('permissions.query.narrowed', 'authorizations'), async ({ login, another, rng }) => {
  const [one, two] = [await login(), await login({ context: await another() })]
  const agent = await login({ context: await another() })
  const firm = (value: string) => ({ type: 'Nip', value })
  const { nip } = agent.context
  const other = drawNip(rng)
  for (const [me, holder, permission] of [
    [one, nip, 'SelfInvoicing'],
    [one, nip, 'TaxRepresentative'],
    [one, other, 'SelfInvoicing'],
    [two, nip, 'RRInvoicing'],
  ] as const)
    await grantBy(
      me.api,
      'permissions.grantAuthorization',
      authorizationGrant(firm(holder), permission),
    )
  const [self, tax, elsewhere, rr] = [
    `SelfInvoicing ${nip}`,
    `TaxRepresentative ${nip}`,
    `SelfInvoicing ${other}`,
    `RRInvoicing ${nip}`,
  ]
  const given: Narrowed = [
    [{}, [self, tax, elsewhere]],
    [{ permissionTypes: ['SelfInvoicing'] }, [self, elsewhere]],
    [{ permissionTypes: ['RRInvoicing'] }, []],
    [{ authorizedIdentifier: firm(other) }, [elsewhere]],
    [{ authorizedIdentifier: firm(drawNip(rng)) }, []],
    [{ authorizingIdentifier: firm(one.context.nip) }, [self, tax, elsewhere]],
    [{ authorizingIdentifier: firm(two.context.nip) }, []],
  ]
  const received: Narrowed = [
    [{}, [self, tax, rr]],
    [{ permissionTypes: ['RRInvoicing', 'SelfInvoicing'] }, [self, rr]],
    [{ authorizingIdentifier: firm(two.context.nip) }, [rr]],
    [{ authorizingIdentifier: firm(one.context.nip) }, [self, tax]],
    [{ authorizedIdentifier: firm(nip) }, [self, tax, rr]],
    [{ authorizedIdentifier: firm(other) }, []],
  ]
  for (const [me, queryType, rows] of [
    [one, 'Granted', given],
    [agent, 'Received', received],
  ] as const)
    for (const [filter, left] of rows)
      expect(
        await shortList(me.api, 'authorizations', { queryType, ...filter }),
        `${queryType} ${JSON.stringify(filter)}`,
      ).toEqual(left.toSorted())
})

test(...rule('permissions.query.narrowed', 'eu'), async ({ login, rng }) => {
  const { api, context } = await login()
  const [german, french] = [`A${rng.digits(63)}`, `B${rng.digits(63)}`]
  for (const [fingerprint, vat] of [
    [german, 'DE123456789'],
    [french, 'FRXX123456789'],
  ] as const)
    await grantBy(
      api,
      'permissions.grantEuAdministration',
      euAdministrationGrant(fingerprint, `${context.nip}-${vat}`),
    )
  const all = (fingerprint: string) =>
    ['Introspection', 'InvoiceRead', 'InvoiceWrite', 'VatUeManage'].map(
      (permission) => `${permission} ${fingerprint}`,
    )
  const narrowed: Narrowed = [
    [{}, [...all(german), ...all(french)]],
    [{ vatUeIdentifier: 'DE123456789' }, all(german)],
    [{ vatUeIdentifier: 'FRXX123456789' }, all(french)],
    [{ vatUeIdentifier: 'DE12345678' }, []],
    [{ authorizedFingerprintIdentifier: german }, all(german)],
    [{ authorizedFingerprintIdentifier: french.slice(0, 40) }, all(french)],
    [{ authorizedFingerprintIdentifier: 'C'.repeat(64) }, []],
    [{ permissionTypes: ['VatUeManage'] }, [`VatUeManage ${german}`, `VatUeManage ${french}`]],
    [
      { permissionTypes: ['InvoiceRead'], vatUeIdentifier: 'DE123456789' },
      [`InvoiceRead ${german}`],
    ],
  ]
  for (const [filter, left] of narrowed)
    expect(await shortList(api, 'eu', filter), JSON.stringify(filter)).toEqual(left.toSorted())
})

test(
  ...rule('permissions.query.narrowed', 'subordinate roles'),
  async ({ api, login, own, rng }) => {
    const [one, two] = [drawNip(rng), drawNip(rng)]
    const description = 'made by a conformance check'
    const body = {
      subjectNip: own.nip,
      subjectType: 'JST',
      description,
      subunits: [one, two].map((subjectNip) => ({ subjectNip, description })),
    }
    expect(await api.call('testdata.createSubject', { body })).toBeOk()
    const me = await login()
    const firm = (value: string) => ({ subordinateEntityIdentifier: { type: 'Nip', value } })
    const role = (nip: string) => `LocalGovernmentSubUnit ${nip}`
    const narrowed: Narrowed = [
      [{}, [role(one), role(two)]],
      [firm(one), [role(one)]],
      [firm(two), [role(two)]],
      [firm(drawNip(rng)), []],
    ]
    for (const [filter, left] of narrowed)
      expect(await shortList(me.api, 'subordinateRoles', filter), JSON.stringify(filter)).toEqual(
        left.toSorted(),
      )
    const [only] = await listOf(me.api, 'subordinateRoles', firm(one))
    expect(only?.['description'], 'how the unit was described').toBe(description)
  },
)
