import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { formCodes } from '../../support/checks/forms.ts'
import {
  authorizationGrant,
  authorizeSelfInvoicing,
  byNip,
  grantBy,
  outcomeOfOperation,
} from '../../support/callers/grants.ts'
import { allowAttachments, sendAlone } from '../../support/steps/packages.ts'
import { selfInvoiced, withAuthorizedParty } from '../../support/documents/parties.ts'
import { listOf, shortList, valueOf } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { outcomeOfInvoice } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Who may send for a seller: an agent by each tie alone, an agent with something similar, and a stranger. */

interface Parties {
  readonly seller: Client
  readonly sellerNip: string
  readonly agentNip: string
  readonly pesel: string
}

interface Tie {
  readonly rule: RuleId
  /** Makes the agent's invoice one that the tie covers. */
  readonly alter: (bytes: Uint8Array, agentNip: string) => Uint8Array
  /** Creates something similar to the tie: the agent may still not send. */
  readonly almost?: (parties: Parties) => Promise<unknown>
  readonly tie: (parties: Parties) => Promise<unknown>
}

const authorize = (kind: string) => (parties: Parties) =>
  grantBy(
    parties.seller,
    'permissions.grantAuthorization',
    authorizationGrant(byNip(parties.agentNip), kind),
  )

const entity = async (
  { seller }: Parties,
  subjectNip: string,
  subjectType: string,
  members: readonly string[] = [],
) => {
  const description = 'an entity of a check'
  const subunits = members.map((nip) => ({ subjectNip: nip, description }))
  const body = { subjectNip, subjectType, description, subunits }
  expectOk(await seller.call('testdata.createSubject', { body }), 'create an entity')
}

const person = (isBailiff: boolean) => async (parties: Parties) => {
  const { seller, agentNip, pesel } = parties
  const body = { nip: agentNip, pesel, isBailiff, description: 'a person of a check' }
  expectOk(await seller.call('testdata.createPerson', { body }), 'create a person')
}

const memberOf = (type: string) => (parties: Parties) =>
  entity(parties, parties.sellerNip, type, [parties.agentNip])

const asItIs = (bytes: Uint8Array): Uint8Array => bytes

const named = (role: number) => (bytes: Uint8Array, agentNip: string) =>
  withAuthorizedParty(bytes, agentNip, role)

const ties: Readonly<Record<string, Tie>> = {
  'self-invoicing': {
    rule: 'permissions.grant.effective',
    alter: (bytes) => selfInvoiced(bytes),
    almost: authorize('TaxRepresentative'),
    tie: authorize('SelfInvoicing'),
  },
  'tax representative': {
    rule: 'permissions.grant.effective',
    alter: named(3),
    almost: authorize('SelfInvoicing'),
    tie: authorize('TaxRepresentative'),
  },
  'member of a VAT group': {
    rule: 'testdata.entities',
    alter: asItIs,
    almost: authorize('SelfInvoicing'),
    tie: memberOf('VatGroup'),
  },
  'member of a local government unit': {
    rule: 'testdata.entities',
    alter: asItIs,
    tie: memberOf('JST'),
  },
  'enforcement authority': {
    rule: 'testdata.entities',
    alter: named(1),
    almost: person(false),
    tie: (parties) => entity(parties, parties.agentNip, 'EnforcementAuthority'),
  },
  bailiff: {
    rule: 'testdata.entities',
    alter: named(2),
    almost: (parties) => entity(parties, parties.agentNip, 'VatGroup'),
    tie: person(true),
  },
}

