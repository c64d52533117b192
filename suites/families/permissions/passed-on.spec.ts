import { wrongDecisions } from '../../support/callers/decisions.ts'
import {
  byNip,
  entityGrant,
  grantBy,
  granted,
  indirectGrant,
  outcomeOfOperation,
  revoke,
} from '../../support/callers/grants.ts'
import { only } from '../../support/steps/packages.ts'
import { personAt } from '../../support/callers/people.ts'
import { listOf } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What an intermediary delegates applies as far and as long as its client allows it to delegate. */

const both = ['InvoiceRead', 'InvoiceWrite'] as const
type Passed = (typeof both)[number]

/** What a client grants to the intermediary, and whether the intermediary may delegate it. */
const allowances = {
  'both delegable': { InvoiceRead: true, InvoiceWrite: true },
  'one delegable': { InvoiceRead: true, InvoiceWrite: false },
  'the other delegable': { InvoiceRead: false, InvoiceWrite: true },
  'one granted': { InvoiceRead: true },
  'the other granted': { InvoiceWrite: true },
  'nothing said of one': { InvoiceRead: undefined, InvoiceWrite: true },
} as const satisfies Readonly<Record<string, Partial<Record<Passed, boolean | undefined>>>>

for (const [name, allowed] of Object.entries(allowances) as [
  string,
  Partial<Record<Passed, boolean | undefined>>,
][])
  test(
    ...familyRule('permissions.grant.effective', 'passed on', name),
    async ({ api, login, another, rng, target }) => {
      const me = await login()
      const client = await login({ context: await another() })
      const permissions = both.flatMap((type) => {
        const canDelegate = allowed[type]
        if (!(type in allowed)) return []
        return [canDelegate === undefined ? { type } : { type, canDelegate }]
      })
      await grantBy(client.api, 'permissions.grantEntity', entityGrant(me.context.nip, permissions))
      const effective = both.filter((type) => allowed[type] === true)
      const firm = byNip(client.context.nip)
      for (const to of [firm, { type: 'AllPartners' }]) {
        const person = personAt(firm, rng, target)
        const grant = indirectGrant(person.subject, both, to)
        await grantBy(me.api, 'permissions.grantIndirect', grant)
        const outcome = await authenticateAs(api, person.context)
        expect(outcome, `at the client, passed on to ${to.type}`).toHaveSucceeded('authentication')
        const within = await login({ context: person.context })
        expect(
          await wrongDecisions(within.api, effective),
          `what is passed on to ${to.type}, of what is delegable: ${effective.join(', ')}`,
        ).toEqual([])
        const rows = await listOf(me.api, 'persons', {
          ...granted,
          authorizedIdentifier: person.subject,
        })
        const states = rows.map(
          (row) => `${String(row['permissionScope'])} ${String(row['permissionState'])}`,
        )
        expect(states.toSorted(), `their states, passed on to ${to.type}`).toEqual(
          both.map((type) => `${type} ${effective.includes(type) ? 'Active' : 'Inactive'}`),
        )
      }
      const own = await authenticateAs(api, me.context, { context: firm })
      expect(own, 'the intermediary itself at the client').toHaveSucceeded('authentication')
      const atClient = await login({
        context: {
          ...me.context,
          ...firm,
          document: (challenge, options) =>
            me.context.document(challenge, { ...options, context: firm }),
        },
      })
      expect(
        await wrongDecisions(
          atClient.api,
          permissions.map(({ type }) => type),
        ),
        'what the intermediary itself may do at the client',
      ).toEqual([])
    },
  )

for (const to of ['Nip', 'AllPartners'] as const)
  test(
    ...familyRule('permissions.revoke.effective', 'passed on', `ended by the client, ${to}`),
    async ({ api, login, another, rng, target }) => {
      const me = await login()
      const client = await login({ context: await another() })
      const office = byNip(me.context.nip)
      const grant = entityGrant(office.value, [{ type: 'InvoiceRead', canDelegate: true }])
      await grantBy(client.api, 'permissions.grantEntity', grant)
      const firm = byNip(client.context.nip)
      const person = personAt(firm, rng, target)
      const passed = indirectGrant(
        person.subject,
        ['InvoiceRead'],
        to === 'Nip' ? firm : { type: to },
      )
      await grantBy(me.api, 'permissions.grantIndirect', passed)
      const before = await login({ context: person.context })
      const other = await login({ context: await another() })
      await grantBy(other.api, 'permissions.grantEntity', grant)
      const further = indirectGrant(person.subject, ['InvoiceRead'], byNip(other.context.nip))
      await grantBy(me.api, 'permissions.grantIndirect', further)
      const base = only(
        await listOf(client.api, 'persons', { ...granted, authorizedIdentifier: office }),
      )
      const outcome = await outcomeOfOperation(
        client.api,
        await revoke(client.api, String(base['id'])),
      )
      expect(outcome, 'the revocation by the client').toHaveSucceeded('operation')
      expect(await wrongDecisions(before.api, []), 'with the existing token').toEqual([])
      expect(await authenticateAs(api, person.context)).toBeRejected('subject-without-permission')
      const elsewhere = { context: byNip(other.context.nip) }
      const there = await authenticateAs(api, person.context, elsewhere)
      expect(there, 'at another client of the intermediary').toHaveSucceeded('authentication')
      const rows = await listOf(me.api, 'persons', {
        ...granted,
        authorizedIdentifier: person.subject,
        targetIdentifier: passed.targetIdentifier,
      })
      // If it was delegated for every client, the other client still allows it.
      expect(
        rows.map(({ permissionState }) => permissionState),
        'the state of what was passed on',
      ).toEqual([to === 'Nip' ? 'Inactive' : 'Active'])
      await grantBy(client.api, 'permissions.grantEntity', grant)
      const again = await authenticateAs(api, person.context)
      expect(again, 'after the client allows it again').toHaveSucceeded('authentication')
    },
  )

