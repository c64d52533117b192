import { randomBytes, randomInt } from 'node:crypto'
import { dialects } from '../contract/dialects.ts'
import { rules } from '../contract/rules.ts'
import { areas } from '../contract/types.ts'
import { usageError } from './io.ts'
import { didYouMean } from './nearest.ts'
import { prefixesOf } from './prefixes.ts'

/** An int32: the given one, or a random one. */
export const seedOf = (seed: number | undefined): number => {
  if (seed === undefined) return randomInt(1, 2 ** 31)
  if (!Number.isInteger(seed) || seed < -(2 ** 31) || seed > 2 ** 31 - 1)
    throw usageError(`--seed: expected an int32 (-2147483648 to 2147483647), received ${seed}`)
  return seed
}

export const namespaceOf = (namespace: string | undefined): string => {
  if (namespace === undefined) return randomBytes(5).toString('hex')
  if (!/^[A-Za-z0-9-]{1,32}$/.test(namespace))
    throw usageError(
      `--namespace: expected 1 to 32 letters, digits or dashes, received ${JSON.stringify(namespace)}`,
    )
  return namespace
}

export const dialectOf = (dialect: string | undefined): string | undefined => {
  if (dialect !== undefined && !(dialect in dialects))
    throw usageError(
      `--dialect: expected one of ${Object.keys(dialects).join(', ')}, received ${JSON.stringify(dialect)}.${didYouMean(dialect, Object.keys(dialects))}`,
    )
  return dialect
}

/**
 * Selectors (`auth`, `auth.status`, a whole id) as a regular expression over tags. A selector that matches no rule is
 * an error: it would select nothing and pass.
 */
export const selectorPattern = (selectors: readonly string[]): string | undefined => {
  if (selectors.length === 0) return undefined
  const ids = Object.keys(rules)
  for (const selector of selectors)
    if (!ids.some((id) => id === selector || id.startsWith(`${selector}.`)))
      throw usageError(
        `no rule has the id or prefix ${JSON.stringify(selector)}: expected an area (auth), a prefix (auth.status) or a rule id.${didYouMean(selector, prefixesOf(ids))} \`assay list\` shows the rules.`,
      )
  const escaped = selectors.map((selector) => selector.replaceAll('.', '\\.'))
  return `@(${escaped.join('|')})(?=[.\\s]|$)`
}

/** A namespace, and which run under it this is. */
export interface RunNames {
  readonly namespace: string
  /** Absent in the first run, and where the target starts anew with each run. */
  readonly run?: string
}

/**
 * The names of a run. A namespace that is given was used before, so a target that runs on knows its invoice numbers:
 * the run then counts as another one under that namespace, with the same documents and fresh numbers.
 */
export const runNamesOf = (
  given: string | undefined,
  { runsOn, now = Date.now() }: { readonly runsOn: boolean; readonly now?: number },
): RunNames => {
  const [, name, exact] = /^(.*?)(?:\.([a-z0-9]{1,12}))?$/.exec(given ?? '') ?? []
  const namespace = namespaceOf(given === undefined ? undefined : name)
  if (exact !== undefined) return { namespace, run: exact }
  if (given === undefined || !runsOn) return { namespace }
  return { namespace, run: Math.floor(now / 1000).toString(36) }
}

/** How the help describes the names of a run. */
export const runNamesLine = ({ namespace, run }: RunNames): string =>
  run === undefined
    ? `namespace ${namespace}`
    : `namespace ${namespace}, run ${run} (the documents of this namespace with fresh invoice numbers; --namespace ${namespace}.${run} repeats the numbers too)`

/** A share as a user writes it, `80%` or `80`, as a number from 0 to 1. */
export const shareOf = (option: string, given: string | undefined): number | undefined => {
  if (given === undefined) return undefined
  const [, digits] = /^(\d{1,3})\s*%?$/.exec(given) ?? []
  const percent = Number(digits)
  if (digits === undefined || percent > 100)
    throw usageError(`--${option}: expected a percentage from 0% to 100%, received ${given}`)
  return percent / 100
}

/** The shares that a run must verify: of all checks, and of single areas. */
export interface MinVerified {
  readonly minVerified?: number
  readonly minVerifiedOf?: Readonly<Record<string, number>>
}

/** Reads shares as a user writes them: `80%` of all checks, `auth=80%` of those of an area. */
export const sharesOf = (option: string, given: readonly string[] = []): MinVerified => {
  const ofAreas: Record<string, number> = {}
  let ofAll: number | undefined
  for (const written of given) {
    const [area, share] = written.includes('=') ? written.split('=', 2) : [undefined, written]
    const read = shareOf(option, share)
    if (area === undefined) ofAll = read
    else if (!(areas as readonly string[]).includes(area))
      throw usageError(
        `--${option}: expected an area before "=", received ${JSON.stringify(area)}; areas: ${areas.join(', ')}`,
      )
    else ofAreas[area] = read ?? 0
  }
  return {
    ...(ofAll === undefined ? {} : { minVerified: ofAll }),
    ...(Object.keys(ofAreas).length === 0 ? {} : { minVerifiedOf: ofAreas }),
  }
}
