import type { Client } from '../../lib/client.ts'
import { drawSecret, encryptionFields } from '../../lib/flows/session.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { drawPesel } from '../../lib/identifiers/pesel.ts'
import { fingerprint } from '../../lib/node/certificate.ts'
import { anonymousSubject, makeCertificate } from '../../lib/node/pki.ts'
import { expectOk } from '../../lib/outcome.ts'
import { contextWith } from '../support/service/contexts.ts'
import { wrongDecisions } from '../support/callers/decisions.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { formCodes } from '../support/checks/forms.ts'
import { byNip, grantInTest, grantPerson } from '../support/callers/grants.ts'
import type { Identifier } from '../support/callers/grants.ts'
import { personAt } from '../support/callers/people.ts'
import { rule } from '../support/checks/rule.ts'
import { authenticateAs } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const takeBack = (api: Client, nip: string, authorizedIdentifier: Identifier) =>
  api.call('testdata.revoke', {
    body: { contextIdentifier: byNip(nip), authorizedIdentifier },
  })

for (const kind of ['Nip', 'Pesel'] as const) {
  test(
    ...rule('testdata.permissions', `granted, ${kind}`),
    async ({ api, own, rng, target, login, clock }) => {
      const person = personAt(own, rng, target, kind)
      const answer = await api.call('testdata.grant', {
        body: {
          contextIdentifier: byNip(own.nip),
          authorizedIdentifier: person.subject,
          permissions: [{ permissionType: 'InvoiceRead', description: 'reading invoices' }],
        },
      })
      expect(answer).toBeOk()
      const outcome = await authenticateAs(api, person.context)
      expect(outcome).toHaveSucceeded('authentication')
      const me = await login({ context: person.context })
      const body = issuedAround(clock.now())
      expect(await me.api.call('queries.metadata', { body })).toBeOk()
      const opening = { formCode: formCodes.fa3, ...(await encryptionFields(me.api, drawSecret())) }
      const refused = await me.api.call('sessions.openOnline', { body: opening })
      expect(refused).toBeRefused('missing-permission')
    },
  )
}

test(...rule('testdata.permissions', 'granted, fingerprint'), async ({ api, own, target }) => {
  const subject = anonymousSubject('Bez Numeru')
  const credentials = makeCertificate({ subject, now: target.now() })
  const identifier = { type: 'Fingerprint', value: fingerprint(credentials.certificate) }
  await grantInTest(api, own, identifier, ['InvoiceRead'])
  const { type, value } = own
  expect(
    await authenticateAs(api, contextWith({ type, value }, credentials, target.now), {
      subjectIdentifierType: 'certificateFingerprint',
    }),
  ).toHaveSucceeded('authentication')
})

test(...rule('testdata.permissions', 'revoked'), async ({ api, own, rng, target, login }) => {
  const person = personAt(own, rng, target)
  for (const time of ['first', 'second']) {
    // One revocation ends what was granted twice.
    for (let times = 0; times < 2; times += 1)
      await grantInTest(api, own, person.subject, ['InvoiceRead'])
    await login({ context: person.context })
    expect(await takeBack(api, own.nip, person.subject)).toBeOk()
    const outcome = await authenticateAs(api, person.context)
    expect(outcome, `the ${time} time`).toBeRejected('subject-without-permission')
  }
})

test(
  ...rule('testdata.permissions', 'other contexts'),
  async ({ api, own, rng, target, another }) => {
    const other = await another()
    const person = personAt(own, rng, target)
    for (const context of [own, other])
      await grantInTest(api, context, person.subject, ['InvoiceRead'])
    expect(await takeBack(api, other.nip, person.subject)).toBeOk()
    const outcome = await authenticateAs(api, person.context)
    expect(outcome).toHaveSucceeded('authentication')
  },
)

