import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { RuleId } from '../contract/rules.ts'
import { families } from '../suites/support/checks/families.ts'
import { formsOf, inForm } from '../suites/support/checks/other-forms.ts'
import { couldNotRun } from './io.ts'
import { built, root } from './root.ts'

/** Milliseconds, and the place of what calls it makes among the shapes that were measured (`cli/check/costs.ts`). */
export type PackedCost = readonly [ms: number, shape: number]

/** A check of the suite, as Playwright lists it. */
export interface RegisteredCheck {
  readonly rule: RuleId
  readonly variant?: string
  /** The spec file, below `suites/`. */
  readonly file: string
  /** Cells of the matrices that it names, or that it is known to show, by their places. */
  readonly covers?: readonly { readonly matrix: string; readonly cells: readonly number[] }[]
  readonly cost?: PackedCost
  /** Another check of the run does its work, so that it costs nothing. */
  readonly joins?: true
}

/** The variant of a check, empty where it has none; with what it costs and covers, if that is known. */
type Listed =
  | string
  | readonly [variant: string, cost: PackedCost | null, covers?: RegisteredCheck['covers']]

/** The list as the build writes it (`scripts/build.mjs`): by file, then by rule. */
type ListOfFiles = Readonly<Record<string, Readonly<Partial<Record<RuleId, readonly Listed[]>>>>>

/** A check in the list and, because they follow from the table of forms, the same in other forms. */
const fromListed = (file: string, rule: RuleId, listed: Listed): RegisteredCheck[] => {
  const [name, cost, covers] = typeof listed === 'string' ? [listed] : listed
  const variant = name === '' ? undefined : name
  const check = { file, rule, ...(cost && { cost }) }
  return [
    { ...check, ...(variant && { variant }), ...(covers && { covers }) },
    ...formsOf(rule, variant).map((form) => ({ ...check, variant: inForm(form, variant) })),
  ]
}

const fromFiles = (list: ListOfFiles): RegisteredCheck[] =>
  Object.entries(list).flatMap(([file, rules]) =>
    Object.entries(rules).flatMap(([rule, checks]) =>
      checks.flatMap((listed) => fromListed(file, rule as RuleId, listed)),
    ),
  )

/**
 * Every check of the suite, as the build listed them: asking Playwright for its list takes seconds, and the text of the
 * specs does not show what their loops register.
 * @throws {Explained} when there is no build
 */
export const listedChecks = async (): Promise<readonly RegisteredCheck[]> => {
  // Run from sources, the list is that of the last build.
  for (const folder of [built, path.join(root, 'dist')]) {
    const packed = await readFile(path.join(folder, 'checks.json.gz')).catch(() => undefined)
    if (packed !== undefined)
      return fromFiles(JSON.parse(gunzipSync(packed).toString()) as ListOfFiles)
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
