import { closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import { drawSecret, encryptionFields, settleSession } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { listInvoices, only, packed } from '../../support/steps/packages.ts'
import { rule } from '../../support/checks/rule.ts'
import { outcomeOfInvoice } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

const lastOfFa2 = Date.parse('2026-01-31T23:30:00+01:00')

const midnight = Date.parse('2026-02-01T00:00:00+01:00')

const firstOfFa3 = Date.parse('2026-02-01T00:30:00+01:00')

const weeksBefore = Date.parse('2025-12-15T12:00:00+01:00')

const yearLater = Date.parse('2027-01-15T12:00:00+01:00')

for (const [what, instant, formCode, taken] of [
  ['fa2 last day', lastOfFa2, formCodes.fa2, true],
  ['fa2 after', firstOfFa3, formCodes.fa2, false],
  ['fa3 before', lastOfFa2, formCodes.fa3, false],
  ['fa3 first day', firstOfFa3, formCodes.fa3, true],
  ['fa2 last day, weeks before', weeksBefore, formCodes.fa2, true],
  ['fa3 before, weeks before', weeksBefore, formCodes.fa3, false],
  ['fa2 after, a year later', yearLater, formCodes.fa2, false],
  ['fa3 first day, a year later', yearLater, formCodes.fa3, true],
] as const) {
  test(...rule('sessions.online.schema-calendar', what), async ({ login, clock }) => {
    await clock.set(instant)
    const { api } = await login()
    const body = { formCode, ...(await encryptionFields(api, drawSecret())) }
    const answer = await api.call('sessions.openOnline', { body })
    if (taken) expect(answer).toBeOk()
    else expect(answer).toBeRefused('form-code-refused')
  })
}

test(
  ...rule('sessions.online.schema-calendar', 'document before the end'),
  async ({ open, clock, invoice }) => {
    await clock.set(lastOfFa2)
    const desk = await open({ formCode: formCodes.fa2 })
    const { bytes } = invoice({ schema: 'fa2' })
    expect(await outcomeOfInvoice(desk, bytes)).toHaveSucceeded('invoice')
  },
)

test(
  ...rule('sessions.online.schema-calendar', 'document after the end'),
  async ({ open, clock, invoice }) => {
    await clock.set(firstOfFa3)
    const desk = await open()
    const { bytes } = invoice({ schema: 'fa2' })
    expect(await outcomeOfInvoice(desk, bytes)).toBeRejected('invoice-invalid')
  },
)

test(
  ...rule('sessions.online.schema-calendar', 'over midnight'),
  async ({ open, login, clock, invoice }) => {
    await clock.set(midnight - 300_000)
    const { session } = await open({ formCode: formCodes.fa2 })
    const { bytes } = invoice({ schema: 'fa2' })
    await clock.set(midnight + 300_000)
    const { api } = await login()
    expect(await outcomeOfInvoice({ api, session }, bytes)).toHaveSucceeded('invoice')
    // What was in force a few minutes ago is not any more.
    const opened = async (formCode: (typeof formCodes)['fa2' | 'fa3']) =>
      api.call('sessions.openOnline', {
        body: { formCode, ...(await encryptionFields(api, drawSecret())) },
      })
    expect(await opened(formCodes.fa2), 'FA(2) after midnight').toBeRefused('form-code-refused')
    expect(await opened(formCodes.fa3), 'FA(3) after midnight').toBeOk()
  },
)

test(
  ...rule('sessions.online.schema-calendar', 'over midnight, package'),
  async ({ login, clock, invoice }) => {
    await clock.set(midnight - 300_000)
    const { api, context } = await login()
    const batch = await packed([invoice({ schema: 'fa2' })])
    const session = await openBatch(api, batch, { formCode: formCodes.fa2 })
    await uploadParts(api, session, batch.parts)
    await clock.set(midnight + 300_000)
    const later = await login({ context })
    await closeBatch(later.api, session)
    await settleSession(later.api, session, 'batchSession')
    const row = only(await listInvoices(later.api, session.referenceNumber))
    expect(row, 'an invoice of the schema that the session was opened for').toHaveSucceeded(
      'invoice',
    )
  },
)
