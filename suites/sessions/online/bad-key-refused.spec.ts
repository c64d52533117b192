import { badKeys } from '../../support/bad-keys.ts'
import { formCodes } from '../../support/forms.ts'
import { rule } from '../../support/rule.ts'
import { outcomeOfOpening } from '../../support/steps.ts'
import { expect, test } from '../../support/test.ts'

for (const [what, make] of badKeys) {
  test(...rule('sessions.online.bad-key-refused', what), async ({ login }) => {
    const { api } = await login()
    const body = { formCode: formCodes.fa3, ...(await make(api)) }
    const answer = await api.call('sessions.openOnline', { body })
    expect(await outcomeOfOpening(api, answer)).toBeRejected('session-key-refused')
  })
}
