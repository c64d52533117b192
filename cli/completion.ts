import { ruleIds } from '../contract/rules.ts'
import { mutants } from '../reference/mutants/mutants.ts'
import { prefixesOf } from './prefixes.ts'

/** What a command's arguments may be, where that is a list of ids. */
const idsOf: Readonly<Record<string, () => string[]>> = {
  check: () => prefixesOf(ruleIds),
  list: () => prefixesOf(ruleIds),
  mutate: () => prefixesOf(Object.keys(mutants)),
}

/** What may follow on the command line: what yargs knows, and ids of rules and mutants. */
export const words = (
  current: string,
  argv: { readonly _: readonly (string | number)[] },
  byDefault: (done?: (error: Error | null, words: string[] | undefined) => void) => void,
  done: (words: string[]) => void,
): void =>
  byDefault((_error, known = []) => {
    const ids = current.startsWith('-') ? undefined : idsOf[String(argv._[1] ?? argv._[0])]
    done([...known, ...(ids?.() ?? []).filter((id) => id.startsWith(current))])
  })
