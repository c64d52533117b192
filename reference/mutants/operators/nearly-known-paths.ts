import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { Endpoint } from '../../../contract/types.ts'
import { succeeds } from '../rewrite.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Paths that are nearly those of an operation, and served as if they were: a router that is generous. */

const paths: readonly string[] = operationIds.flatMap((operation) => {
  const { path, aliases = [] }: Endpoint = endpoint(operation)
  return [path, ...aliases].map((one) => one.replace(/\/$/, ''))
})

const asPattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{[^}]*\}/g, '[^/]+')}$`)

const known = paths.map(asPattern)

/** Paths above those of operations. */
const above = paths.map((path) => asPattern(path.slice(0, path.lastIndexOf('/'))))

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

const fits = (path: string, patterns: readonly RegExp[]): boolean =>
  patterns.some((pattern) => pattern.test(path))

/** Words that a path ends in. */
const words: ReadonlySet<string> = new Set(paths.map(lastOf).filter((word) => /^[a-z]/.test(word)))

const isMisspelt = (word: string): boolean =>
  [...words].some(
    (right) =>
      right !== word &&
      Array.from(
        { length: right.length },
        (_, at) => right.slice(0, at) + (word[at] ?? '') + right.slice(at + 1),
      ).includes(word),
  )

const generous: Readonly<Record<string, (path: string) => boolean>> = {
  'below-a-known': (path) => fits(parentOf(path), known),
  'below-a-public': (path) => /^\/(health|auth\/challenge)\/[^/]+$/.test(path),
  'above-a-known': (path) => fits(path, above),
  'last-segment-twice': (path) =>
    fits(parentOf(path), known) && lastOf(path) === lastOf(parentOf(path)),
  'letter-wrong': (path) => isMisspelt(lastOf(path)),
}

/** Unknown paths that are answered like the known ones beside them. */
export const generousRouters = (): Generated[] =>
  Object.entries(generous).map(([name, serves]) =>
    generated(
      'near-path',
      name,
      ['transport.unknown-is-404'],
      succeeds('unknown-path', (path) => serves(path.replace(/^(\/api)?\/v2(?=\/)/, ''))),
    ),
  )
