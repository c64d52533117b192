import { readFileSync } from 'node:fs'
import type { TestDetails } from '@playwright/test'
import { notes, noteOf } from './rule.ts'
import { runOptions } from './run-options.ts'

/** A check by which a file of chosen ones names it. */
export interface ChosenCheck {
  readonly rule: string
  readonly variant?: string
}

/** One text for a check, to find it by. */
export const keyOfCheck = ({ rule, variant = '' }: ChosenCheck): string => `${rule} / ${variant}`

const chosen =
  runOptions.only === undefined
    ? undefined
    : new Set(
        (JSON.parse(readFileSync(runOptions.only, 'utf8')) as readonly ChosenCheck[]).map(
          keyOfCheck,
        ),
      )

/** `test` as a run of chosen checks wants it: every other check is not registered. */
export const onlyChosen = <Test extends (...args: never[]) => unknown>(test: Test): Test => {
  if (chosen === undefined) return test
  return new Proxy(test, {
    apply(target, self, args: unknown[]) {
      const { annotation = [] } = (args[1] ?? {}) as TestDetails
      const annotations = Array.isArray(annotation) ? annotation : [annotation]
      const rule = noteOf(annotations, notes.rule)
      const variant = noteOf(annotations, notes.variant)
      if (rule !== undefined && !chosen.has(keyOfCheck({ rule, ...(variant && { variant }) })))
        return
      Reflect.apply(target, self, args as never[])
    },
  })
}
