import { expect, test } from '@playwright/test'
import { createRng } from '../../lib/random.ts'
import { drawUnit } from '../../suites/support/run/units.ts'

test('a check draws no unit of a taxpayer twice', () => {
  const rng = createRng('units')
  const drawn = Array.from({ length: 1_000 }, () => drawUnit(rng, '5265877635').value)
  expect(new Set(drawn).size).toBe(1_000)
})
