import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import { fromWire } from '../../../lib/wire.ts'
import { perform, readyCalls } from '../../support/scenes/calls.ts'
import { isFree, takesText, withText } from '../../support/scenes/free-texts.ts'
import { offered } from '../../support/service/offered.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { mintToken } from '../../support/callers/service-token.ts'
import { createStage } from '../../support/callers/stage.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Texts that JSON allows but that a database may be unable to store: the service must not fail because of them. */

const texts = {
  'a null character': 'before\u0000after',
  'half a surrogate pair': 'before\ud83eafter',
  'a noncharacter': 'before\uffffafter',
  'signs that mean something in patterns': `(2026 [C++ *%_?';"{0}$\\`,
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

/** Operation -> its query parameters that take any text. */
const searched = new Map(
  operationIds.flatMap((operation) => {
    const free = (endpoint(operation).parameters ?? []).filter(
      (parameter) => parameter.in === 'query' && isFree(parameter.schema),
    )
    return free.length === 0 ? [] : [[operation, free.map(({ name }) => name)] as const]
  }),
)

// UTF-8, and so an address, cannot contain half a pair.
const encoded = Object.entries(texts).filter(([what]) => what !== 'half a surrogate pair')

for (const [what, text] of encoded)
  test(
    ...familyRule('transport.answers.no-server-error', 'awkward text', `${what}, searched for`),
    async ({ api, login, another, invoice, rng, target }) => {
      const stage = createStage({ me: await login(), api, login, another, invoice, rng, target })
      const ready = await readyCalls(stage, offered(...searched.keys()))
      await mintToken(stage.me)
      for (const [operation, call] of ready)
        for (const name of searched.get(operation) ?? []) {
          const answer = await perform(stage.me.api, operation, call, { query: { [name]: text } })
          expect.soft(answer.status, `${operation} with ${what} as ${name}`).toBeLessThan(500)
        }
    },
  )
