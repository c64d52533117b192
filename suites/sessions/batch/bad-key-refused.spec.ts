import { batchBody } from '../../../lib/flows/batch.ts'
import { badBase64, badKeys } from '../../support/scenes/bad-keys.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { outcomeOfBatchOpening, packed } from '../../support/steps/packages.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

for (const [what, make] of badKeys) {
  test(...rule('sessions.batch.bad-key-refused', what), async ({ login, invoice }) => {
    const { api } = await login()
    const batch = await packed([invoice()])
    const body = { ...(await batchBody(api, batch, formCodes.fa3)), ...(await make(api)) }
    const answer = await api.call('sessions.openBatch', { body })
    expect(await outcomeOfBatchOpening(api, batch, answer)).toBeRejected('session-key-refused')
  })
}

test(
  ...rule('sessions.batch.bad-key-refused', 'not base64, without padding or in lines'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const batch = await packed([invoice()])
    const good = await batchBody(api, batch, formCodes.fa3)
    const written = badBase64(good).filter(({ what }) => /unpadded|line-feed/.test(what))
    for (const { what, fault } of written) {
      const answer = await api.call('sessions.openBatch', { body: { ...good, ...fault } })
      const outcome = await outcomeOfBatchOpening(api, batch, answer)
      expect.soft(outcome, what).toBeRejected('session-key-refused')
    }
  },
)
