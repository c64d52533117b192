import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { RuleId } from '../contract/rules.ts'
import { families } from '../suites/support/families.ts'
import { formsOf, inForm } from '../suites/support/other-forms.ts'
import { couldNotRun } from './io.ts'
import { built, root } from './root.ts'

/** A check of the suite, as Playwright lists it. */
export interface RegisteredCheck {
  readonly rule: RuleId
  readonly variant?: string
  /** The spec file, below `suites/`. */
  readonly file: string
  /** Cells of the matrices that it covers (`suites/support/matrices.ts`), by their places. */
  readonly covers?: readonly { readonly matrix: string; readonly cells: readonly number[] }[]
}

type Covered = NonNullable<RegisteredCheck['covers']>

/**
 * The list as the build writes it (`scripts/build.mjs`): by file, then by rule, the variant of each check, empty where it
 * has none, with the cells that it covers. Checks in other forms follow from the table of forms.
 */
type ListOfFiles = Readonly<
  Record<
    string,
    Readonly<Partial<Record<RuleId, readonly (string | readonly [variant: string, Covered])[]>>>
  >
>

const fromFiles = (list: ListOfFiles): RegisteredCheck[] =>
  Object.entries(list).flatMap(([file, rules]) =>
    Object.entries(rules).flatMap(([id, checks]) => {
      const rule = id as RuleId
      return checks.flatMap((check) => {
        const [name, covers] = typeof check === 'string' ? [check] : check
        const variant = name === '' ? undefined : name
        return [
          { file, rule, ...(variant && { variant }), ...(covers && { covers }) },
          ...formsOf(rule, variant).map((form) => ({ file, rule, variant: inForm(form, variant) })),
        ]
      })
    }),
  )

/**
 * Every check of the suite, as the build listed them: asking Playwright for its list takes seconds, and the text of the
 * specs does not show what their loops register.
 * @throws {Explained} when there is no build
 */
export const listedChecks = async (): Promise<readonly RegisteredCheck[]> => {
  // Run from sources, the list is that of the last build.
  for (const folder of [built, path.join(root, 'dist')]) {
    const text = await readFile(path.join(folder, 'checks.json'), 'utf8').catch(() => undefined)
    if (text !== undefined) return fromFiles(JSON.parse(text) as ListOfFiles)
  }
  throw couldNotRun('The list of checks is missing; run `npm run build`.')
}

/**
 * How many checks each rule has.
 * @throws {Explained} when there is no build
 */
export const registeredChecks = async (): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  for (const { rule } of await listedChecks()) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return counts
}

const optionalFiles = Object.values(families).flatMap((row) => ('optional' in row ? row.file : []))

/**
 * Spec files of the checks whose tags match, and those whose checks depend on documents, which no list can know.
 * Playwright loads every file that it is not told to leave out, which takes longer than a few checks do.
 * @throws {Explained} when there is no build
 */
export const specFilesOf = async (tags: RegExp): Promise<readonly string[]> => {
  const files = (await listedChecks()).filter(({ rule }) => tags.test(`@${rule}`))
  return [...new Set([...files.map(({ file }) => file), ...optionalFiles])]
}
