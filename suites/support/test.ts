import { onlyChosen } from './chosen.ts'
import { checks } from './fixtures.ts'
import { inMode } from './mutation.ts'
import { inOtherForms } from './registered-forms.ts'

export { expect } from './matchers.ts'

/** Playwright's `test` with the suite's fixtures: some checks in other forms too; in mutate mode, once per mutant. */
export const test = inOtherForms(inMode(onlyChosen(checks)))
