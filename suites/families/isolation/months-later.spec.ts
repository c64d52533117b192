import type { RuleId } from '../../../contract/rules.ts'
import { callReceipt, receiptPages } from '../../../lib/flows/receipt.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { drawInternalId } from '../../../lib/identifiers/internal-id.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { block, unblock } from '../../support/steps/blocks.ts'
import type { Me } from '../../support/service/contexts.ts'
import { wrongDecisions } from '../../support/callers/decisions.ts'
import { listedAs, obtainCertificate } from '../../support/callers/enrolment.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import {
  authorizeSelfInvoicing,
  entityGrant,
  euAdministrationGrant,
  grantBy,
  grantInTest,
  granted,
  grantPerson,
  listGranted,
  unitGrant,
} from '../../support/callers/grants.ts'
import { allowAttachments } from '../../support/steps/packages.ts'
import { selfInvoiced } from '../../support/documents/parties.ts'
import { shortList } from '../../support/callers/permission-lists.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { lookFor, numbersOf, page } from '../../support/steps/searches.ts'
import { listTokens, mintToken } from '../../support/callers/service-token.ts'
import {
  accept,
  authenticateAs,
  fields,
  finish,
  outcomeOfInvoice,
} from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What was done months ago still holds: nothing in the contract ends it. */

const monthsLater = 100 * 24 * 3_600_000

/** Does something, and returns what is expected of it months later. */
type Row = readonly [
  rule: RuleId,
  begin: (fixtures: Fixtures, me: Me) => Promise<(later: Me) => Promise<void>>,
]

const begin = async ({ api }: Me) => ({
  api,
  session: await openOnline(api, { formCode: formCodes.fa3 }),
})

const anInvoice = async ({ invoice }: Fixtures, me: Me) => {
  const desk = await begin(me)
  const { bytes, issueDate } = invoice()
  const { svcNumber, referenceNumber } = await accept(desk, bytes)
  const settled = await finish(desk)
  const filters = issuedAround(Date.parse(issueDate))
  return { svcNumber, referenceNumber, filters, settled, session: desk.session }
}

