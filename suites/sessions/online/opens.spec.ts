import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/forms.ts'
import { outcomeOfCode } from '../../support/matchers.ts'
import { rule } from '../../support/rule.ts'
import { fields, reported } from '../../support/steps.ts'
import { expect, test } from '../../support/test.ts'

test(...rule('sessions.online.opens'), async ({ login }) => {
  const { api } = await login()
  const body = { formCode: formCodes.fa3, ...(await encryptionFields(api, drawSecret())) }
  const answer = await api.call('sessions.openOnline', { body })
  expect(answer).toBeOk()
  const { referenceNumber } = fields(answer)
  expect(referenceNumber, 'a reference number').toMatch(/\S/)
  const path = { referenceNumber: String(referenceNumber) }
  const session = await api.call('sessions.status', { path })
  expect(session, 'the session').toBeOk()
  const { status } = reported(session)
  expect(outcomeOfCode(status.code), `what becomes of it, ${status.code}`).toBe('pending')
})
