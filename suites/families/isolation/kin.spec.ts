import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { createExport, settleExport } from '../../../lib/flows/export.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { calls, perform } from '../../support/scenes/calls.ts'
import { issuedAround, subjectTypes } from '../../support/steps/filters.ts'
import { foreignRefusalOf, foreignRuleOf } from '../../support/scenes/foreign.ts'
import type { Me } from '../../support/service/contexts.ts'
import { formCodes } from '../../support/checks/forms.ts'
import {
  byNip,
  grantBy,
  grantPerson,
  outcomeOfOperation,
  unitGrant,
} from '../../support/callers/grants.ts'
import { kin } from '../../support/callers/kin.ts'
import { personAt } from '../../support/callers/people.ts'
import { expectNarrowed } from '../../support/callers/permission-lists.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { ofResource } from '../../support/coverage/matrices.ts'
import { offered } from '../../support/service/offered.ts'
import { withAuthorizedParty, withThirdParty } from '../../support/documents/parties.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { findAll, lookFor, numbersOf, page } from '../../support/steps/searches.ts'
import { spelled } from '../../support/steps/spelled.ts'
import type { Spelled } from '../../support/steps/spelled.ts'
import { createStage } from '../../support/callers/stage.ts'
import { enterByToken, mintToken } from '../../support/callers/service-token.ts'
import { accept } from '../../support/steps/steps.ts'
import { describedPlainly, documentOf } from '../../support/documents/stock-document.ts'
import { expect, test } from '../../support/harness/test.ts'
import { drawUnit } from '../../support/run/units.ts'

/** Contexts of one taxpayer: a unit and an EU entity have its digits, and neither its sessions nor its invoices. */

/** Operations on resources of a context, by the rule that keeps them to it. */
const byRule = new Map<RuleId, OperationId[]>()
for (const operation of ofResource.filter(
  (id) =>
    endpoint(id).bearer === 'access' &&
    /^(sessions|invoices|receipts|exports|tokens|operations|permissions)\./.test(id),
)) {
  const rule = foreignRuleOf(operation)
  byRule.set(rule, [...(byRule.get(rule) ?? []), operation])
}

/** Operations that start work in a context, with the rule that allows it in every kind of context. */
const beginnings = [
  ['sessions.openOnline', 'sessions.online.opens'],
  ['sessions.openBatch', 'sessions.batch.opens'],
  ['exports.create', 'exports.create.accepted'],
] as const

