import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/forms.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

const lastOfFa2 = Date.parse('2026-01-31T23:30:00+01:00')

const firstOfFa3 = Date.parse('2026-02-01T00:30:00+01:00')

for (const [what, instant, formCode, taken] of [
  ['fa2 last day', lastOfFa2, formCodes.fa2, true],
  ['fa2 after', firstOfFa3, formCodes.fa2, false],
  ['fa3 before', lastOfFa2, formCodes.fa3, false],
  ['fa3 first day', firstOfFa3, formCodes.fa3, true],
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
