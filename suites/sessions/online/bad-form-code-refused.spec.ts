import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { opensNothing } from '../../support/scenes/remembered.ts'
import { rule } from '../../support/checks/rule.ts'
import { sidesOfTheChange } from '../../support/documents/schema-days.ts'
import { expect, test } from '../../support/harness/test.ts'

for (const [what, formCode] of [
  ['unknown', { systemCode: 'FX (9)', schemaVersion: '1-0E', value: 'FX' }],
  ['version', { ...formCodes.fa3, schemaVersion: '9-0E' }],
  ['value', { ...formCodes.fa3, value: 'PEF' }],
  ['label', 'FA (9)'],
  ['calendar', formCodes.fa2],
] as const) {
  test(...rule('sessions.online.bad-form-code-refused', what), async ({ login }) => {
    const { api } = await login()
    const body = { formCode, ...(await encryptionFields(api, drawSecret())) }
    await opensNothing(api, 'Online', async () => {
      expect(await api.call('sessions.openOnline', { body })).toBeRefused('form-code-refused')
    })
  })
}

test(
  ...rule('sessions.online.bad-form-code-refused', 'calendar, on either side'),
  async ({ login, clock }) => {
    const { api } = await login()
    for (const [instant, refused, taken] of sidesOfTheChange) {
      await clock.set(Date.parse(instant))
      const open = async (formCode: typeof refused) =>
        api.call('sessions.openOnline', {
          body: { formCode, ...(await encryptionFields(api, drawSecret())) },
        })
      expect(await open(taken), `what is in force at ${instant}`).toBeOk()
      expect(await open(refused), instant).toBeRefused('form-code-refused')
    }
  },
)
