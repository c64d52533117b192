import type { Dialect } from '../../contract/dialect.ts'
import { dialects } from '../../contract/dialects.ts'
import { resources } from './routes.ts'
import { createWire } from './wire.ts'

/** What a caller may have meant by an unknown path: the prefix twice, missing or another one, or another dialect. */

/** How many parameters the path of an operation has; undefined where the dialect has no such path. */
type Knower = (path: string) => number | undefined

const knower = (dialect: Dialect): Knower => {
  const patterns = resources(createWire(dialect)).map(({ pattern }) => ({
    parameters: pattern.split('/:').length - 1,
    expression: new RegExp(
      `^${pattern.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/:p\d+/g, '[^/]+')}$`,
    ),
  }))
  return (path) => patterns.find(({ expression }) => expression.test(path))?.parameters
}

/** A prefix of another version, in any case. */
const anyVersion = /^(?:\/api)?\/v\d+(?=\/)/i

/** The path without the prefixes at its beginning, and how many they were. */
const withoutPrefixes = (
  path: string,
  prefixes: readonly string[],
): { rest: string; count: number } => {
  const prefix = prefixes.find((one) => path.startsWith(`${one}/`)) ?? anyVersion.exec(path)?.[0]
  if (prefix === undefined) return { rest: path, count: 0 }
  const { rest, count } = withoutPrefixes(path.slice(prefix.length), prefixes)
  return { rest, count: count + 1 }
}

/** A path as it may be shown: no longer than any that exists. */
const shown = (path: string): string => (path.length > 200 ? `${path.slice(0, 200)}...` : path)

export interface PathHint {
  /** What may have been meant by a path that the dialect does not have. */
  readonly ofPath: (path: string) => string | undefined
  /** Which other dialect has the path more exactly: `/auth/ksef-token` also looks like `/auth/{referenceNumber}`. */
  readonly ofDialect: (path: string) => string | undefined
}

/** Hints for the paths that a dialect does not have, or has by chance. */
export const createPathHint = (dialect: Dialect): PathHint => {
  const others = Object.values<Dialect>(dialects).filter(({ id }) => id !== dialect.id)
  let known: Knower | undefined
  let knownElsewhere: readonly { readonly other: Dialect; readonly has: Knower }[] | undefined
  const prefixes = [dialect.prefix, ...others.map(({ prefix }) => prefix), '/api', '/v2']
    .filter((prefix, at, all) => prefix !== '' && all.indexOf(prefix) === at)
    // The longest first: `/api` begins `/api/v2`.
    .toSorted((a, b) => b.length - a.length)
  const read = (path: string) => {
    // Compiled at the first unknown path: most services never meet one.
    known ??= knower(dialect)
    knownElsewhere ??= others.map((other) => ({ other, has: knower(other) }))
    const { rest, count } = withoutPrefixes(path, prefixes)
    const right = dialect.prefix + rest
    const here = known(right)
    const there = knownElsewhere.find(({ other, has }) => {
      const parameters = has(other.prefix + rest)
      return parameters !== undefined && (here === undefined || parameters < here)
    })?.other
    return { right, count, here, there }
  }
  const spoken = (path: string, there: Dialect): string =>
    `${shown(path)} is a path of the dialect ${there.id}, and this service speaks ${dialect.id}; start it with --dialect ${there.id}`
  return {
    ofPath(path) {
      const { right, count, here, there } = read(path)
      if (there !== undefined) return spoken(path, there)
      if (here === undefined) return undefined
      const found = count === 0 ? 'is missing' : count === 1 ? 'is another one' : 'is there twice'
      return `the prefix ${found}: expected ${shown(right)}, received ${shown(path)}; correct the base address of the client`
    },
    ofDialect(path) {
      const { there } = read(path)
      return there && spoken(path, there)
    },
  }
}