const rows: Readonly<Record<string, Row>> = {
  'permission of a person': [
    'permissions.grant.effective',
    async ({ own, rng, target, login }, { api }) => {
      const { subject, context } = personAt(own, rng, target)
      await grantPerson(api, subject, ['InvoiceRead', 'CredentialsRead'])
      return async (later) => {
        expect(await authenticateAs(later.api, context)).toHaveSucceeded('authentication')
        const person = await login({ context })
        const given = ['InvoiceRead', 'CredentialsRead']
        expect(await wrongDecisions(person.api, given), 'what the person may do').toEqual([])
        const listed = (await listGranted(later.api)).map((one) => one.permissionScope)
        expect(listed.toSorted(), 'what is listed').toEqual(given.toSorted())
      }
    },
  ],
  'permission of an entity': [
    'permissions.grant.effective',
    async ({ another, own }, { api }) => {
      const agent = await another()
      await grantBy(
        api,
        'permissions.grantEntity',
        entityGrant(agent.nip, [{ type: 'InvoiceRead' }]),
      )
      return async (later) => {
        const { type, value } = own
        const outcome = await authenticateAs(later.api, agent, { context: { type, value } })
        expect(outcome, 'the login of the entity').toHaveSucceeded('authentication')
      }
    },
  ],
  authorization: [
    'permissions.grant.effective',
    async ({ another, login, invoice }, { api }) => {
      const context = await another()
      await authorizeSelfInvoicing(api, context.nip)
      return async () => {
        const desk = await begin(await login({ context }))
        const outcome = await outcomeOfInvoice(desk, selfInvoiced(invoice().bytes))
        expect(outcome, 'an invoice sent for its seller').toHaveSucceeded('invoice')
      }
    },
  ],
  'granted permissions': [
    'permissions.query.scope',
    async ({ own, rng, target, another, login }, me) => {
      const { subject, context } = personAt(own, rng, target)
      const agent = await another()
      const unit = { type: 'InternalId', value: drawInternalId(rng, own.nip) }
      await grantPerson(me.api, subject, ['InvoiceRead'])
      await grantBy(me.api, 'permissions.grantSubunit', unitGrant(subject, unit, 'a unit'))
      await grantBy(
        me.api,
        'permissions.grantEntity',
        entityGrant(agent.nip, [{ type: 'InvoiceRead' }]),
      )
      await authorizeSelfInvoicing(me.api, agent.nip)
      const { subject: delegate } = personAt(own, rng, target, 'Fingerprint')
      await grantBy(
        me.api,
        'permissions.grantEuAdministration',
        euAdministrationGrant(delegate.value, `${own.nip}-DE${rng.digits(9)}`),
      )
      const lists = async ({ api }: Me) => ({
        eu: await shortList(api, 'eu'),
        persons: await shortList(api, 'persons', granted),
        subunits: await shortList(api, 'subunits'),
        authorizations: await shortList(api, 'authorizations', { queryType: 'Granted' }),
        entities: await shortList((await login({ context: agent })).api, 'entities'),
        personal: await shortList((await login({ context })).api, 'personal'),
      })
      const before = await lists(me)
      for (const [list, found] of Object.entries(before)) expect(found, list).not.toEqual([])
      return async (later) => {
        expect(await lists(later), 'what is listed').toEqual(before)
      }
    },
  ],
  'certificate of the service': [
    'certificates.listed',
    async (_, { api }) => {
      const { serialNumber } = await obtainCertificate(api)
      return async (later) => {
        const listed = await listedAs(later.api, serialNumber)
        expect(listed?.status, 'its state in the list').toBe('Active')
      }
    },
  ],
  'permission by test data': [
    'testdata.permissions',
    async ({ own, rng, target, login }, { api }) => {
      const { subject, context } = personAt(own, rng, target)
      await grantInTest(api, own, subject, ['InvoiceRead'])
      return async (later) => {
        expect(await authenticateAs(later.api, context)).toHaveSucceeded('authentication')
        const person = await login({ context })
        expect(await wrongDecisions(person.api, ['InvoiceRead'])).toEqual([])
      }
    },
  ],
  'member of a VAT group': [
    'testdata.entities',
    async ({ own, another, login, invoice }, { api }) => {
      const context = await another()
      const description = 'a group of a check'
      const subunits = [{ subjectNip: context.nip, description }]
      const body = { subjectNip: own.nip, subjectType: 'VatGroup', description, subunits }
      expectOk(await api.call('testdata.createSubject', { body }), 'create a group')
      return async () => {
        const desk = await begin(await login({ context }))
        expect(await outcomeOfInvoice(desk, invoice().bytes)).toHaveSucceeded('invoice')
      }
    },
  ],
  'consent to attachments': [
    'testdata.attachments',
    async ({ own }, { api }) => {
      await allowAttachments(api, own.nip)
      return async (later) => {
        const status = fields(await later.api.call('permissions.attachmentStatus'))
        expect(status['isAttachmentAllowed'], 'whether attachments are allowed').toBe(true)
      }
    },
  ],
  'blocked context': [
    'testdata.blocks',
    async ({ another }, { api }) => {
      const blocked = await another()
      await block(api, blocked)
      return async (later) => {
        expect(await authenticateAs(later.api, blocked)).toBeRejected('context-blocked')
        await unblock(later.api, blocked)
        expect(await authenticateAs(later.api, blocked)).toHaveSucceeded('authentication')
      }
    },
  ],
  'session limits': [
    'testdata.limit-simulation',
    async (_, { api }) => {
      const sizes = {
        maxInvoiceSizeInMB: 1,
        maxInvoiceWithAttachmentSizeInMB: 2,
        maxInvoices: 77,
      }
      const body = { onlineSession: sizes, batchSession: sizes }
      expectOk(await api.call('testdata.setSessionLimits', { body }), 'set the limits')
      return async (later) => {
        const { body: limits } = await later.api.call('limits.context')
        expect(limits, 'the limits that were set').toMatchObject(body)
        expectOk(await later.api.call('testdata.restoreSessionLimits'), 'restore the limits')
      }
    },
  ],
  'service token': [
    'tokens.list.scope',
    async (_, me) => {
      const { referenceNumber } = await mintToken(me)
      return async ({ api }) => {
        const listed = (await listTokens(api)).map((token) => token['referenceNumber'])
        expect(listed, 'the tokens of the context').toContain(referenceNumber)
      }
    },
  ],
  'accepted invoice, searched': [
    'queries.metadata.filters',
    async (fixtures, me) => {
      const { svcNumber, filters } = await anInvoice(fixtures, me)
      return async ({ api }) => {
        const found = numbersOf([await lookFor(api, filters, [svcNumber])])
        expect(found, 'what the search finds').toContain(svcNumber)
      }
    },
  ],
  'accepted invoice, in the general search': [
    'queries.general.date-range',
    async (fixtures, me) => {
      const { svcNumber, filters } = await anInvoice(fixtures, me)
      return async ({ api }) => {
        const found = numbersOf([await page(api, filters, {}, 'queries.general')])
        expect(found, 'what the search finds').toContain(svcNumber)
      }
    },
  ],
  'closed session': [
    'receipts.session.verifies',
    async (fixtures, me) => {
      const { svcNumber, settled, session } = await anInvoice(fixtures, me)
      const [receiptPage] = receiptPages(settled)
      return async ({ api }) => {
        const receipt = await callReceipt(api, {
          sessionReferenceNumber: session.referenceNumber,
          upoReferenceNumber: receiptPage?.referenceNumber ?? '',
        })
        expect(receipt, 'the receipt of the session').toBeOk()
        expect(readReceipt(receipt.bytes).documents.map((one) => one.serviceNumber)).toEqual([
          svcNumber,
        ])
      }
    },
  ],
}

for (const [name, [rule, prepare]] of Object.entries(rows))
  test(
    ...familyRule(rule, 'months later', name),
    async ({ api, own, another, login, invoice, clock, rng, target }) => {
      const fixtures = { api, own, another, login, invoice, clock, rng, target } as Fixtures
      const expectations = await prepare(fixtures, await login())
      await clock.advance(monthsLater)
      await expectations(await login())
    },
  )
