import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import { makeCertificate, personSubject } from '../../../lib/node/pki.ts'
import { expectOk } from '../../../lib/outcome.ts'
import type { Me } from '../../support/service/contexts.ts'
import { contextWith } from '../../support/service/contexts.ts'
import { applyFor, listedAs, obtainCertificate } from '../../support/callers/enrolment.ts'
import type { Fixtures as All } from '../../support/harness/fixtures.ts'
import { grantInTest } from '../../support/callers/grants.ts'
import { statedIn } from '../../support/answers/meaning.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/**
 * Certificates and their limits belong to the subject that signed in: neither to the context, nor to a person who is
 * known under another identifier too.
 */

type Fixtures = Pick<All, 'api' | 'own' | 'login' | 'rng' | 'target'>

/** Everyone who works in one context: its NIP, the PESEL that is linked to it, and two persons with permissions. */
const holders = ['Nip', 'linked Pesel', 'Pesel', 'Fingerprint'] as const
type Holder = (typeof holders)[number]

const signInAll = async (fixtures: Fixtures): Promise<Readonly<Record<Holder, Me>>> => {
  const { api, own, login, rng, target } = fixtures
  const pesel = drawPesel(rng)
  const body = { nip: own.nip, pesel, isBailiff: false, description: 'a sole trader' }
  expectOk(await api.call('testdata.createPerson', { body }), 'link a PESEL to the NIP')
  const context = { type: own.type, value: own.value }
  const linked = makeCertificate({ subject: personSubject({ pesel }), now: target.now() })
  const visitor = async (kind: 'Pesel' | 'Fingerprint') => {
    const person = personAt(own, rng, target, kind)
    await grantInTest(api, own, person.subject, ['InvoiceRead'])
    return login({ context: person.context })
  }
  return {
    Nip: await login(),
    'linked Pesel': await login({ context: contextWith(context, linked, target.now) }),
    Pesel: await visitor('Pesel'),
    Fingerprint: await visitor('Fingerprint'),
  }
}

/** One of them, and the others by their names. */
const peopleBeside = async (holder: Holder, fixtures: Fixtures) => {
  const all = await signInAll(fixtures)
  const others = holders.filter((who) => who !== holder).map((who) => [who, all[who]] as const)
  return { me: all[holder], others }
}

const reads = ['certificates.limits', 'limits.subject'] as const

/** What a subject may still have, as both resources report it. */
const room = async ({ api }: Me): Promise<readonly unknown[]> => {
  const answers = []
  for (const operation of reads)
    answers.push(statedIn(await api.call(operation), 'read the limits'))
  return answers
}

for (const holder of holders) {
  test(
    ...familyRule('certificates.limits', 'holder of certificates', holder),
    async ({ api, own, login, rng, target }) => {
      await withoutRates(target)
      const { me, others } = await peopleBeside(holder, { api, own, login, rng, target })
      const before = await Promise.all(others.map(([, other]) => room(other)))
      const mine = await room(me)
      await obtainCertificate(me.api)
      expect(await room(me), 'what remains to the holder').not.toEqual(mine)
      const body = { enrollment: { maxEnrollments: 1 }, certificate: { maxCertificates: 1 } }
      expectOk(await me.api.call('testdata.setSubjectLimits', { body }), 'set limits')
      expect(await applyFor(me.api), 'one more application').toBeClientError()
      for (const [place, [who, other]] of others.entries()) {
        expect(await room(other), `what remains to the ${who}`).toEqual(before[place])
        expect(await applyFor(other.api), `an application of the ${who}`).toBeOk()
      }
    },
  )

  test(
    ...familyRule('certificates.listed', 'holder of certificates', holder),
    async ({ api, own, login, rng, target }) => {
      await withoutRates(target)
      const { me, others } = await peopleBeside(holder, { api, own, login, rng, target })
      const { serialNumber } = await obtainCertificate(me.api)
      const path = { certificateSerialNumber: serialNumber }
      for (const [who, other] of others) {
        expect(await listedAs(other.api, serialNumber), `in the list of the ${who}`).toBeUndefined()
        const body = { certificateSerialNumbers: [serialNumber] }
        const retrieved = await other.api.call('certificates.retrieve', { body })
        expect(retrieved.text, `retrieved by the ${who}`).not.toContain(serialNumber)
        const revoked = await other.api.call('certificates.revoke', { path, body: {} })
        expect(revoked, `a revocation by the ${who}`).toBeRefused('certificate-unknown')
      }
      const listed = await listedAs(me.api, serialNumber)
      expect(listed, 'in the list of its holder').toMatchObject({ status: 'Active' })
    },
  )
}
