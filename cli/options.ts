import { randomBytes, randomInt } from 'node:crypto'
import path from 'node:path'
import { dialects } from '../contract/dialects.ts'
import { rules } from '../contract/rules.ts'
import type { Io } from './io.ts'
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
export const grepOf = (selectors: readonly string[]): string | undefined => {
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

export const outDirectory = (out: string, io: Io): string => path.resolve(io.cwd, out)
