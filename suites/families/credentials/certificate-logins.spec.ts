import { fetchChallenge } from '../../../lib/flows/login.ts'
import {
  certificateKey,
  obtainCertificate,
  revokeCertificate,
} from '../../support/callers/enrolment.ts'
import type { Fixtures as All } from '../../support/harness/fixtures.ts'
import { byNip, grantBy, grantPerson, unitGrant } from '../../support/callers/grants.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { sealOf } from '../../support/steps/seals.ts'
import { authenticateAs, outcomeOfAuthentication } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { drawUnit } from '../../support/run/units.ts'

/** Every certificate that somebody holds logs in, wherever and whenever its holder may: the older of two as well. */

const family = 'login by a certificate of the service'
const hour = 3_600_000

test(
  ...familyRule('auth.xades.service-certificate', family, 'the older of two, and what is left'),
  async ({ api, own, login, clock }) => {
    const me = await login()
    const older = await obtainCertificate(me.api)
    await clock.advance(hour)
    const { api: later } = await login()
    const newer = await obtainCertificate(later)
    const enter = ({ credentials }: typeof older) => authenticateAs(api, own, { credentials })
    // Newest first: neither the issue nor the use of one may end the other.
    expect(await enter(newer), 'by the newer one').toHaveSucceeded('authentication')
    expect(await enter(older), 'by the older one').toHaveSucceeded('authentication')
    await revokeCertificate(later, newer.serialNumber)
    expect(await enter(newer)).toBeRejected('certificate-refused')
    const left = await enter(older)
    expect(left, 'by the older one, the newer being revoked').toHaveSucceeded('authentication')
    const { challenge } = await fetchChallenge(api)
    const body = await own.document(challenge, { credentials: older.credentials })
    const answer = await api.call('auth.xades', { body, query: { verifyCertificateChain: true } })
    const verified = await outcomeOfAuthentication(api, answer)
    expect(verified, 'with its chain verified').toHaveSucceeded('authentication')
  },
)

test(...familyRule('certificates.enrol', family, 'one of several'), async ({ api, own, login }) => {
  const me = await login()
  const issued = [
    await obtainCertificate(me.api, { name: 'the first' }),
    await obtainCertificate(me.api, { name: 'the second' }),
  ]
  await obtainCertificate(me.api, { name: 'for offline use', type: 'Offline' })
  for (const [at, { credentials }] of issued.entries())
    expect(
      await authenticateAs(api, own, { credentials }),
      `by certificate ${at + 1} of ${issued.length}, with one for offline use issued after them`,
    ).toHaveSucceeded('authentication')
  const privateKey = certificateKey()
  const revoked = await obtainCertificate(me.api, { privateKey })
  await revokeCertificate(me.api, revoked.serialNumber)
  const { credentials } = await obtainCertificate(me.api, { privateKey })
  const outcome = await authenticateAs(api, own, { credentials })
  expect(outcome, 'by one for the key of a revoked one').toHaveSucceeded('authentication')
})

type Scene = Pick<All, 'own' | 'login' | 'another' | 'rng' | 'target'>

/** Places where a subject has permissions without being the owner, and who enters them. */
const places: Readonly<Record<string, (scene: Scene) => Promise<All['own']>>> = {
  'the context of another taxpayer': async ({ own, login, another }) => {
    const host = await login({ context: await another() })
    await grantPerson(host.api, byNip(own.nip), ['InvoiceRead'])
    return host.context
  },
  'a unit of another taxpayer': async ({ own, login, another, rng }) => {
    const host = await login({ context: await another() })
    const unit = drawUnit(rng, host.context.nip)
    const body = unitGrant(byNip(own.nip), unit, 'a branch')
    await grantBy(host.api, 'permissions.grantSubunit', body)
    return { ...host.context, ...unit }
  },
  'a unit of its own': async ({ own, login, rng }) => {
    const unit = drawUnit(rng, own.nip)
    const body = unitGrant(byNip(own.nip), unit, 'a branch')
    await grantBy((await login()).api, 'permissions.grantSubunit', body)
    return { ...own, ...unit }
  },
}

test(
  ...familyRule('auth.xades.service-certificate', family, 'wherever its holder may enter'),
  async ({ api, own, login, another, rng, target }) => {
    const { credentials } = await obtainCertificate((await login()).api)
    for (const [where, enterable] of Object.entries(places)) {
      const { type, value } = await enterable({ own, login, another, rng, target })
      const outcome = await authenticateAs(api, own, { credentials, context: { type, value } })
      expect.soft(outcome, where).toHaveSucceeded('authentication')
    }
  },
)

test(
  ...familyRule('auth.xades.service-certificate', family, 'of persons with permissions'),
  async ({ api, own, login, rng, target }) => {
    const me = await login()
    for (const kind of ['Pesel', 'Fingerprint'] as const) {
      const { subject, context } = personAt(own, rng, target, kind)
      await grantPerson(me.api, subject, ['InvoiceRead'])
      const { credentials } = await obtainCertificate((await login({ context })).api)
      const outcome = await authenticateAs(api, context, { credentials })
      expect.soft(outcome, `known by ${kind}`).toHaveSucceeded('authentication')
    }
  },
)

/** When service tokens are no longer accepted. */
const sunset = Date.parse('2026-12-31T23:00:00Z')

test(
  ...familyRule('auth.token.sunset', family, 'issued before and after the end of tokens'),
  async ({ api, own, login, clock }) => {
    await clock.set(sunset - 24 * hour)
    const earlier = await obtainCertificate((await login()).api)
    await clock.set(sunset + hour)
    const later = await obtainCertificate((await login()).api)
    for (const [when, { credentials }] of [
      ['before', earlier],
      ['after', later],
    ] as const) {
      const outcome = await authenticateAs(api, own, { credentials })
      expect(outcome, `by one issued ${when} it`).toHaveSucceeded('authentication')
    }
  },
)

test(
  ...familyRule('auth.token.sunset', 'login by a certificate', 'of every kind'),
  async ({ api, own, login, rng, target, clock }) => {
    await clock.set(sunset + hour)
    const seal = await authenticateAs(api, own, { credentials: sealOf(target, own, 'rsa') })
    expect(seal, 'a seal').toHaveSucceeded('authentication')
    const me = await login()
    for (const kind of ['Nip', 'Pesel', 'Fingerprint'] as const) {
      const { subject, context } = personAt(own, rng, target, kind)
      await grantPerson(me.api, subject, ['InvoiceRead'])
      const outcome = await authenticateAs(api, context)
      expect(outcome, `a person known by ${kind}`).toHaveSucceeded('authentication')
    }
  },
)