for (const kind of ['InternalId', 'NipVatUe'] as const) {
  for (const [operation, { rule, main, other }] of Object.entries(spelled) as [
    OperationId,
    Spelled,
  ][])
    test(
      ...familyRule(rule, 'context of the same taxpayer', `${kind}, ${operation}`),
      async ({ api, login, another, invoice, rng, target }) => {
        const relative = await kin[kind]({ me: await login(), login, rng, target })
        const stage = createStage({ me: relative, api, login, another, invoice, rng, target })
        for (const spelling of [main, other]) {
          const ready = await calls[operation](stage)
          const answer = await perform(relative.api, operation, ready, spelling)
          expect(answer, JSON.stringify(spelling)).toBeOk(operation)
        }
      },
    )

  for (const [rule, operations] of byRule)
    test(
      ...familyRule(rule, 'context of the same taxpayer', kind),
      async ({ api, login, another, invoice, rng, target }) => {
        const me = await login()
        const relative = await kin[kind]({ me, login, rng, target })
        const managesPermissions = kind === 'InternalId'
        const stage = createStage({ me, api, login, another, invoice, rng, target })
        for (const operation of offered(...operations)) {
          if (wireOperation(operation, target.dialect).bearer !== 'access') continue
          const ready = await calls[operation](stage)
          const answer = await perform(relative.api, operation, ready)
          const isGrant = operation.startsWith('permissions.')
          const outcome = isGrant ? await outcomeOfOperation(relative.api, answer) : answer
          const refusal =
            isGrant && !managesPermissions ? 'missing-permission' : foreignRefusalOf(operation)
          expect.soft(outcome, operation).toBeRejected(refusal)
        }
      },
    )

  for (const [operation, rule] of beginnings)
    test(
      ...familyRule(rule, 'context of the same taxpayer', kind),
      async ({ api, login, another, invoice, rng, target }) => {
        const relative = await kin[kind]({ me: await login(), login, rng, target })
        const stage = createStage({ me: relative, api, login, another, invoice, rng, target })
        const ready = await calls[operation](stage)
        expect(await perform(relative.api, operation, ready)).toBeOk(operation)
      },
    )

  for (const rule of ['sessions.list.complete', 'auth.xades.context-kinds'] as const)
    test(
      ...familyRule(rule, 'context of the same taxpayer', kind),
      async ({ login, rng, target }) => {
        const me = await login()
        const relative = await kin[kind]({ me, login, rng, target })
        const mine = await openOnline(me.api, { formCode: formCodes.fa3 })
        const theirs = await openOnline(relative.api, { formCode: formCodes.fa3 })
        const query = { sessionType: 'Online' }
        for (const [who, own, other] of [
          [me, mine, theirs],
          [relative, theirs, mine],
        ] as const) {
          const list = await who.api.call('sessions.list', { query })
          expect(list).toBeOk()
          expect(list.text, `sessions of ${who.context.type}`).toContain(own.referenceNumber)
          expect(list.text, `sessions of ${who.context.type}`).not.toContain(other.referenceNumber)
        }
      },
    )

  test(
    ...familyRule('queries.metadata.subject-type', 'context of the same taxpayer', kind),
    async ({ open, login, another, invoice, rng, target }) => {
      const desk = await open()
      const { me } = desk
      const relative = await kin[kind]({ me, login, rng, target })
      const supplier = await open({ me: await login({ context: await another() }) })
      const sold = await accept(desk, invoice().bytes)
      const { nip: seller } = supplier.me.context
      const bought = await accept(supplier, invoice({ seller, buyer: me.context.nip }).bytes)
      const used = withThirdParty(invoice({ seller }).bytes, me.context.nip)
      const named = await accept(supplier, withAuthorizedParty(used, me.context.nip))
      await findAll(me.api, issuedAround(target.now()), [sold.svcNumber])
      await findAll(me.api, issuedAround(target.now(), 'subject2'), [bought.svcNumber])
      for (const role of ['subject3', 'subjectAuthorized'] as const)
        await findAll(me.api, issuedAround(target.now(), role), [named.svcNumber])
      for (const role of subjectTypes) {
        const found = numbersOf([await page(relative.api, issuedAround(target.now(), role))])
        for (const { svcNumber } of [sold, bought, named])
          expect(found, `what the ${kind} finds as ${role}`).not.toContain(svcNumber)
      }
    },
  )

  test(
    ...familyRule('exports.package.content', 'context of the same taxpayer', kind),
    async ({ open, login, another, invoice, rng, target }) => {
      const desk = await open()
      const { me } = desk
      const relative = await kin[kind]({ me, login, rng, target })
      const supplier = await open({ me: await login({ context: await another() }) })
      const { nip: seller } = supplier.me.context
      const sold = await accept(desk, invoice().bytes)
      const bought = await accept(supplier, invoice({ seller, buyer: me.context.nip }).bytes)
      await findAll(me.api, issuedAround(target.now()), [sold.svcNumber])
      await findAll(me.api, issuedAround(target.now(), 'subject2'), [bought.svcNumber])
      const begun = (['subject1', 'subject2'] as const).map(async (role) => {
        const filters = issuedAround(target.now(), role)
        return { role, started: await createExport(relative.api, { filters }) }
      })
      for (const { role, started } of await Promise.all(begun)) {
        const { body } = await settleExport(relative.api, started)
        const counted = { package: { invoiceCount: 0 } }
        expect(body, `what the ${kind} exports as ${role}`).toMatchObject(counted)
      }
    },
  )
}