test(
  ...familyRule('permissions.grant.effective', 'passed on', 'before a client allows it'),
  async ({ api, login, another, clock, rng, target }) => {
    const me = await login()
    const client = await login({ context: await another() })
    const firm = byNip(client.context.nip)
    const person = personAt(firm, rng, target)
    const grant = indirectGrant(person.subject, ['InvoiceRead'], { type: 'AllPartners' })
    await grantBy(me.api, 'permissions.grantIndirect', grant)
    expect(await authenticateAs(api, person.context)).toBeRejected('subject-without-permission')
    if (target.management !== undefined) await clock.advance(60_000)
    const permissions = [{ type: 'InvoiceRead', canDelegate: true }] as const
    await grantBy(client.api, 'permissions.grantEntity', entityGrant(me.context.nip, permissions))
    const entered = await authenticateAs(api, person.context)
    expect(entered, 'after the client allows it').toHaveSucceeded('authentication')
    const row = only(
      await listOf(me.api, 'persons', { ...granted, authorizedIdentifier: person.subject }),
    )
    expect(row['permissionState'], 'the state of what was passed on').toBe('Active')
  },
)

test(
  ...familyRule('permissions.grant.effective', 'passed on', 'by two clients, to one person'),
  async ({ api, login, another, rng, target }) => {
    const me = await login()
    const firms = []
    while (firms.length < 2) {
      const client = await login({ context: await another() })
      const permissions = [{ type: 'InvoiceRead', canDelegate: true }] as const
      const grant = entityGrant(me.context.nip, permissions)
      await grantBy(client.api, 'permissions.grantEntity', grant)
      firms.push(byNip(client.context.nip))
    }
    const person = personAt(firms[0]!, rng, target)
    for (const firm of firms) {
      const enter = () => authenticateAs(api, person.context, { context: firm })
      expect(await enter()).toBeRejected('subject-without-permission')
      const grant = indirectGrant(person.subject, ['InvoiceRead'], firm)
      await grantBy(me.api, 'permissions.grantIndirect', grant)
      expect(await enter(), 'at the client, after the grant').toHaveSucceeded('authentication')
    }
  },
)

/** Two grants by one intermediary to one person: which one is revoked, and which clients the person may still enter. */
const twice = {
  'for one client and another': { targets: ['first', 'other'], ended: 0, opened: ['other'] },
  'for one client and for every client': {
    targets: ['first', 'all'],
    ended: 0,
    opened: ['first', 'other'],
  },
  'for every client and for one of them': {
    targets: ['first', 'all'],
    ended: 1,
    opened: ['first'],
  },
} as const

for (const [name, { targets, ended, opened }] of Object.entries(twice))
  test(
    ...familyRule('permissions.revoke.effective', 'passed on', name),
    async ({ api, login, another, rng, target }) => {
      const me = await login()
      const consent = entityGrant(me.context.nip, [{ type: 'InvoiceRead', canDelegate: true }])
      const client = async () => {
        const { api: by, context } = await login({ context: await another() })
        await grantBy(by, 'permissions.grantEntity', consent)
        return byNip(context.nip)
      }
      const firms = { first: await client(), other: await client() } as const
      const whom = { ...firms, all: { type: 'AllPartners' } } as const
      const person = personAt(firms.first, rng, target)
      for (const to of targets)
        await grantBy(
          me.api,
          'permissions.grantIndirect',
          indirectGrant(person.subject, ['InvoiceRead'], whom[to]),
        )
      const rows = async (more: Readonly<Record<string, unknown>> = {}) => {
        const query = { ...granted, authorizedIdentifier: person.subject, ...more }
        return (await listOf(me.api, 'persons', query)).map(({ id }) => String(id))
      }
      const before = await rows()
      expect(before, 'what is passed on').toHaveLength(2)
      const id = only(await rows({ targetIdentifier: whom[targets[ended]] }))
      const outcome = await outcomeOfOperation(me.api, await revoke(me.api, id))
      expect(outcome, 'the revocation of one of the two').toHaveSucceeded('operation')
      expect(await rows(), 'what is left in the list').toEqual(before.filter((one) => one !== id))
      for (const [firm, context] of Object.entries(firms)) {
        const entered = await authenticateAs(api, person.context, { context })
        if (opened.some((one) => one === firm))
          expect(entered, `at the ${firm} client`).toHaveSucceeded('authentication')
        else expect(entered, `at the ${firm} client`).toBeRejected('subject-without-permission')
      }
    },
  )
