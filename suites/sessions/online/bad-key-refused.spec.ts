import { badKeys } from '../../support/scenes/bad-keys.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { rule } from '../../support/checks/rule.ts'
import { outcomeOfOpening } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

for (const [what, make] of badKeys) {
  test(...rule('sessions.online.bad-key-refused', what), async ({ login }) => {
    const { api } = await login()
    const body = { formCode: formCodes.fa3, ...(await make(api)) }
    const answer = await api.call('sessions.openOnline', { body })
    expect(await outcomeOfOpening(api, answer)).toBeRejected('session-key-refused')
  })
}
