import type { Dialect } from '../../contract/dialect.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { operationIds } from '../../contract/endpoints.ts'
import { absence, wireOperation } from '../../lib/wire.ts'

/** Which operation of the contract a request on the wire is, and with which values in its path. */

export interface Routed {
  readonly operation: OperationId
  readonly parameters: Readonly<Record<string, string>>
}

export type Route = (method: string, path: string) => Routed | undefined

interface Row {
  readonly method: string
  readonly pattern: RegExp
  readonly names: readonly string[]
  readonly operation: OperationId
  readonly literals: number
}

const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)

function rowOf(operation: OperationId, method: string, path: string): Row {
  const names: string[] = []
  const source = path
    .split(/(\{[^}]+\})/)
    .map((piece) => {
      if (!piece.startsWith('{')) return escaped(piece)
      names.push(piece.slice(1, -1))
      return '([^/]+)'
    })
    .join('')
  // Clients join addresses in several ways: a trailing slash makes no difference.
  const pattern = new RegExp(`^${source}/?$`, 'i')
  return { method, pattern, names, operation, literals: path.replace(/\{[^}]+\}/g, '').length }
}

/** A router for the paths of a dialect below its prefix; paths at the origin are found too. */
export function createRoutes(dialect: Dialect): Route {
  const rows = operationIds
    .filter((operation) => absence(operation, dialect) === undefined)
    .flatMap((operation) => {
      const wire = wireOperation(operation, dialect)
      return [wire.path, ...wire.aliases].map((path) => rowOf(operation, wire.method, path))
    })
    // Literal paths before those with parameters.
    .toSorted((a, b) => b.literals - a.literals)
  return (method, path) => {
    const below = path.startsWith(dialect.prefix) ? path.slice(dialect.prefix.length) : path
    for (const row of rows) {
      if (row.method !== method) continue
      const found = row.pattern.exec(below)
      if (found === null) continue
      const values = row.names.map((name, place) => [name, decoded(found[place + 1] ?? '')])
      return { operation: row.operation, parameters: Object.fromEntries(values) }
    }
    return undefined
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
