import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/forms.ts'
import { opensNothing } from '../../support/remembered.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

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
