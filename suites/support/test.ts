import { onlyChosen } from './chosen.ts'
import { checks } from './fixtures.ts'
import { inMode } from './mutation.ts'

export { expect } from './matchers.ts'

/** Playwright's `test` with the fixtures of the suite; in mutate mode, one registration per mutant. */
export const test = inMode(onlyChosen(checks))