test(
  ...rule('testdata.permissions', 'granted, one after another'),
  async ({ api, own, rng, target, login }) => {
    const person = personAt(own, rng, target)
    for (const permission of ['InvoiceRead', 'Introspection', 'CredentialsRead'])
      await grantInTest(api, own, person.subject, [permission])
    const me = await login({ context: person.context })
    expect(
      await wrongDecisions(me.api, ['InvoiceRead', 'Introspection', 'CredentialsRead']),
      'what the person may do',
    ).toEqual([])
  },
)

for (const kind of ['Nip', 'Pesel', 'Fingerprint'] as const)
  test(
    ...rule('testdata.permissions', `granted, beside one that is held, ${kind}`),
    async ({ api, own, rng, target, login }) => {
      const person = personAt(own, rng, target, kind)
      const given = ['InvoiceRead', 'Introspection']
      await grantInTest(api, own, person.subject, given.slice(0, 1))
      await grantInTest(api, own, person.subject, given)
      const me = await login({ context: person.context })
      expect(await wrongDecisions(me.api, given), 'what the person may do').toEqual([])
    },
  )

const description = 'made again by a conformance check'

/** Entities that are made again, with the kind of identifier that a permission is granted to. */
const madeAgain = {
  'a subject': ['Nip', 'testdata.createSubject', 'testdata.removeSubject'],
  'a person by NIP': ['Nip', 'testdata.createPerson', 'testdata.removePerson'],
  'a person by PESEL': ['Pesel', 'testdata.createPerson', 'testdata.removePerson'],
} as const

for (const [what, [kind, create, remove]] of Object.entries(madeAgain))
  test(
    ...rule('testdata.permissions', `granted, to ${what} that was removed and made again`),
    async ({ api, own, rng, target }) => {
      const { subject, context } = personAt(own, rng, target, kind)
      const nip = kind === 'Nip' ? subject.value : drawNip(rng)
      const pesel = kind === 'Pesel' ? subject.value : drawPesel(rng)
      const body =
        create === 'testdata.createSubject'
          ? { subjectNip: nip, subjectType: 'JST', description }
          : { nip, pesel, isBailiff: false, description }
      expectOk(await api.call(create, { body }), 'create the entity')
      const removed = create === 'testdata.createSubject' ? { subjectNip: nip } : { nip }
      expectOk(await api.call(remove, { body: removed }), 'remove the entity')
      expectOk(await api.call(create, { body }), 'create the entity again')
      await grantInTest(api, own, subject, ['InvoiceRead'])
      expect(await authenticateAs(api, context)).toHaveSucceeded('authentication')
    },
  )

for (const kind of ['Nip', 'Pesel', 'Fingerprint'] as const)
  test(
    ...rule('testdata.permissions', `revoked, all and nothing else, ${kind}`),
    async ({ api, own, rng, target, login, another }) => {
      const [person, colleague] = [
        personAt(own, rng, target, kind),
        personAt(own, rng, target, kind),
      ]
      const given = ['InvoiceRead', 'InvoiceWrite', 'Introspection']
      const other = await another()
      await grantInTest(api, own, person.subject, given)
      await grantInTest(api, own, colleague.subject, given)
      await grantInTest(api, other, person.subject, given)
      await grantPerson((await login()).api, person.subject, ['CredentialsRead'])
      const me = await login({ context: person.context })
      const theirs = await login({ context: colleague.context })
      const all = [...given, 'CredentialsRead']
      expect(await wrongDecisions(me.api, all), 'what the person may do').toEqual([])
      expect(await takeBack(api, own.nip, person.subject)).toBeOk()
      expect(
        await wrongDecisions(me.api, ['CredentialsRead']),
        'what is left of a permission that the owner granted',
      ).toEqual([])
      expect(await wrongDecisions(theirs.api, given), 'of another person').toEqual([])
      const { type, value } = other
      const elsewhere = await authenticateAs(api, person.context, { context: { type, value } })
      expect(elsewhere, 'in another context').toHaveSucceeded('authentication')
      await grantInTest(api, own, person.subject, given)
      expect(await wrongDecisions(me.api, all), 'what was granted again').toEqual([])
    },
  )
