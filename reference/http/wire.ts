import type { Dialect, ErrorShape } from '../../contract/dialect.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { endpoint } from '../../contract/endpoints.ts'
import type { Bearer, Method, Permission } from '../../contract/types.ts'
import type { Translator } from './translate.ts'
import { createTranslator } from './translate.ts'

/**
 * Between the canonical form and the spelling of a dialect: paths, methods, bodies, errors. Reads the rows of the
 * dialect and knows none by name.
 */

export interface Wire extends Translator {
  /** How an operation is called; undefined when the dialect does not have it. */
  route(operation: OperationId): Route | undefined
  /** Body and media type of an error. */
  error(facts: ErrorFacts, askedFormat: string | undefined): { media: string; body: unknown }
}

export interface Route {
  readonly method: Method
  /** With the prefix where there is one; parameters in braces, canonical names. */
  readonly paths: readonly string[]
  readonly status: number
  readonly bearer: Bearer
  /** Row of the rate table, `public` or `unlimited`. */
  readonly rate: string
  /** Any one of them suffices. */
  readonly permissions: readonly Permission[] | undefined
  /** Names of optional parameters that are required here. */
  readonly requires: readonly string[]
}

interface ErrorFacts {
  readonly status: number
  readonly code: number
  readonly title: string
  readonly description: string
  readonly details: readonly string[]
  readonly timestamp: string
  readonly instance: string
  readonly traceId: string
  readonly [name: string]: unknown
}

/** A path of the contract with the dialect's words; parameters in braces stay. */
const spell = (path: string, dialect: Dialect): string =>
  path
    .split('/')
    .map((segment) =>
      segment.startsWith('{')
        ? segment
        : Object.entries(dialect.words).reduce(
            (text, [word, spelled]) => text.replace(new RegExp(`\\b${word}\\b`, 'g'), spelled),
            segment,
          ),
    )
    .join('/')

/** The path of an operation below the prefix, parameters in braces. */
export const wirePath = (operation: OperationId, dialect: Dialect): string => {
  const form = dialect.operations[operation]
  const own = form !== undefined && 'path' in form ? form.path : undefined
  return own ?? spell(endpoint(operation).path, dialect)
}

const fill = (template: unknown, facts: Readonly<Record<string, unknown>>): unknown => {
  if (typeof template === 'string' && template.startsWith('$')) return facts[template.slice(1)]
  if (Array.isArray(template)) return template.map((item) => fill(item, facts))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(
    Object.entries(template)
      .map(([name, item]) => [name, fill(item, facts)] as const)
      .filter(([, item]) => item !== undefined),
  )
}

const shapeFor = (dialect: Dialect, status: number, asked: string | undefined): ErrorShape => {
  const shape = dialect.errorShapes.find(
    (one) =>
      (one.statuses === undefined || one.statuses.includes(status)) &&
      (one.asked === undefined || one.asked === asked),
  )
  if (shape === undefined)
    throw new Error(`the dialect ${dialect.id} has no error shape for ${status}`)
  return shape
}

/** How an operation is called; undefined when the dialect does not have it. */
const routeOf = (operation: OperationId, dialect: Dialect): Route | undefined => {
  const row = endpoint(operation)
  const form = dialect.operations[operation]
  if (form !== undefined && 'absent' in form) return undefined
  const below = [
    wirePath(operation, dialect),
    ...(form?.aliases ??
      (form?.path === undefined ? (row.aliases ?? []).map((path) => spell(path, dialect)) : [])),
  ]
  const atOrigin = form?.atOrigin ?? row.atOrigin ?? false
  return {
    method: form?.method ?? row.method,
    paths: [...below.map((path) => dialect.prefix + path), ...(atOrigin ? below : [])],
    status: form?.status ?? row.answer.status,
    bearer: form?.bearer ?? row.bearer,
    rate: form?.rate ?? row.rate,
    permissions: form?.permissions ?? row.permissions,
    requires: form?.requires ?? [],
  }
}

/** What spells calls and answers in a dialect. */
export const createWire = (dialect: Dialect): Wire => ({
  ...createTranslator(dialect),
  route: (operation) => routeOf(operation, dialect),
  error(facts, asked) {
    const shape = shapeFor(dialect, facts.status, asked)
    return { media: shape.media, body: fill(shape.template, facts) }
  },
})
