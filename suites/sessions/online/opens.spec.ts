import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { outcomeOfCode } from '../../support/judging/matchers.ts'
import { rule } from '../../support/checks/rule.ts'
import { fields, finish, outcomeOfInvoice, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

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

test(...rule('sessions.online.opens', 'key of a closed session'), async ({ login, invoice }) => {
  const { api } = await login()
  const secret = drawSecret()
  const first = await encryptionFields(api, secret)
  const closed: string[] = []
  for (const [which, encryption] of [
    ['the first session', first],
    ['a session with its key and vector', await encryptionFields(api, secret)],
    ['a session with its whole request', first],
  ] as const) {
    const body = { formCode: formCodes.fa3, ...encryption }
    const answer = await api.call('sessions.openOnline', { body })
    expect(answer, which).toBeOk()
    const referenceNumber = String(fields(answer)['referenceNumber'])
    expect(closed, 'the reference numbers of closed sessions').not.toContain(referenceNumber)
    const session = { referenceNumber, exchange: answer, ...secret }
    const look = await api.call('sessions.status', { path: { referenceNumber } })
    const { status } = reported(look)
    expect(outcomeOfCode(status.code), `${which}, ${status.code}`).toBe('pending')
    const outcome = await outcomeOfInvoice({ api, session }, invoice().bytes)
    expect(outcome, `an invoice in ${which}`).toHaveSucceeded('invoice')
    expect(await finish({ api, session }), which).toHaveSucceeded('onlineSession')
    closed.push(referenceNumber)
  }
})
