import { batchBody } from '../../../lib/flows/batch.ts'
import { badBase64, badKeys } from '../../support/bad-keys.ts'
import { formCodes } from '../../support/forms.ts'
import { outcomeOfBatchOpening, packed } from '../../support/packages.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

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
