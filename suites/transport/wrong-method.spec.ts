import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

for (const [operation, method] of [
  ['auth.challenge', 'GET'],
  ['auth.challenge', 'PUT'],
  ['keys.list', 'POST'],
  ['sessions.openOnline', 'DELETE'],
] as const) {
  test(
    ...rule('transport.wrong-method', `unsupported, ${method} of ${operation}`),
    async ({ login }) => {
      const { api } = await login()
      const answer = await api.call(operation, { method })
      expect(answer).toBeRefused('method-not-allowed')
      if (answer.status === 405)
        expect(answer.headers['allow'], 'the Allow header of a 405').toBeTruthy()
    },
  )
}
