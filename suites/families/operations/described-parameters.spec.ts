import { operationIds } from '../../../contract/endpoints.ts'
import { wireField } from '../../../lib/wire.ts'
import { calls, perform } from '../../support/scenes/calls.ts'
import { fetchDescription, statedValues } from '../../support/answers/description.ts'
import { offered } from '../../support/service/offered.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { createStage } from '../../support/callers/stage.ts'
import { expect, test } from '../../support/harness/test.ts'

/** The service takes what its own description allows: the ends of each range, and each word of an enumeration. */

for (const [what, kind] of [
  ['the ends of its range', 'number'],
  ['each of its words', 'string'],
] as const)
  test(
    ...familyRule('transport.openapi-agrees', 'described query parameter', what),
    async ({ api, login, another, invoice, rng, target }) => {
      const { dialect } = target
      const description = await fetchDescription(api)
      const stage = createStage({ me: await login(), api, login, another, invoice, rng, target })
      for (const operation of offered(...operationIds)) {
        const stated = statedValues(description, operation, dialect)
        const values = stated.filter(({ value }) => typeof value === kind)
        if (values.length === 0) continue
        const { query = {}, ...ready } = await calls[operation](stage)
        for (const { name, value } of values) {
          const others = Object.entries(query).filter(([own]) => wireField(own, dialect) !== name)
          const asked = { ...Object.fromEntries(others), [name]: value }
          const answer = await perform(stage.me.api, operation, ready, { query: asked })
          expect.soft(answer.status, `${operation} with ${name}=${value}`).not.toBe(400)
        }
      }
    },
  )
