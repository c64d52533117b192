import { batchBody } from '../../../lib/flows/batch.ts'
import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { expectText } from '../../../lib/outcome.ts'
import { formCodes, formLabels } from '../../support/checks/forms.ts'
import { outcomeOfBatchOpening, packed } from '../../support/steps/packages.ts'
import { rule } from '../../support/checks/rule.ts'
import { outcomeOfInvoice } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

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

/** Each label is that of one schema: it opens a session, of either kind, for documents of that schema alone. */
for (const [schema, other, day] of [
  ['fa2', 'fa3', '2026-01-20'],
  ['fa3', 'fa2', '2026-02-20'],
] as const)
  test(
    ...rule('sessions.online.form-code-forms', `label in force, ${schema}`),
    async ({ login, clock, invoice }) => {
      await clock.set(Date.parse(`${day}T12:00:00+01:00`))
      const { api } = await login()
      const secret = drawSecret()
      const keys = await encryptionFields(api, secret)
      for (const formCode of [formLabels[schema], formCodes[schema]]) {
        const opened = await api.call('sessions.openOnline', { body: { formCode, ...keys } })
        expect(opened, `by ${JSON.stringify(formCode)}`).toBeOk()
        const referenceNumber = expectText(opened, 'open a session', 'referenceNumber')
        const session = { ...secret, referenceNumber, exchange: opened }
        const own = await outcomeOfInvoice({ api, session }, invoice({ schema }).bytes)
        expect(own, `an invoice of ${schema}`).toHaveSucceeded('invoice')
        const foreign = await outcomeOfInvoice({ api, session }, invoice({ schema: other }).bytes)
        expect(foreign, `an invoice of ${other}`).toBeRejected('invoice-invalid')
      }
      const batch = await packed([invoice({ schema })])
      const opening = { body: { ...(await batchBody(api, batch, formCodes[schema])) } }
      opening.body.formCode = formLabels[schema]
      const opened = await api.call('sessions.openBatch', opening)
      const ended = await outcomeOfBatchOpening(api, batch, opened)
      expect(ended, 'a package by the label').toHaveSucceeded('batchSession')
      const body = { formCode: formLabels[other], ...keys }
      const refused = await api.call('sessions.openOnline', { body })
      expect(refused, 'by the label of the other').toBeRefused('form-code-refused')
    },
  )
