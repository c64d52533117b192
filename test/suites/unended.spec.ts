import { expect, test } from '@playwright/test'
import { afterTooLong } from '../../suites/support/service/unended.ts'

/** Work that never ended violates only the rules by which it ends, and only where the target confirms the states. */

const late = { kind: 'inconclusive', unended: 'invoice' } as const
const kindOf = (
  rule: Parameters<typeof afterTooLong>[1]['rule'],
  outcome: Parameters<typeof afterTooLong>[2] = late,
  confirmed = true,
) =>
  afterTooLong(
    { confirms: () => confirmed },
    { rule, variant: undefined, mutant: undefined },
    outcome,
  ).kind

test('work that never ends violates a rule that requires its end', () => {
  expect(kindOf('invoices.submit.accepted')).toBe('violated')
})

test('work that is never refused violates a rule that requires its refusal', () => {
  expect(kindOf('invoices.submit.hash-mismatch')).toBe('violated')
  expect(kindOf('auth.xades.certificate-dates', { ...late, unended: 'authentication' })).toBe(
    'violated',
  )
})

test('under other rules a precondition was not reached', () => {
  expect(kindOf('invoices.number.unique')).toBe('inconclusive')
  expect(kindOf('queries.metadata.paging')).toBe('inconclusive')
  expect(kindOf('sessions.online.close')).toBe('inconclusive')
})

test('a wait that timed out, or unknown states, violate nothing', () => {
  expect(kindOf('invoices.submit.accepted', { kind: 'inconclusive' })).toBe('inconclusive')
  expect(kindOf('invoices.submit.accepted', late, false)).toBe('inconclusive')
})
