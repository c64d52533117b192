import type { Client } from '../../../lib/client.ts'
import { openBatch } from '../../../lib/flows/batch.ts'
import { closeOnline, openOnline, settleSession } from '../../../lib/flows/session.ts'
import { invoiceKinds } from '../../../generators/invoice/invoice.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { euAdministrator } from '../callers/administrators.ts'
import { obtainCertificate } from '../callers/enrolment.ts'
import { issuedAround } from '../steps/filters.ts'
import type { Fixtures } from '../harness/fixtures.ts'
import { formCodes } from '../checks/forms.ts'
import {
  authorizationGrant,
  euGrant,
  grantBy,
  grantInTest,
  grantPerson,
} from '../callers/grants.ts'
import { heldAlone } from '../coverage/matrices.ts'
import { inOnePart, packed, sendBatch } from '../steps/packages.ts'
import type { Row } from '../answers/paged-lists.ts'
import { accept } from '../steps/steps.ts'
import { personAt } from '../callers/people.ts'
import { mintToken, revokeToken } from '../callers/service-token.ts'

/** Lists with rows of several owners, and the readers of each, who are not all shown the same. */

export type Scene = Pick<
  Fixtures,
  'api' | 'login' | 'own' | 'another' | 'limited' | 'rng' | 'target' | 'clock' | 'invoice'
>

/** A reader, with what every request for the list has. */
export interface Reader {
  readonly who: string
  readonly api: Client
  readonly always?: Row
}

const rounds = 6
/** Two rows of different rounds differ by more than what services round, ms. */
const apart = 5_000

export const sessions = async (scene: Scene): Promise<readonly Reader[]> => {
  const { login, another, limited, clock, invoice, target } = scene
  const [owner, clerk] = [await login(), await limited(['InvoiceWrite'])]
  const inspector = await limited(['Introspection'])
  const stranger = await login({ context: await another() })
  for (let round = 0; round < rounds; round += 1) {
    for (const { api } of [owner, clerk, ...(round < 2 ? [stranger] : [])]) {
      const session = await openOnline(api, { formCode: formCodes.fa3 })
      await openOnline(api, { formCode: formCodes.fa3 })
      if (round % 2 === 1) continue
      await closeOnline(api, session)
      await settleSession(api, session)
    }
    if (round < 2)
      for (const { api } of [owner, clerk])
        await openBatch(api, await packed([invoice()], inOnePart), { formCode: formCodes.fa3 })
    await clock.advance(apart)
  }
  // The public service wants the type with every list of sessions.
  const typed = target.dialect.operations['sessions.list'] !== undefined
  const always = typed ? { sessionType: 'Online' } : {}
  return Object.entries({ owner, clerk, inspector, stranger }).map(([who, { api }]) => ({
    who,
    api,
    always,
  }))
}

export const serviceTokens = async (scene: Scene): Promise<readonly Reader[]> => {
  const { api, login, own, another, limited, clock, rng, target } = scene
  const owner = await login()
  const inspector = await limited(['CredentialsRead'])
  const stranger = await login({ context: await another() })
  const { subject, context } = personAt(own, rng, target, 'Pesel')
  await grantInTest(api, own, subject, ['InvoiceRead'])
  const clerk = await login({ context })
  for (let round = 0; round < rounds; round += 1) {
    for (const [who, me] of Object.entries({ owner, clerk, stranger })) {
      const kept = await mintToken(me, ['InvoiceRead'], `${who} keeps ${round}`)
      await mintToken(me, ['InvoiceRead'], `${who} has ${round}`)
      if (round % 2 === 1) await revokeToken(me.api, kept.referenceNumber ?? '')
    }
    await clock.advance(apart)
  }
  return Object.entries({ owner, clerk, inspector, stranger }).map(([who, me]) => ({
    who,
    api: me.api,
  }))
}

export const certificates = async ({
  login,
  another,
  clock,
}: Scene): Promise<readonly Reader[]> => {
  const owner = await login()
  const stranger = await login({ context: await another() })
  for (let round = 0; round < rounds; round += 1) {
    for (const [who, { api }] of Object.entries(round < 2 ? { owner, stranger } : { owner })) {
      await obtainCertificate(api, { name: `${who} signs in ${round}` })
      await obtainCertificate(api, { name: `${who} works offline ${round}`, type: 'Offline' })
    }
    await clock.advance(apart)
  }
  return Object.entries({ owner, stranger }).map(([who, { api }]) => ({ who, api }))
}

