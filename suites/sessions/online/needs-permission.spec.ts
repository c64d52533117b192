import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/forms.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

test(...rule('sessions.online.needs-permission', 'without the permission'), async ({ limited }) => {
  const { api } = await limited(['InvoiceRead'])
  const body = { formCode: formCodes.fa3, encryptedSymmetricKey: 'AAAA', initVector: 'AAAA' }
  expect(await api.call('sessions.openOnline', { body })).toBeRefused('missing-permission')
})

test(...rule('sessions.online.needs-permission', 'with the permission'), async ({ limited }) => {
  const { api } = await limited(['InvoiceWrite'])
  const body = { formCode: formCodes.fa3, ...(await encryptionFields(api, drawSecret())) }
  expect(await api.call('sessions.openOnline', { body })).toBeOk()
})
