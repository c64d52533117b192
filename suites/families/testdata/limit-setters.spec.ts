import { thresholdsOf } from '../../../lib/pacer.ts'
import { expectObject, expectOk } from '../../../lib/outcome.ts'
import type { Me } from '../../support/service/contexts.ts'
import { kin } from '../../support/callers/kin.ts'
import { reportedRates, setRates } from '../../support/service/rated.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { mintToken } from '../../support/callers/service-token.ts'
import { expect, test } from '../../support/harness/test.ts'

/** The limits of a context are set by whoever is logged in to it, and in every kind of context. */

const custom = { perSecond: 3, perMinute: 6, perHour: 9 }
const session = { maxInvoiceSizeInMB: 1, maxInvoiceWithAttachmentSizeInMB: 2, maxInvoices: 7 }

test(
  ...familyRule('testdata.limit-simulation', 'setter of limits'),
  async ({ login, rng, target }) => {
    const me = await login()
    test.skip(me.context.by === 'token', 'the target offers no certificate of the context')
    const { token } = await mintToken(me)
    const setters: Readonly<Record<string, Me>> = {
      'a service token': await login({ token }),
      'a unit': await kin.InternalId({ me, login, rng, target }),
      'an EU entity': await kin.NipVatUe({ me, login, rng, target }),
    }
    for (const [who, { api }] of Object.entries(setters)) {
      const shown = async () => (await reportedRates(api)).sessionList
      await setRates(api, { sessionList: custom })
      expect.soft(await shown(), `limits set by ${who}`).toMatchObject(custom)
      expectOk(await api.call('testdata.productionRateLimits'), 'set those of production')
      const production = { ...thresholdsOf('sessionList', target.dialect) }
      expect.soft(await shown(), `those of production, set by ${who}`).toMatchObject(production)
      expectOk(await api.call('testdata.restoreRateLimits'), 'restore the limits')
      const body = { onlineSession: session, batchSession: session }
      expectOk(await api.call('testdata.setSessionLimits', { body }), 'set limits of sessions')
      const limits = expectObject(await api.call('limits.context'), 'read the limits')
      expect
        .soft(limits['onlineSession'], `limits of sessions, set by ${who}`)
        .toMatchObject(session)
      expectOk(await api.call('testdata.restoreSessionLimits'), 'restore the limits of sessions')
    }
  },
)