/** Two holders with permissions in two contexts, of which each knows its own. */
const persons = async (scene: Scene) => {
  const { api, login, own, another, limited, clock, rng, target } = scene
  const other = await another()
  const [owner, stranger] = [await login(), await login({ context: other })]
  const manager = await limited(['CredentialsManage'])
  const [anna, jan] = [personAt(own, rng, target), personAt(own, rng, target, 'Pesel')]
  for (const permission of heldAlone) {
    for (const { subject } of [anna, jan]) await grantPerson(owner.api, subject, [permission])
    await clock.advance(apart)
    await grantPerson(stranger.api, anna.subject, [permission])
    await grantPerson(manager.api, jan.subject, [permission])
  }
  for (const { subject } of [anna, jan])
    await grantInTest(api, own, subject, [...heldAlone, 'EnforcementOperations'])
  return { owner, stranger, manager, anna, jan, other }
}

export const granted = async (scene: Scene): Promise<readonly Reader[]> => {
  const { owner, stranger, manager } = await persons(scene)
  return Object.entries({ owner, stranger, manager }).flatMap(([who, { api }]) =>
    ['PermissionsInCurrentContext', 'PermissionsGrantedInCurrentContext'].map((queryType) => ({
      who: `${who}, ${queryType}`,
      api,
      always: { queryType },
    })),
  )
}

export const held = async (scene: Scene): Promise<readonly Reader[]> => {
  const { anna, jan, owner, other } = await persons(scene)
  const abroad = { ...anna.context, type: other.type, value: other.value }
  const { login } = scene
  return [
    { who: 'Anna', api: (await login({ context: anna.context })).api },
    { who: 'Jan', api: (await login({ context: jan.context })).api },
    { who: 'Anna elsewhere', api: (await login({ context: abroad })).api },
    { who: 'the owner', api: owner.api },
  ]
}

export const authorizations = async ({
  login,
  another,
  clock,
  rng,
}: Scene): Promise<readonly Reader[]> => {
  const [owner, agent] = [await login(), await login({ context: await another() })]
  const stranger = await login({ context: await another() })
  const kinds = ['SelfInvoicing', 'RRInvoicing', 'TaxRepresentative']
  for (const kind of kinds)
    for (let round = 0; round < 4; round += 1) {
      for (const { api, context } of [owner, stranger]) {
        const to = round === 0 ? agent.context.nip : drawNip(rng)
        const grant = authorizationGrant({ type: 'Nip', value: to }, kind)
        if (to !== context.nip) await grantBy(api, 'permissions.grantAuthorization', grant)
      }
      await clock.advance(apart)
    }
  return Object.entries({ owner, agent, stranger }).flatMap(([who, { api }]) =>
    ['Granted', 'Received'].map((queryType) => ({
      who: `${who}, ${queryType}`,
      api,
      always: { queryType },
    })),
  )
}

export const inEu = async ({ login, rng, target, clock }: Scene): Promise<readonly Reader[]> => {
  const me = await login()
  const scene = { me, login, rng, target }
  const [first, second] = [await euAdministrator(scene), await euAdministrator(scene)]
  for (let round = 0; round < rounds; round += 1) {
    for (const { api, context } of [first, second]) {
      const { subject } = personAt(context, rng, target, 'Fingerprint')
      await grantBy(
        api,
        'permissions.grantEu',
        euGrant(subject.value, ['InvoiceRead', 'InvoiceWrite']),
      )
    }
    await clock.advance(apart)
  }
  return Object.entries({ first, second }).map(([who, { api }]) => ({ who, api }))
}

export const invoices = async (scene: Scene): Promise<readonly Reader[]> => {
  const { login, another, clock, invoice } = scene
  const owner = await login()
  const buyer = await login({ context: await another() })
  for (const offlineMode of [false, true]) {
    const documents = Array.from({ length: 11 }, (_, place) =>
      invoice({
        profile: 'general',
        kind: invoiceKinds[place % invoiceKinds.length] ?? 'VAT',
        ...(place < 6 ? { buyer: buyer.context.nip } : {}),
      }),
    )
    await sendBatch(owner.api, await packed(documents), { offlineMode })
    await clock.advance(apart)
  }
  const desk = { api: buyer.api, session: await openOnline(buyer.api, { formCode: formCodes.fa3 }) }
  const theirs = invoice({ seller: buyer.context.nip, buyer: owner.context.nip })
  await accept(desk, theirs.bytes)
  const now = clock.now()
  return [
    { who: 'the seller', api: owner.api, always: { ...issuedAround(now) } },
    { who: 'the seller as a buyer', api: owner.api, always: { ...issuedAround(now, 'subject2') } },
    { who: 'the buyer', api: buyer.api, always: { ...issuedAround(now, 'subject2') } },
  ]
}
