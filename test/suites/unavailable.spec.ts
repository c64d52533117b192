import { expect, test } from '@playwright/test'
import type { RuleId } from '../../contract/rules.ts'
import type { OutcomeKind } from '../../lib/outcome.ts'
import { afterUnavailable } from '../../suites/support/unavailable.ts'

/** A contradiction at a service that was not available in between is none, but for the rules about such answers. */

const kindOf = (
  rule: RuleId,
  statuses: readonly number[],
  kind: OutcomeKind = 'violated',
): OutcomeKind => {
  const exchanges = statuses.map((status) => ({
    status,
    operation: 'auth.challenge' as const,
    request: { method: 'POST', url: '/', headers: {} },
  }))
  return afterUnavailable({ rule, variant: undefined, mutant: undefined }, exchanges, { kind }).kind
}

test('the response of a gateway makes the check inconclusive', () => {
  for (const status of [502, 503, 504])
    expect(kindOf('auth.access-token.jwt-lifetime', [200, status, 200])).toBe('inconclusive')
})

test('without the response of a gateway a contradiction stays one', () => {
  expect(kindOf('auth.access-token.jwt-lifetime', [200, 500])).toBe('violated')
  expect(kindOf('auth.access-token.jwt-lifetime', [200, 429])).toBe('violated')
})

test('rules about such answers are violated by them', () => {
  expect(kindOf('transport.answers.no-server-error', [503])).toBe('violated')
})

test('other outcomes are not changed', () => {
  expect(kindOf('auth.access-token.jwt-lifetime', [503], 'held')).toBe('held')
  expect(kindOf('auth.access-token.jwt-lifetime', [503], 'broken')).toBe('broken')
})
