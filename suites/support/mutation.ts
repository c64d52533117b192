import type { TestDetails } from '@playwright/test'
import { notes, noteOf } from './rule.ts'
import { runOptions } from './run-options.ts'
import { loadMutants } from './target.ts'

/**
 * Mutate mode: instead of once, a check is registered once for every chosen mutant that breaks its rule, so that the
 * whole kill matrix is one run whose workers keep their reference. In normal mode nothing here is in the way: `test`
 * is Playwright's own, and line numbers stay.
 */
const mutants = runOptions.mutants === undefined ? [] : await loadMutants(runOptions.mutants)

const annotationsOf = (details: TestDetails) => {
  const { annotation = [] } = details
  return Array.isArray(annotation) ? annotation : [annotation]
}

/** `test` as the run wants it: itself, or one registration per mutant. */
export const inMode = <Test extends (...args: never[]) => unknown>(test: Test): Test => {
  if (runOptions.mutants === undefined) return test
  return new Proxy(test, {
    apply(target, self, args: unknown[]) {
      const [title, details, body] = args as [string, TestDetails, unknown]
      // A test without a rule proves nothing about mutants.
      if (body === undefined) return
      const id = noteOf(annotationsOf(details), notes.rule)
      for (const mutant of mutants) {
        if (id === undefined || !mutant.breaks.includes(id)) continue
        const marked = {
          ...details,
          annotation: [...annotationsOf(details), { type: notes.mutant, description: mutant.id }],
        }
        Reflect.apply(target, self, [`${title} against ${mutant.id}`, marked, body] as never[])
      }
    },
  })
}
