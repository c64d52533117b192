import { test as playwright } from '@playwright/test'
import type { TestDetails } from '@playwright/test'
import type { RuleId } from '../../../contract/rules.ts'
import { formOf } from '../checks/other-forms.ts'
import { notes, noteOf } from '../checks/rule.ts'
import type { Subject } from '../checks/rule.ts'
import { runOptions } from '../checks/run-options.ts'
import { loadMutants } from './target.ts'
import type { RunMutant, Target } from './target.ts'

/**
 * Mutate mode: a check is registered once for the sound reference, which records what parts of the service the check
 * uses, and once for every chosen mutant that breaks its rule, so that the whole kill matrix is one run whose workers
 * keep their reference. Normal mode is not affected: `test` is Playwright's own, and line numbers stay.
 */
const mutants = runOptions.mutants === undefined ? [] : await loadMutants(runOptions.mutants)

const annotationsOf = (details: TestDetails) => {
  const { annotation = [] } = details
  return Array.isArray(annotation) ? annotation : [annotation]
}

const mutantsByRule = new Map<string, RunMutant[]>()
for (const mutant of mutants)
  for (const rule of new Set(mutant.breaks))
    mutantsByRule.set(rule, [...(mutantsByRule.get(rule) ?? []), mutant])

/** Whether a mutant shows only in another form of requests: checks in other forms run against these mutants only. */
const showsInOtherForm = (mutant: string): boolean => mutant.includes('/other-form:')

/** `test` as the run wants it: itself, or one registration per mutant. */
export const inMode = <Test extends (...args: never[]) => unknown>(test: Test): Test => {
  if (runOptions.mutants === undefined) return test
  return new Proxy(test, {
    // A test that extends the fixtures runs against the mutants too.
    get(target, name, self) {
      const value: unknown = Reflect.get(target, name, self)
      if (name !== 'extend' || typeof value !== 'function') return value
      return (...fixtures: unknown[]): unknown =>
        inMode(Reflect.apply(value, target, fixtures) as Test)
    },
    apply(target, self, args: unknown[]) {
      const [title, details, body] = args as [string, TestDetails, unknown]
      // A test without a rule proves nothing about mutants.
      if (body === undefined) return
      const id = noteOf(annotationsOf(details), notes.rule)
      const other = formOf(noteOf(annotationsOf(details), notes.variant)) !== undefined
      const own = (mutantsByRule.get(id ?? '') ?? []).filter(
        ({ id: mutant, checks }) =>
          other === showsInOtherForm(mutant) && (checks?.includes(title) ?? true),
      )
      // The check in its first form runs against the other mutants.
      if (other && own.length === 0) return
      Reflect.apply(target, self, args as never[])
      for (const mutant of own) {
        const marked = {
          ...details,
          annotation: [...annotationsOf(details), { type: notes.mutant, description: mutant.id }],
        }
        Reflect.apply(target, self, [`${title} against ${mutant.id}`, marked, body] as never[])
      }
    },
  })
}

/** Mutants that a check has noticed already: running further checks only proves that they can notice them too. */
const killed = new Set(mutants.flatMap(({ id, dead }) => (dead === true ? [id] : [])))

/** Checks of this worker that have noticed a mutant. */
const proved = new Set<string>()

const isNeeded = (mutant: string, check: string): boolean =>
  runOptions.pairs === 'all' ||
  !killed.has(mutant) ||
  (runOptions.pairs === 'until-proved' && !proved.has(check))

/** The parts of the service that each check used on the sound reference. */
const usedBy = new Map<string, ReadonlySet<string>>()

const keyOf = ({ rule, variant = '' }: Subject): string => `${rule} ${variant}`

const rowsById = new Map(mutants.map((mutant) => [mutant.id, mutant]))

/** Installs the mutant of a check; without one, notes what the check uses. */
export const prepareMutant = async (target: Target, subject: Subject): Promise<void> => {
  const { mutant } = subject
  if (mutant === undefined) {
    if (runOptions.mutants !== undefined) await target.management?.record()
    return
  }
  playwright.skip(!isNeeded(mutant, keyOf(subject)), `${mutant} is dead already`)
  const used = usedBy.get(keyOf(subject))
  playwright.skip(
    used !== undefined && rowsById.get(mutant)?.canShow(used) === false,
    `the check uses nothing that ${mutant} changes`,
  )
  await target.management?.install(mutant)
}

/** Notes how a check ended, and which rules of answers it saw broken. */
export const concludeMutant = async (
  target: Target,
  subject: Subject,
  seen: { readonly violated: boolean; readonly faults: readonly { readonly rule: RuleId }[] },
): Promise<void> => {
  if (runOptions.mutants === undefined) return
  const { mutant } = subject
  if (mutant !== undefined) {
    const breaks = rowsById.get(mutant)?.breaks ?? []
    const met = seen.faults.map(({ rule }) => rule)
    if (seen.violated || met.includes(subject.rule)) proved.add(keyOf(subject))
    if (seen.violated || met.some((rule) => breaks.includes(rule))) killed.add(mutant)
    return
  }
  // What a check uses in another environment is in another reference, and is not recorded here.
  const used = await target.management?.used()
  if (used !== undefined && used.size > 0 && !elsewhere.has(target))
    usedBy.set(keyOf(subject), used)
  elsewhere.delete(target)
}

/** Targets whose running check works in other references too. */
const elsewhere = new WeakSet<Target>()

/** Notes that the running check works in another reference besides its target. */
export const worksElsewhere = (target: Target): void => {
  elsewhere.add(target)
}
