import { expect, test } from '@playwright/test'
import { afterTooLong } from '../../suites/support/unended.ts'

/** Work that never ended violates the rules by which it ends, where the target confirms the states, and no other rule. */

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

test('unended work violates a rule by which it ends', () => {
  expect(kindOf('invoices.submit.accepted')).toBe('violated')
})

test('elsewhere a precondition was not reached', () => {
  expect(kindOf('invoices.number.unique')).toBe('inconclusive')
  expect(kindOf('sessions.online.close')).toBe('inconclusive')
})

test('a wait that only ran out, or states of its own, violate nothing', () => {
  expect(kindOf('invoices.submit.accepted', { kind: 'inconclusive' })).toBe('inconclusive')
  expect(kindOf('invoices.submit.accepted', late, false)).toBe('inconclusive')
})
