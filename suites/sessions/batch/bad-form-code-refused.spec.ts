import { batchBody } from '../../../lib/flows/batch.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { packed } from '../../support/steps/packages.ts'
import { opensNothing } from '../../support/scenes/remembered.ts'
import { rule } from '../../support/checks/rule.ts'
import { sidesOfTheChange } from '../../support/documents/schema-days.ts'
import { expect, test } from '../../support/harness/test.ts'

test(...rule('sessions.batch.bad-form-code-refused', 'unknown'), async ({ login, invoice }) => {
  const { api } = await login()
  const formCode = { systemCode: 'FX (9)', schemaVersion: '1-0E', value: 'FX' }
  const body = await batchBody(api, await packed([invoice()]), formCode)
  await opensNothing(api, 'Batch', async () => {
    expect(await api.call('sessions.openBatch', { body })).toBeRefused('form-code-refused')
  })
})

for (const [what, instant, formCode, taken] of [
  ['calendar, fa2 last day', '2026-01-31T23:30:00+01:00', formCodes.fa2, true],
  ['calendar, fa2 after', '2026-02-01T00:30:00+01:00', formCodes.fa2, false],
  ['calendar, fa3 before', '2026-01-31T23:30:00+01:00', formCodes.fa3, false],
  ['calendar, fa3 first day', '2026-02-01T00:30:00+01:00', formCodes.fa3, true],
] as const) {
  test(...rule('sessions.batch.bad-form-code-refused', what), async ({ login, invoice, clock }) => {
    await clock.set(Date.parse(instant))
    const { api } = await login()
    const body = await batchBody(api, await packed([invoice()]), formCode)
    const answer = await api.call('sessions.openBatch', { body })
    if (taken) expect(answer).toBeOk()
    else expect(answer).toBeRefused('form-code-refused')
  })
}

test(
  ...rule('sessions.batch.bad-form-code-refused', 'calendar, on either side'),
  async ({ login, invoice, clock }) => {
    const { api } = await login()
    const made = await packed([invoice()])
    for (const [instant, refused, taken] of sidesOfTheChange) {
      await clock.set(Date.parse(instant))
      const open = async (formCode: typeof refused) =>
        api.call('sessions.openBatch', { body: await batchBody(api, made, formCode) })
      expect(await open(taken), `what is in force at ${instant}`).toBeOk()
      expect(await open(refused), instant).toBeRefused('form-code-refused')
    }
  },
)
