import { endpoint, operationIds } from '../../contract/endpoints.ts'
import { fromWire } from '../../lib/wire.ts'
import { perform, readyCalls } from '../support/calls.ts'
import { takesText, withText } from '../support/free-texts.ts'
import { offered } from '../support/offered.ts'
import { familyRule } from '../support/rule.ts'
import { createStage } from '../support/stage.ts'
import { expect, test } from '../support/test.ts'

/** Texts that JSON allows but that a database may be unable to store: the service must not fail because of them. */

const texts = {
  'a null character': 'before\u0000after',
  'half a surrogate pair': 'before\ud83eafter',
  'a noncharacter': 'before\uffffafter',
} as const

const taking = operationIds.filter(takesText)

for (const [what, text] of Object.entries(texts))
  test(
    ...familyRule('transport.answers.no-server-error', 'awkward text', what),
    async ({ api, login, another, invoice, rng, target }) => {
      const stage = createStage({ me: await login(), api, login, another, invoice, rng, target })
      for (const [operation, call] of await readyCalls(stage, offered(...taking))) {
        const given =
          typeof call.body === 'string'
            ? fromWire(JSON.parse(call.body), endpoint(operation).request?.schema, target.dialect)
            : call.body
        const body = withText(operation, given, text)
        const answer = await perform(stage.me.api, operation, call, { body: body as object })
        expect.soft(answer.status, `${operation} with ${what}`).toBeLessThan(500)
      }
    },
  )
