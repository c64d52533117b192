import { exportBody } from '../../lib/flows/export.ts'
import { drawSecret } from '../../lib/flows/session.ts'
import { observe } from '../support/run/explain.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { isLimited } from '../support/service/rated.ts'
import { rule } from '../support/checks/rule.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('exports.hourly-limit'), async ({ login, clock }) => {
  const { api } = await login()
  const body = await exportBody(api, { filters: issuedAround(clock.now()) }, drawSecret())
  const refused: number[] = []
  // The specification mentions four per hour as an example; its rate table permits more.
  for (let made = 1; made <= 6; made += 1) {
    await clock.advance(5_000)
    if (isLimited(await api.call('exports.create', { body, pace: false }))) refused.push(made)
  }
  observe(`${6 - refused.length} of 6 exports within an hour were taken`)
  expect(refused, 'rejected exports within one hour').toEqual([])
})
