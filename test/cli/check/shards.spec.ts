import { expect, test } from '@playwright/test'
import { ofShard } from '../../../cli/check/shards.ts'
import type { TargetProfile } from '../../../lib/node/target.ts'

const production: TargetProfile = { url: 'https://clearing.example/api', environment: 'production' }
const third = { index: 2, of: 3 }

test('the parts of a run in one context keep to its limits together', () => {
  expect(ofShard(production, third).pacingShare).toBeCloseTo(1 / 3)
  expect(ofShard({ ...production, pacingShare: 0.6 }, third).pacingShare).toBeCloseTo(0.2)
})

test('a run that is not split, and parts in contexts of their own, have the whole limits', () => {
  expect(ofShard(production, undefined)).toEqual(production)
  for (const own of [{ environment: 'test' }, { management: 'http://127.0.0.1:1' }] as const) {
    const profile = { ...production, ...own }
    expect(ofShard(profile, third)).toEqual(profile)
  }
})
