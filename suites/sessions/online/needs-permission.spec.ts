import { drawSecret, encryptionFields, submissionBody } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { rule } from '../../support/checks/rule.ts'
import { mintToken } from '../../support/callers/service-token.ts'
import { expect, test } from '../../support/harness/test.ts'

test(...rule('sessions.online.needs-permission', 'without the permission'), async ({ limited }) => {
  // Who administers the context may not issue in it.
  const { api } = await limited(['InvoiceRead', 'CredentialsManage'])
  for (const fields of [
    { encryptedSymmetricKey: 'AAAA', initVector: 'AAAA' },
    await encryptionFields(api, drawSecret()),
  ]) {
    const body = { formCode: formCodes.fa3, ...fields }
    expect(await api.call('sessions.openOnline', { body })).toBeRefused('missing-permission')
  }
})

test(...rule('sessions.online.needs-permission', 'with the permission'), async ({ limited }) => {
  const { api } = await limited(['InvoiceWrite'])
  const body = { formCode: formCodes.fa3, ...(await encryptionFields(api, drawSecret())) }
  expect(await api.call('sessions.openOnline', { body })).toBeOk()
})

test(
  ...rule('sessions.online.needs-permission', 'without the permission, submitting'),
  async ({ open, login, own, invoice }) => {
    const { me, session } = await open()
    const { token } = await mintToken(me, ['InvoiceRead'])
    const { api } = await login({ context: own, token })
    const body = await submissionBody(api, session, invoice().bytes)
    const path = { referenceNumber: session.referenceNumber }
    expect(await api.call('invoices.submit', { path, body })).toBeRefused('missing-permission')
    expect(await me.api.call('invoices.submit', { path, body }), 'with the permission').toBeOk()
  },
)
