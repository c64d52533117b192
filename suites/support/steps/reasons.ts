import type { Reported } from '../judging/matchers.ts'
import { expect } from '../judging/matchers.ts'

/**
 * Expects the description of a failure to state a reason: it is not what is said of the same work before its end, or of
 * other work that went well.
 */
export const expectReason = (
  { status: { description } }: Reported,
  ...others: readonly Reported[]
): void => {
  expect(description ?? '', 'a description of the failure').toMatch(/\S/)
  const unfailed = others.map(({ status }) => status.description)
  expect(unfailed, 'descriptions of what has not failed').not.toContain(description)
}
