import { answers } from './answers.ts'
import type { Fault } from './fault.ts'
import { occasional } from './occasional.ts'
import { unusable } from './unusable.ts'

/** What can be wrong with a target, and what `assay check` has to make of it. */
export const faults: readonly Fault[] = [...unusable, ...answers, ...occasional]
