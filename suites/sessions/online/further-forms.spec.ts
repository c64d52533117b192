import { furtherForms } from '../../../contract/environments.ts'
import { batchBody } from '../../../lib/flows/batch.ts'
import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { packed } from '../../support/steps/packages.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

test(...rule('sessions.online.further-forms', 'interactive'), async ({ login }) => {
  const { api } = await login()
  for (const { formCode } of Object.values(furtherForms)) {
    const body = { formCode, ...(await encryptionFields(api, drawSecret())) }
    expect(await api.call('sessions.openOnline', { body }), formCode.systemCode).toBeOk()
  }
})

test(...rule('sessions.online.further-forms', 'batch'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice()])
  for (const { formCode, batch: taken } of Object.values(furtherForms)) {
    const body = await batchBody(api, batch, formCode)
    const answer = await api.call('sessions.openBatch', { body })
    if (taken) expect(answer, formCode.systemCode).toBeOk()
    else expect(answer, formCode.systemCode).toBeRefused('form-code-refused')
  }
})
