import type { OperationId } from '../../contract/endpoints.ts'
import { operationIds } from '../../contract/endpoints.ts'
import type { Route, Wire } from './wire.ts'

/** The paths of the service in its dialect, each with the operations behind its methods. */

/** What a path offers under a method. */
export interface Offered {
  readonly operation: OperationId
  /** Names of the parameters in the order of the path. */
  readonly parameters: readonly string[]
  readonly route: Route
}

export interface Resource {
  /** In the form of Hono: parameters with a colon. */
  readonly pattern: string
  readonly methods: ReadonlyMap<string, Offered>
}

/** Literal paths before those with parameters, so that the more exact one is found first. */
const byExactness = (a: string, b: string): number => {
  const left = a.split('/')
  const right = b.split('/')
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = Number(left[at]!.startsWith(':')) - Number(right[at]!.startsWith(':'))
    if (difference !== 0) return difference
  }
  return 0
}

/** Every resource, the most exact first. */
export const resources = (wire: Wire): readonly Resource[] => {
  const found = new Map<string, Map<string, Offered>>()
  for (const operation of operationIds) {
    const route = wire.route(operation)
    if (route === undefined) continue
    for (const path of route.paths) {
      const parameters = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)
      let index = 0
      const pattern = path.replace(/\{[^}]+\}/g, () => `:p${index++}`)
      const methods = found.get(pattern) ?? new Map<string, Offered>()
      found.set(pattern, methods)
      const taken = methods.get(route.method)
      if (taken !== undefined && taken.operation !== operation) {
        throw new Error(`${operation} and ${taken.operation} are both ${route.method} ${path}`)
      }
      methods.set(route.method, { operation, parameters, route })
    }
  }
  return [...found]
    .map(([pattern, methods]) => ({ pattern, methods }))
    .toSorted((a, b) => byExactness(a.pattern, b.pattern))
}