test(
  ...familyRule(
    'queries.metadata.subject-type',
    'context of the same taxpayer',
    'named by its own',
  ),
  async ({ open, login, another, invoice, rng, target }) => {
    const me = await login()
    const unit = await kin.InternalId({ me, login, rng, target })
    const entity = await kin.NipVatUe({ me, login, rng, target })
    const supplier = await open({ me: await login({ context: await another() }) })
    const { nip } = supplier.me.context
    const used = withThirdParty(invoice({ seller: nip }).bytes, unit.context.value)
    const plain = { seller: nip, number: `K-${rng.digits(9)}`, issueDate: isoDay(target.now()) }
    const bought = {
      ...describedPlainly(plain),
      buyer: {
        identifier: { type: 'VatUe' as const, value: entity.context.value.slice(11) },
        name: 'An entity',
      },
    }
    const parties = { third: drawNip(rng), authorized: drawNip(rng) }
    const issued: string[] = []
    for (const [who, role, bytes] of [
      [unit, 'subject3', used],
      [entity, 'subject2', documentOf(bought, parties)],
    ] as const) {
      const { svcNumber } = await accept(supplier, bytes)
      issued.push(svcNumber)
      await findAll(supplier.me.api, issuedAround(target.now()), [svcNumber])
      // One by one: others may have issued more than a page of invoices to the same entity.
      const found: string[] = []
      for (const one of issued) {
        const filters = { ...issuedAround(target.now(), role), svcNumber: one }
        const own = one === svcNumber ? [one] : []
        found.push(...numbersOf([await lookFor(who.api, filters, own)]))
      }
      expect(found, `what the ${who.context.type} finds`).toEqual([svcNumber])
      const path = { svcNumber }
      const read = await who.api.call('invoices.bySvcNumber', { path })
      expect(read, `read by the ${who.context.type}`).toBeOk()
      // Neither the taxpayer itself nor its other context is a party to the invoice.
      for (const other of [me, unit, entity].filter((one) => one !== who)) {
        const { type } = other.context
        for (const asked of subjectTypes) {
          const filters = { ...issuedAround(target.now(), asked), svcNumber }
          const seen = numbersOf([await page(other.api, filters)])
          expect(seen, `what the ${type} finds of the ${who.context.type}`).toEqual([])
        }
        const refused = await other.api.call('invoices.bySvcNumber', { path })
        expect(refused, `read by the ${type}`).toBeRefused('invoice-unknown')
      }
    }
  },
)

test(
  ...familyRule(
    'permissions.query.narrowed',
    'context of the same taxpayer',
    'own permissions, by context',
  ),
  async ({ login, own, rng, target }) => {
    const me = await login()
    const person = personAt(own, rng, target)
    const [unit, other] = [1, 2].map(() => drawUnit(rng, own.nip))
    await grantPerson(me.api, person.subject, ['InvoiceRead'])
    await grantBy(me.api, 'permissions.grantSubunit', unitGrant(person.subject, unit!, 'a branch'))
    const { api } = await login({ context: person.context })
    await expectNarrowed(api, 'personal', [
      [{}, ['InvoiceRead']],
      [{ contextIdentifier: byNip(own.nip) }, ['InvoiceRead']],
      [{ contextIdentifier: unit }, ['CredentialsManage']],
      [{ contextIdentifier: other }, []],
    ])
  },
)

test(
  ...familyRule('tokens.create.within-rights', 'context of the same taxpayer', 'service token'),
  async ({ login, rng, target }) => {
    const me = await login()
    const unit = await kin.InternalId({ me, login, rng, target })
    const body = { permissions: ['InvoiceRead'], description: 'in the context of a unit' }
    expect(await unit.api.call('tokens.create', { body })).toBeOk()
  },
)

test(
  ...familyRule('auth.token.accepted', 'context of the same taxpayer', 'service token'),
  async ({ api, login, rng, target }) => {
    const unit = await kin.InternalId({ me: await login(), login, rng, target })
    const { token } = await mintToken(unit)
    const outcome = await enterByToken(api, unit.context, token)
    expect(outcome, 'in the unit').toHaveSucceeded('authentication')
    const entered = await login({ context: unit.context, token })
    const query = { sessionType: 'Online' }
    expect(await entered.api.call('sessions.list', { query }), 'a call').toBeOk()
  },
)

test(
  ...familyRule(
    'auth.token.other-context-refused',
    'context of the same taxpayer',
    'service token',
  ),
  async ({ api, login, rng, target }) => {
    const me = await login()
    const unit = await kin.InternalId({ me, login, rng, target })
    const [above, below] = [await mintToken(me), await mintToken(unit)]
    const enter = ({ context }: Me, token: string) => enterByToken(api, context, token)
    expect(await enter(unit, below.token), 'in the unit').toHaveSucceeded('authentication')
    expect(await enter(me, below.token)).toBeRejected('token-refused')
    expect(await enter(unit, above.token)).toBeRejected('token-refused')
  },
)
