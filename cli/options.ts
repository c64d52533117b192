import { randomBytes, randomInt } from 'node:crypto'
import path from 'node:path'
import { dialects } from '../contract/dialects.ts'
import { rules } from '../contract/rules.ts'
import type { Io } from './io.ts'
import { usageError } from './io.ts'

/** An int32: given, or drawn anew. */
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
      `--dialect: expected one of ${Object.keys(dialects).join(', ')}, received ${JSON.stringify(dialect)}`,
    )
  return dialect
}

/**
 * Selectors (`auth`, `auth.status`, a whole id) as a regular expression over tags. A selector that names no
 * rule is an error: it would select nothing and pass.
 */
export const grepOf = (selectors: readonly string[]): string | undefined => {
  if (selectors.length === 0) return undefined
  const ids = Object.keys(rules)
  for (const selector of selectors)
    if (!ids.some((id) => id === selector || id.startsWith(`${selector}.`)))
      throw usageError(
        `no rule is called ${JSON.stringify(selector)} or starts with it: expected an area (auth), a prefix (auth.status) or an id; \`assay list\` shows them`,
      )
  const escaped = selectors.map((selector) => selector.replaceAll('.', '\\.'))
  return `@(${escaped.join('|')})(?=[.\\s]|$)`
}

export const outDirectory = (out: string, io: Io): string => path.resolve(io.cwd, out)
