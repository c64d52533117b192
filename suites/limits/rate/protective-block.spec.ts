import { contextKey } from '../../../lib/flows/login.ts'
import { observe } from '../../support/run/explain.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

test(...rule('limits.rate.protective-block'), async ({ rated, own, target, ledger }) => {
  const { me, operation } = await rated(ratedCalls.default)
  const identity = { bearer: me.accessToken, context: contextKey(own) }
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, place) =>
      target
        .client(ledger.record, `127.0.0.${place + 2}`)
        .with(identity)
        .call(operation, { pace: false }),
    ),
  )
  const refused = answers.filter(({ status }) => status !== 200).map(({ status }) => status)
  observe(`${refused.length} of 30 calls from 30 addresses in one context were refused`)
  expect(refused, 'statuses of rejected calls from 30 addresses').toEqual([])
})
