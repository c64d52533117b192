import { batchBody } from '../../../lib/flows/batch.ts'
import { badKeys } from '../../support/bad-keys.ts'
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
