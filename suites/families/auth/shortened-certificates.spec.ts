import { expectOk } from '../../../lib/outcome.ts'
import { obtainCertificate } from '../../support/callers/enrolment.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Certificates of the service at the ends of their validity. */

const minute = 60_000
const hour = 60 * minute

test(
  ...familyRule('auth.xades.certificate-dates', 'shortened certificate'),
  async ({ api, login, own, clock }) => {
    const me = await login()
    const { serialNumber, credentials } = await obtainCertificate(me.api)
    const body = { validTo: new Date(clock.now() + hour).toISOString() }
    const shortened = await me.api.call('testdata.updateCertificate', {
      path: { serialNumber },
      body,
    })
    expectOk(shortened, 'shorten the validity of a certificate')
    const enter = () => authenticateAs(api, own, { credentials })
    expect(await enter(), 'before its end').toHaveSucceeded('authentication')
    await clock.advance(hour + minute)
    expect(await enter()).toBeRejected('certificate-refused')
  },
)

test(
  ...familyRule('auth.xades.certificate-dates', 'shortened certificate', 'one with a later start'),
  async ({ api, login, own, clock }) => {
    const me = await login()
    const validFrom = new Date(clock.now() + hour).toISOString()
    const { credentials } = await obtainCertificate(me.api, { validFrom })
    const enter = () => authenticateAs(api, own, { credentials })
    expect(await enter()).toBeRejected('certificate-refused')
    await clock.advance(hour + minute)
    expect(await enter(), 'after its start').toHaveSucceeded('authentication')
  },
)