for (const [name, { rule, alter, almost, tie }] of Object.entries(ties))
  test(
    ...familyRule(
      rule,
      rule === 'testdata.entities' ? 'tie of an entity to a seller' : 'tie to a seller',
      name,
    ),
    async ({ login, another, own, invoice, rng }) => {
      const seller = await login()
      const agent = await login({ context: await another() })
      const other = await login({ context: await another() })
      const agentNip = agent.context.nip
      const parties = { seller: seller.api, sellerNip: own.nip, agentNip, pesel: drawPesel(rng) }
      const desk = async ({ api }: typeof agent) => ({
        api,
        session: await openOnline(api, { formCode: formCodes.fa3 }),
      })
      const [ofAgent, ofOther] = [await desk(agent), await desk(other)]
      const send = (from: typeof ofAgent) =>
        outcomeOfInvoice(from, alter(selfInvoiced(invoice().bytes, false), agentNip))
      expect(await send(ofAgent), 'without a tie').toBeRejected('seller-not-allowed')
      if (almost !== undefined) {
        await almost(parties)
        expect(await send(ofAgent), 'with another tie').toBeRejected('seller-not-allowed')
      }
      await tie(parties)
      expect(await send(ofAgent), 'with the tie').toHaveSucceeded('invoice')
      expect(await send(ofOther), 'for a stranger').toBeRejected('seller-not-allowed')
    },
  )

/** Revokes the authorization that a seller granted to an agent. */
const takeBack = async (seller: Client, agentNip: string): Promise<void> => {
  const rows = await listOf(seller, 'authorizations', { queryType: 'Granted' })
  const row = rows.find((one) => valueOf(one['authorizedEntityIdentifier']) === agentNip)
  const path = { permissionId: String(row?.['id']) }
  const started = await seller.call('permissions.revokeAuthorization', { path })
  const outcome = await outcomeOfOperation(seller, started)
  expect(outcome, 'the revocation of an authorization').toHaveSucceeded('operation')
}

for (const id of ['permissions.grant.effective', 'permissions.revoke.effective'] as const)
  test(
    ...familyRule(id, 'tie to a seller', 'two sellers and two agents'),
    async ({ login, another, invoice }) => {
      const [first, second] = [await login(), await login({ context: await another() })]
      const desk = async () => {
        const { api, context } = await login({ context: await another() })
        const session = await openOnline(api, { formCode: formCodes.fa3 })
        return { api, nip: context.nip, session }
      }
      const [agent, colleague] = [await desk(), await desk()]
      const send = (by: typeof agent, { context }: typeof first) =>
        outcomeOfInvoice(by, selfInvoiced(invoice({ seller: context.nip }).bytes))
      for (const [seller, by] of [
        [first, agent],
        [second, agent],
        [first, colleague],
      ] as const) {
        expect(await send(by, seller)).toBeRejected('seller-not-allowed')
        await authorizeSelfInvoicing(seller.api, by.nip)
      }
      if (id === 'permissions.grant.effective') {
        expect(await send(agent, first), 'for the first seller').toHaveSucceeded('invoice')
        await takeBack(first.api, agent.nip)
        await authorizeSelfInvoicing(first.api, agent.nip)
        expect(await send(agent, first), 'authorized again').toHaveSucceeded('invoice')
      } else {
        await takeBack(first.api, agent.nip)
        expect(await send(agent, first)).toBeRejected('seller-not-allowed')
        const listed = ({ api }: typeof first) =>
          shortList(api, 'authorizations', { queryType: 'Granted' })
        for (const [seller, by] of [
          [first, colleague],
          [second, agent],
        ] as const)
          expect(await listed(seller), 'what is left').toEqual([`SelfInvoicing ${by.nip}`])
      }
      expect(await send(agent, second), 'for the other seller').toHaveSucceeded('invoice')
      expect(await send(colleague, first), 'by the other agent').toHaveSucceeded('invoice')
    },
  )

test(
  ...familyRule(
    'invoices.size.with-attachments',
    'tie of an entity to a seller',
    'consent of the seller',
  ),
  async ({ login, another, own, invoice, rng }) => {
    const seller = await login()
    const agent = await login({ context: await another() })
    const { nip } = agent.context
    const parties = { seller: seller.api, sellerNip: own.nip, agentNip: nip, pesel: drawPesel(rng) }
    await memberOf('VatGroup')(parties)
    await allowAttachments(agent.api, nip)
    const send = () => sendAlone(agent.api, invoice({ attachment: true }).bytes)
    expect(await send(), 'with the consent of the sender only').toBeRejected('seller-not-allowed')
    await allowAttachments(agent.api, own.nip)
    expect(await send(), 'with the consent of the seller').toHaveSucceeded('invoice')
  },
)
