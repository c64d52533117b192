import { X509Certificate } from 'node:crypto'
import { limits } from '../../contract/limits.ts'
import type { Client } from '../../lib/client.ts'
import {
  applyFor,
  certificateKey,
  fetchCertificate,
  listCertificates,
  listedAs,
  obtainCertificate,
  outcomeOfApplication,
  revokeCertificate,
} from '../support/callers/enrolment.ts'
import type { Issued } from '../support/callers/enrolment.ts'
import type { Fixtures } from '../support/harness/fixtures.ts'
import { grantInTest } from '../support/callers/grants.ts'
import { personAt } from '../support/callers/people.ts'
import { rule } from '../support/checks/rule.ts'
import { signingWith } from '../support/scenes/signers.ts'
import { latestExpiry } from '../support/judging/stated-lifetimes.ts'
import { expect, test } from '../support/harness/test.ts'

const hour = 3_600_000

/** Expects of an issued certificate that it ends within two years, and is listed with that end. */
const expectTwoYears = async (
  api: Client,
  { credentials, serialNumber }: Issued,
  what = 'a certificate',
) => {
  const { validFrom, validTo } = new X509Certificate(credentials.certificate)
  expect(Date.parse(validTo), `the expiry of ${what} from ${validFrom}`).toBeLessThanOrEqual(
    latestExpiry(validFrom),
  )
  const listed = await listedAs(api, serialNumber)
  expect(Date.parse(listed?.validTo ?? ''), 'the listed expiry').toBe(Date.parse(validTo))
}

test(...rule('certificates.two-years', 'requested'), async ({ login }) => {
  const { api } = await login()
  await expectTwoYears(api, await obtainCertificate(api))
})

for (const [when, days] of [
  ['60 days ago', -60],
  ['a day ago', -1],
  ['in a day', 1],
  ['in 60 days', 60],
  ['in a year', 365],
] as const)
  test(
    ...rule('certificates.two-years', `requested, with a start ${when}`),
    async ({ login, clock }) => {
      const { api } = await login()
      const validFrom = new Date(clock.now() + days * 24 * hour).toISOString()
      for (const type of ['Authentication', 'Offline'] as const) {
        const privateKey = certificateKey()
        const started = await applyFor(api, { type, validFrom, privateKey })
        const outcome = await outcomeOfApplication(api, started)
        // The contract does not state which starts are accepted.
        if (!('succeeded' in outcome)) expect(outcome).toBeClientError()
        else if (outcome.succeeded)
          await expectTwoYears(
            api,
            await fetchCertificate(api, outcome, privateKey),
            `one for ${type}`,
          )
      }
    },
  )

test(...rule('certificates.two-years', 'of a person'), async ({ api, login, own, rng, target }) => {
  for (const kind of ['Pesel', 'Fingerprint'] as const) {
    const person = personAt(own, rng, target, kind)
    await grantInTest(api, own, person.subject, ['InvoiceRead'])
    const me = await login({ context: person.context })
    for (const type of ['Authentication', 'Offline'] as const) {
      await expectTwoYears(me.api, await obtainCertificate(me.api, { type }))
    }
  }
})

test(...rule('certificates.two-years', 'same key'), async ({ login }) => {
  const { api } = await login()
  const privateKey = certificateKey()
  for (const name of ['the first', 'the second', 'the third'])
    await expectTwoYears(api, await obtainCertificate(api, { name, privateKey }))
})

const name = 'the same'

/** How another certificate is applied for. */
const again: Readonly<
  Record<string, (scene: Pick<Fixtures, 'login' | 'own'>, first: Issued) => Promise<Issued>>
> = {
  'while the first is valid': async ({ login }) => obtainCertificate((await login()).api, { name }),
  'with its key': async ({ login }, { credentials: { privateKey } }) =>
    obtainCertificate((await login()).api, { name, privateKey }),
  'signed in with it': async ({ login, own }, { credentials }) => {
    const { api } = await login({ context: signingWith(own, credentials) })
    return obtainCertificate(api, { name })
  },
  'from its end on': async ({ login }, { serialNumber }) => {
    const { api } = await login()
    const validFrom = (await listedAs(api, serialNumber))?.validTo
    return obtainCertificate(api, { name, ...(validFrom !== undefined && { validFrom }) })
  },
  'after its revocation': async ({ login }, { serialNumber }) => {
    const { api } = await login()
    await revokeCertificate(api, serialNumber)
    return obtainCertificate(api, { name })
  },
}

for (const [how, obtain] of Object.entries(again))
  test(...rule('certificates.two-years', `applied for again, ${how}`), async ({ login, own }) => {
    const { api } = await login()
    const first = await obtainCertificate(api, { name })
    await expectTwoYears(api, await obtain({ login, own }, first))
  })

test(...rule('certificates.two-years', 'applied for later'), async ({ login, own, clock }) => {
  const first = await obtainCertificate((await login()).api, { name })
  const { validTo } = new X509Certificate(first.credentials.certificate)
  const end = Date.parse(validTo)
  for (const [when, instant] of Object.entries({
    'a year later': clock.now() + 365 * 24 * hour,
    'an hour before its end': end - hour,
    'after its end': end + hour,
  })) {
    await clock.set(instant)
    for (const how of ['while the first is valid', 'with its key'] as const) {
      const { api } = await login()
      await expectTwoYears(api, await again[how]!({ login, own }, first), `${when}, ${how}`)
    }
  }
})

test(...rule('certificates.two-years', 'later start'), async ({ login, clock }) => {
  const { api } = await login()
  const later = new Date(clock.now() + 30 * 24 * 3600 * 1000)
  later.setUTCMilliseconds(0)
  const { credentials, serialNumber } = await obtainCertificate(api, {
    validFrom: later.toISOString(),
  })
  const { validFrom, validTo } = new X509Certificate(credentials.certificate)
  expect(Date.parse(validFrom), 'the requested start').toBe(later.getTime())
  expect(Date.parse(validTo), 'its expiry').toBeLessThanOrEqual(latestExpiry(validFrom))
  const listed = await listedAs(api, serialNumber)
  expect(Date.parse(listed?.validFrom ?? ''), 'the listed start').toBe(later.getTime())
  expect(Date.parse(listed?.requestDate ?? ''), 'the listed application').toBeLessThan(
    clock.now() + hour,
  )
})

test(...rule('certificates.two-years', 'existing'), async ({ login }) => {
  const { api } = await login()
  const years = limits['certificate.years'].value
  for (const type of ['Authentication', 'Offline'] as const)
    await obtainCertificate(api, { name: `for ${type}`, type })
  const existing = await listCertificates(api)
  expect(existing.length, 'listed certificates').toBeGreaterThanOrEqual(2)
  const tooLong = existing.filter(
    ({ validFrom, validTo }) => Date.parse(validTo) > latestExpiry(validFrom),
  )
  expect(tooLong, `certificates with a validity of more than ${years} years`).toEqual([])
})
