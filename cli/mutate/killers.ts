import { readMeasured } from '../measured.ts'

/**
 * The mutants that each check is known to notice, by the title of the check, as last measured (`npm run killers`): each
 * mutant below one check at least. They save putting a mutant to checks that do not notice it; what none of these checks
 * notices is put to all of its checks. A check that noticed none has an empty row, so that its removal is noticed.
 */
const killers = () =>
  (readMeasured('killers.json') ?? {}) as Readonly<Record<string, readonly string[]>>

/** Titles of the checks that are known to notice each mutant. */
export const knownKillers = (): ReadonlyMap<string, readonly string[]> => {
  const titles = new Map<string, string[]>()
  for (const [title, mutants] of Object.entries(killers()))
    for (const id of mutants) titles.set(id, [...(titles.get(id) ?? []), title])
  return titles
}

/** Titles of all checks that the suite had when its killers were measured. */
export const measuredChecks = (): readonly string[] => Object.keys(killers())
