import { expect, test } from '@playwright/test'
import type { TargetProfile } from '../../lib/node/target.ts'
import { opensContexts } from '../../lib/node/target.ts'
import { rngFor } from '../../lib/random.ts'
import { createContexts } from '../../suites/support/service/context-source.ts'
import type { Target } from '../../suites/support/service/target.ts'

/** Where the contexts of checks come from at a target that others use too. */

const pooled = { kind: 'Nip', value: '5265877635', token: 'pooled' } as const
const created = { kind: 'Nip', value: '7980332920', token: 'created' } as const
const consent = {
  address: 'http://127.0.0.1:1/api/v2',
  contexts: ['Nip 5265877635'],
  operations: ['*'],
  until: '2026-12-31',
  by: 'test',
}

const contextsAt = (more: Partial<TargetProfile>, management: unknown) => {
  const profile: TargetProfile = {
    url: consent.address,
    environment: 'demo',
    contexts: [pooled],
    ...more,
  }
  const target = { profile, management, embedded: false, environment: 'demo', now: Date.now }
  const next = createContexts(target as unknown as Target, rngFor({ seed: 1, rule: 'contexts' }))
  return { profile, next: async () => (await next()).value }
}

const port = { createContext: () => Promise.resolve(created) }
const management = 'http://127.0.0.1:2'

test('a management port creates the contexts of each check', async () => {
  const { profile, next } = contextsAt({ management }, port)
  expect([await next(), await next()]).toEqual([created.value, created.value])
  expect(opensContexts(profile)).toBe(true)
})

test('without one, or where a consent names the contexts, checks share those of the profile', async () => {
  for (const { profile, next } of [
    contextsAt({}, undefined),
    contextsAt({ management, consent }, port),
  ]) {
    expect(await next()).toBe(pooled.value)
    await expect(next()).rejects.toThrow('contexts needed: 2, in the profile: 1')
    expect(opensContexts(profile)).toBe(false)
  }
})
