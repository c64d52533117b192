import { submissionBody } from '../../lib/flows/session.ts'
import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

test(...rule('transport.trailing-slash'), async ({ open, invoice }) => {
  const { api, session } = await open()
  const path = { referenceNumber: session.referenceNumber }
  for (const alias of [undefined, 0]) {
    const body = await submissionBody(api, session, invoice().bytes)
    const answer = await api.call('invoices.submit', {
      path,
      body,
      ...(alias === undefined ? {} : { alias }),
    })
    expect(answer).toBeOk()
  }
})
