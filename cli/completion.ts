import { ruleIds } from '../contract/rules.ts'
import { prefixesOf } from './prefixes.ts'

type Ids = Readonly<Record<string, readonly string[]>>

/** What a command's arguments may be, where that is a list of ids. */
export const argumentIds = async (): Promise<Ids> => {
  const { mutants } = await import('../reference/mutants/mutants.ts')
  const ofRules = prefixesOf(ruleIds)
  return { check: ofRules, list: ofRules, mutate: prefixesOf(Object.keys(mutants)) }
}

/** What may follow on the command line: what yargs knows, and ids of rules and mutants. */
export const words =
  (ids: Ids) =>
  (
    current: string,
    argv: { readonly _: readonly (string | number)[] },
    byDefault: (done?: (error: Error | null, words: string[] | undefined) => void) => void,
    done: (words: string[]) => void,
  ): void =>
    byDefault((_error, known = []) => {
      const named = current.startsWith('-') ? [] : (ids[String(argv._[1] ?? argv._[0])] ?? [])
      done([...known, ...named.filter((id) => id.startsWith(current))])
    })
