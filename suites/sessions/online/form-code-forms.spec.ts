import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { formCodes, formLabels } from '../../support/forms.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

for (const [what, formCode] of [
  ['fields', formCodes.fa3],
  ['label', formLabels.fa3],
] as const) {
  test(...rule('sessions.online.form-code-forms', what), async ({ login }) => {
    const { api } = await login()
    const body = { formCode, ...(await encryptionFields(api, drawSecret())) }
    expect(await api.call('sessions.openOnline', { body })).toBeOk()
  })
}
