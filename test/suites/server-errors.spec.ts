import { expect, test } from '@playwright/test'
import type { OperationId } from '../../contract/endpoints.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { Exchange } from '../../lib/exchange.ts'
import type { Outcome, OutcomeKind } from '../../lib/outcome.ts'
import { expect as ours } from '../../suites/support/judging/matchers.ts'
import { afterServerError } from '../../suites/support/service/server-errors.ts'
import { outcomeOfError } from '../../suites/support/run/thrown.ts'

/** A violation does not count if the service failed in between, except for the rules about such answers. */

const kindOf = (
  rule: RuleId,
  statuses: readonly number[],
  kind: OutcomeKind = 'violated',
  more: Partial<Outcome> = {},
  operation: OperationId = 'auth.challenge',
): OutcomeKind => {
  const exchanges = statuses.map((status) => ({
    status,
    operation,
    request: { method: 'POST', url: '/', headers: {} },
  }))
  const subject = { rule, variant: undefined, mutant: undefined }
  return afterServerError(subject, exchanges, { kind, ...more }).kind
}

test('an error of a gateway or of the service leaves open what a check looked for', () => {
  for (const status of [500, 501, 502, 503, 504])
    expect(kindOf('auth.access-token.jwt-lifetime', [200, status, 200])).toBe('inconclusive')
})

test('an error of the health check violates its rule', () => {
  expect(kindOf('transport.health', [503], 'violated', {}, 'transport.health')).toBe('violated')
  expect(kindOf('transport.health', [503], 'violated', {}, 'sessions.openOnline')).toBe(
    'inconclusive',
  )
})

test('an error of the service in place of a refusal violates the rule of the refusal', () => {
  const rule = 'auth.redeem.wrong-bearer-refused'
  const failed = { due: 'refusal', fault: 'server error' } as const
  expect(kindOf(rule, [200, 500], 'violated', failed)).toBe('violated')
  expect(kindOf(rule, [200, 503], 'violated', failed)).toBe('inconclusive')
  // What should have led to the refusal may not have happened.
  const missing = { due: 'refusal', fault: 'missing refusal' } as const
  expect(kindOf(rule, [500, 200], 'violated', missing)).toBe('inconclusive')
})

test('the matchers of refusals state that a refusal was due, others do not', () => {
  const failed: Exchange = {
    request: { method: 'POST', url: 'http://localhost/auth/challenge', headers: {} },
    operation: 'auth.challenge',
    status: 500,
    headers: {},
    bytes: new Uint8Array(),
    text: '',
    body: undefined,
    startedAt: 0,
    ms: 1,
    span: [0, 0],
  }
  const outcome = (assert: () => unknown): unknown => {
    try {
      assert()
    } catch (error) {
      return outcomeOfError(error)
    }
    return undefined
  }
  const due = { kind: 'violated', fault: 'server error', due: 'refusal' }
  expect(outcome(() => ours(failed).toBeRefused('rate-limited'))).toMatchObject(due)
  expect(outcome(() => ours(failed).toBeRejected('rate-limited'))).toMatchObject(due)
  expect(outcome(() => ours(failed).toBeRefusedWith(404))).toMatchObject(due)
  expect(outcome(() => ours(failed).toBeClientError())).toMatchObject(due)
  expect(outcome(() => ours(failed).toBeOk())).not.toHaveProperty('due')
})

test('without an error a contradiction stays what it is', () => {
  expect(kindOf('auth.access-token.jwt-lifetime', [200, 429])).toBe('violated')
})

test('rules about such answers are violated by them', () => {
  expect(kindOf('transport.answers.no-server-error', [503])).toBe('violated')
})

test('what is no contradiction stays what it is', () => {
  expect(kindOf('auth.access-token.jwt-lifetime', [503], 'held')).toBe('held')
  expect(kindOf('auth.access-token.jwt-lifetime', [503], 'broken')).toBe('broken')
})
