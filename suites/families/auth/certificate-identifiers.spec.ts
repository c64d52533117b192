import type { RuleId } from '../../../contract/rules.ts'
import {
  anonymousSubject,
  freshKey,
  makeCertificate,
  personSubject,
  sealSubject,
} from '../../../lib/node/pki.ts'
import type { Subject } from '../../../lib/node/distinguished-name.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import { contextWith } from '../../support/service/contexts.ts'
import {
  euAdministrationGrant,
  grantBy,
  grantPerson,
  listGranted,
  outcomeOfOperation,
  revoke,
} from '../../support/callers/grants.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { namelessCertificate } from '../../support/steps/seals.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Identifiers in the subjects of certificates, in every form, and texts that are not identifiers. */

interface Row {
  readonly rule: RuleId
  readonly subject: (nip: string, pesel: string) => Subject
  /** Whom the certificate names: the owner of the context, a person with permissions there, or nobody. */
  readonly names: 'owner' | 'person' | 'nobody'
  readonly by?: 'certificateFingerprint'
}

const person = (serialNumber: string): Subject => ({
  ...personSubject({ nip: '' }),
  serialNumber,
})

const accepted = 'auth.xades.accepted'
const fingerprint = 'auth.xades.fingerprint'

const rows: Readonly<Record<string, Row>> = {
  'a seal': { rule: accepted, names: 'owner', subject: sealSubject },
  'a NIP after TINPL': {
    rule: accepted,
    names: 'owner',
    subject: (nip) => person(`TINPL-${nip}`),
  },
  'a NIP after NIP': { rule: accepted, names: 'owner', subject: (nip) => person(`NIP-${nip}`) },
  'a NIP after a colon': {
    rule: accepted,
    names: 'owner',
    subject: (nip) => person(`NIP: ${nip}`),
  },
  'a NIP behind TINPL, unseparated': {
    rule: accepted,
    names: 'owner',
    subject: (nip) => person(`TINPL${nip}`),
  },
  'a PESEL behind PNOPL, unseparated': {
    rule: accepted,
    names: 'person',
    subject: (_, pesel) => person(`PNOPL${pesel}`),
  },
  'a seal, unseparated': {
    rule: accepted,
    names: 'owner',
    subject: (nip) => ({ ...sealSubject(nip), organizationIdentifier: `VATPL${nip}` }),
  },
  'a seal with a colon and a blank': {
    rule: accepted,
    names: 'owner',
    subject: (nip) => ({ ...sealSubject(nip), organizationIdentifier: `VATPL: ${nip}` }),
  },
  'a PESEL after PNOPL': {
    rule: accepted,
    names: 'person',
    subject: (_, pesel) => person(`PNOPL-${pesel}`),
  },
  'a PESEL after PESEL': {
    rule: accepted,
    names: 'person',
    subject: (_, pesel) => person(`PESEL-${pesel}`),
  },
  'a seal with the names of a person': {
    rule: fingerprint,
    names: 'nobody',
    subject: (nip) => ({ ...sealSubject(nip), givenName: 'Jan', surname: 'Testowy' }),
  },
  'a number of another kind': {
    rule: fingerprint,
    names: 'nobody',
    subject: (nip) => person(`IDCPL-${nip}`),
  },
  'a seal with a number of another country': {
    rule: fingerprint,
    names: 'nobody',
    subject: (nip) => ({ ...sealSubject(nip), organizationIdentifier: `VATDE-${nip}` }),
  },
  ...Object.fromEntries(
    ['PNODE', 'PASPL', 'PNO'].map((prefix): [string, Row] => [
      `a number after ${prefix}`,
      {
        rule: fingerprint,
        names: 'nobody',
        subject: (_, pesel) => person(`${prefix}-${pesel}`),
      },
    ]),
  ),
  ...Object.fromEntries(
    ['TINDE', 'TIN', 'VATPL', 'PASDE'].map((prefix): [string, Row] => [
      `a number of ten digits after ${prefix}`,
      { rule: fingerprint, names: 'nobody', subject: (nip) => person(`${prefix}-${nip}`) },
    ]),
  ),
  'a seal with an identifier of another kind': {
    rule: fingerprint,
    names: 'nobody',
    subject: (nip) => ({ ...sealSubject(nip), organizationIdentifier: `NTRPL-${nip}` }),
  },
  'the owner by fingerprint': {
    rule: fingerprint,
    names: 'nobody',
    by: 'certificateFingerprint',
    subject: sealSubject,
  },
}

