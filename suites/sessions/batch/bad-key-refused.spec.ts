import { batchBody } from '../../../lib/flows/batch.ts'
import { badKeys } from '../../support/bad-keys.ts'
import { formCodes } from '../../support/forms.ts'
import { packed } from '../../support/packages.ts'
import { rule } from '../../support/rule.ts'
import { outcomeOfOpening } from '../../support/steps.ts'
import { expect, test } from '../../support/test.ts'

for (const [what, make] of badKeys) {
  test(...rule('sessions.batch.bad-key-refused', what), async ({ login, invoice }) => {
    const { api } = await login()
    const described = await batchBody(api, await packed([invoice()]), formCodes.fa3)
    const body = { ...described, ...(await make(api)) }
    const answer = await api.call('sessions.openBatch', { body })
    expect(await outcomeOfOpening(api, answer)).toBeRejected('session-key-refused')
  })
}
