import { readFileSync } from 'node:fs'
import type { TestDetails } from '@playwright/test'
import { notes, noteOf } from './rule.ts'
import { runOptions } from './run-options.ts'

/** A check, as a file of chosen checks names it. */
export interface ChosenCheck {
  readonly rule: string
  readonly variant?: string | undefined
}

/** One text for a check, to find it by. */
export const keyOfCheck = ({ rule, variant = '' }: ChosenCheck): string => `${rule} / ${variant}`

const read = (file: string): ReadonlySet<string> =>
  new Set((JSON.parse(readFileSync(file, 'utf8')) as readonly ChosenCheck[]).map(keyOfCheck))

const chosen = runOptions.only === undefined ? undefined : read(runOptions.only)

/** `test` for a run of chosen checks: no other check is registered. */
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
