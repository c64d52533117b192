import type { Params, Result, Router } from 'hono/router'

/**
 * Finds the resource of a path: Hono's fast router takes no literal beside a parameter (`current` beside `:reference`),
 * and the one that does costs as much as the rest of a short call. Patterns are literals and parameters, one a segment.
 */

interface Place<T> {
  readonly literals: Map<string, Place<T>>
  parameter?: { readonly name: string; readonly place: Place<T> }
  handler?: T
}

const emptyPlace = <T>(): Place<T> => ({ literals: new Map() })

/** Walks the segments of a path from `at`; a literal goes before a parameter, and a parameter is never empty. */
const walk = <T>(place: Place<T>, path: string, at: number, params: Params): T | undefined => {
  if (at > path.length) return place.handler
  const slash = path.indexOf('/', at)
  const end = slash < 0 ? path.length : slash
  const segment = path.slice(at, end)
  const literal = place.literals.get(segment)
  const exact = literal && walk(literal, path, end + 1, params)
  if (exact !== undefined || place.parameter === undefined || segment === '') return exact
  const found = walk(place.parameter.place, path, end + 1, params)
  if (found !== undefined) params[place.parameter.name] = segment
  return found
}

/** A router for handlers that take every method. */
export const createRouter = <T>(): Router<T> => {
  const root = emptyPlace<T>()
  return {
    name: 'Segments',
    add(_method, pattern, handler) {
      let place = root
      for (const segment of pattern.split('/').slice(1)) {
        if (segment.startsWith(':')) {
          place.parameter ??= { name: segment.slice(1), place: emptyPlace() }
          place = place.parameter.place
        } else {
          const next = place.literals.get(segment) ?? emptyPlace<T>()
          place.literals.set(segment, next)
          place = next
        }
      }
      place.handler = handler
    },
    match(_method, path): Result<T> {
      const params: Params = {}
      const handler = walk(root, path, 1, params)
      return handler === undefined ? [[]] : [[[handler, params]]]
    },
  }
}
