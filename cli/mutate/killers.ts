import { readMeasured } from '../measured.ts'

/**
 * The title of the quickest check that noticed each mutant when it was last measured (`npm run killers`). It saves
 * putting a mutant to checks that do not notice it; whatever this check does not notice is put to all of them.
 */
export const knownKillers = (): Readonly<Record<string, string>> => readMeasured('killers.json')
