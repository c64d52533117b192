import { svc } from '../../../contract/dialects/svc.ts'
import type { Dialect } from '../../../contract/dialect.ts'

/** What the matchers hold a target to; the `target` fixture sets it once per worker. */
export interface Expectations {
  readonly dialect: Dialect
  /** Whether the target confirms the assumption behind a gap. */
  readonly confirms: (gap: string) => boolean
  /** Whether the target has the test-data operations. */
  readonly has: (capability: 'testdata') => boolean
}

let current: Expectations = { dialect: svc, confirms: () => true, has: () => true }

export const expectations = (): Expectations => current

export const setExpectations = (next: Expectations): void => {
  current = next
}
