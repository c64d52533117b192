import { limits } from '../../../contract/limits.ts'
import { submissionBody } from '../../../lib/flows/session.ts'
import type { Submission } from '../../../lib/flows/session.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import { rule } from '../../support/rule.ts'
import { outcomeOfSubmission } from '../../support/steps.ts'
import type { Desk } from '../../support/steps.ts'
import { withoutRates } from '../../support/target.ts'
import { expect, test } from '../../support/test.ts'

const allowed = limits['session.invoices'].value

const atOnce = 24

/** Sends one body many times concurrently. The invoice is invalid, but it counts and is fast to process. */
const fill = async ({ api, session }: Desk, body: Submission, times: number): Promise<void> => {
  let left = times
  const sender = async () => {
    while (left > 0) {
      left -= 1
      const path = { referenceNumber: session.referenceNumber }
      const answer = await api.call('invoices.submit', { path, body, pace: false })
      if (answer.status > 299)
        throw new Inconclusive('fill a session', `${times} accepted submissions`, answer)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sender))
}

test(...rule('sessions.online.ten-thousand'), async ({ open, invoice, target, ledger }) => {
  test.setTimeout(300_000)
  await withoutRates(target)
  const desk = await open()
  const body = await submissionBody(desk.api, desk.session, desk.api.codec.utf8('<a/>'))
  ledger.quiet = true
  await fill(desk, body, allowed - 1)
  ledger.quiet = false
  const send = async () => {
    const last = await submissionBody(desk.api, desk.session, invoice().bytes)
    return outcomeOfSubmission(desk, last, { pace: false })
  }
  expect(await send(), 'the last invoice within the limit').toHaveSucceeded('invoice')
  expect(await send()).toBeRejected('session-full')
})
