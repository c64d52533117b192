import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { callUpload, closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import { closeOnline, settleSession, submissionBody } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { packed } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { accept, fields } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** A call that a session refuses changes nothing in it, not even the time of its last change. */

type Calls = Readonly<Record<string, () => Promise<Exchange>>>

/** Makes calls that are refused, a minute apart, and expects the session to have changed at none of them. */
const expectUnchanged = async (
  api: Client,
  clock: { readonly advance: (ms: number) => Promise<unknown> },
  referenceNumber: string,
  calls: Calls,
): Promise<void> => {
  const changedAt = async () =>
    fields(await api.call('sessions.status', { path: { referenceNumber } }))['dateUpdated']
  const before = await changedAt()
  for (const [what, call] of Object.entries(calls)) {
    await clock.advance(60_000)
    expect(await call(), what).toBeClientError()
    expect(await changedAt(), `the last change, after ${what}`).toBe(before)
  }
}

test(
  ...familyRule('sessions.status.dates', 'refused calls', 'interactive session'),
  async ({ open, invoice, clock }) => {
    const desk = await open()
    const { api, session } = desk
    const { referenceNumber } = session
    const path = { referenceNumber }
    await accept(desk, invoice().bytes)
    const body = await submissionBody(api, session, invoice().bytes)
    const wrong = { ...body, encryptedInvoiceHash: body.invoiceHash }
    const asPackage = () => api.call('sessions.closeBatch', { path })
    await expectUnchanged(api, clock, referenceNumber, {
      'a submission with a wrong hash': () => api.call('invoices.submit', { path, body: wrong }),
      'a submission without content': () => api.call('invoices.submit', { path, body: {} }),
      'a close as of a package': asPackage,
    })
    await closeOnline(api, session)
    await settleSession(api, session)
    await expectUnchanged(api, clock, referenceNumber, {
      'a submission after the close': () => api.call('invoices.submit', { path, body }),
      'a second close': () => api.call('sessions.closeOnline', { path }),
      'a close as of a package, after the close': asPackage,
    })
  },
)

test(
  ...familyRule('sessions.status.dates', 'refused calls', 'package'),
  async ({ login, open, invoice, clock }) => {
    const { api } = await login()
    const made = await packed([invoice()])
    const session = await openBatch(api, made, { formCode: formCodes.fa3 })
    const { referenceNumber } = session
    const path = { referenceNumber }
    const body = await submissionBody(api, (await open()).session, invoice().bytes)
    const submission = () => api.call('invoices.submit', { path, body })
    const asInteractive = () => api.call('sessions.closeOnline', { path })
    await expectUnchanged(api, clock, referenceNumber, {
      'a submission': submission,
      'a close as of an interactive session': asInteractive,
    })
    await uploadParts(api, session, made.parts)
    await closeBatch(api, session)
    await settleSession(api, session, 'batchSession')
    await expectUnchanged(api, clock, referenceNumber, {
      'a submission after the close': submission,
      'a second close': () => api.call('sessions.closeBatch', { path }),
      'an upload after the close': () => callUpload(api, session.uploads[0]!, made.parts[0]!.bytes),
    })
  },
)