for (const [name, { rule, subject, names, by }] of Object.entries(rows))
  test(
    ...familyRule(rule, 'identifier in a certificate', name),
    async ({ api, login, own, rng, target }) => {
      const pesel = drawPesel(rng)
      const credentials = makeCertificate({
        subject: subject(own.nip, pesel),
        now: target.now(),
      })
      const me = contextWith({ type: own.type, value: own.value }, credentials, target.now)
      const enter = () =>
        authenticateAs(api, me, by === undefined ? {} : { subjectIdentifierType: by })
      if (names === 'person') {
        const owner = await login()
        expect(await enter(), 'before a grant').toBeRejected('subject-without-permission')
        await grantPerson(owner.api, { type: 'Pesel', value: pesel }, ['InvoiceRead'])
      }
      if (names === 'nobody') {
        // Otherwise the missing permission would be reason enough to refuse it.
        const owner = await login()
        await grantPerson(owner.api, { type: 'Pesel', value: pesel }, ['InvoiceRead'])
        const refused = by === undefined ? 'certificate-without-identifier' : undefined
        expect(await enter()).toBeRejected(refused ?? 'subject-without-permission')
      } else expect(await enter()).toHaveSucceeded('authentication')
    },
  )

/** The fingerprint with one digit changed: at its beginning, in the middle or at its end. */
const nearlySame = (print: string): readonly string[] =>
  [0, 32, 63].map(
    (at) => print.slice(0, at) + (print[at] === 'A' ? 'B' : 'A') + print.slice(at + 1),
  )

for (const kind of ['Nip', 'NipVatUe'] as const)
  test(
    ...familyRule(fingerprint, 'identifier in a certificate', `nearly as granted, ${kind}`),
    async ({ api, login, own, target, rng }) => {
      const entity = { type: kind, value: `${own.nip}-DE${rng.digits(9)}` } as const
      const me = await login()
      const where = kind === 'Nip' ? own : entity
      const { subject, context } = personAt(where, rng, target, 'Fingerprint')
      for (const value of nearlySame(subject.value))
        if (kind === 'Nip') await grantPerson(me.api, { ...subject, value }, ['InvoiceRead'])
        else {
          const grant = euAdministrationGrant(value, entity.value)
          await grantBy(me.api, 'permissions.grantEuAdministration', grant)
        }
      const entered = await authenticateAs(api, context)
      expect(entered, `in the ${kind}`).toBeRejected('subject-without-permission')
    },
  )

test(
  ...familyRule(fingerprint, 'identifier in a certificate', 'a fingerprint granted to'),
  async ({ api, login, own, target, rng }) => {
    const { subject, context } = personAt(own, rng, target, 'Fingerprint')
    const { api: owner } = await login()
    await grantPerson(owner, subject, ['InvoiceRead'])
    expect(await authenticateAs(api, context)).toHaveSucceeded('authentication')
    const granted = (await listGranted(owner)).filter(
      ({ authorizedIdentifier: { value } }) => value.toLowerCase() === subject.value.toLowerCase(),
    )
    // Only what is listed can be revoked.
    if (granted.length === 0) return
    for (const { id } of granted)
      expect(await outcomeOfOperation(owner, await revoke(owner, id))).toHaveSucceeded('operation')
    const later = await authenticateAs(api, context)
    expect(later, 'once that is revoked').toBeRejected('subject-without-permission')
  },
)

test(
  ...familyRule(fingerprint, 'identifier in a certificate', 'a renewal of one granted to'),
  async ({ api, login, own, target, rng }) => {
    const subject = anonymousSubject(`Bezimienna ${rng.digits(6)}`)
    const privateKey = freshKey('p256')
    const certified = () => namelessCertificate(target, rng, { subject, privateKey })
    const [first, renewed] = [certified(), certified()]
    expect(renewed.identifier.value, 'another fingerprint').not.toBe(first.identifier.value)
    await grantPerson((await login()).api, first.identifier, ['InvoiceRead'])
    const enter = ({ credentials }: typeof first) =>
      authenticateAs(api, own, { credentials, subjectIdentifierType: 'certificateFingerprint' })
    expect(await enter(first), 'the one granted to').toHaveSucceeded('authentication')
    expect(await enter(renewed), 'the other').toBeRejected('subject-without-permission')
  },
)
