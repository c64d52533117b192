import type { Dialect } from './dialect.ts'
import { ksef } from './dialects/ksef.ts'
import { svc } from './dialects/svc.ts'

/** The dialects that come with the project. Another one is a file of the same shape, passed where one is taken. */
export const dialects = { svc, ksef } as const satisfies Record<string, Dialect>

/** A dialect by its id; undefined when there is none of that name. */
export const dialectOf = (id: string): Dialect | undefined =>
  (dialects as Readonly<Record<string, Dialect>>)[id]

/** A dialect exactly as its version of the description has it: without what later versions added. */
export const withoutAdditions = (dialect: Dialect): Dialect => {
  const omits = Object.entries(dialect.addedFields ?? {}).map(([schema, fields]) => [
    schema,
    [...(dialect.omits?.[schema] ?? []), ...fields],
  ])
  return { ...dialect, additions: {}, omits: { ...dialect.omits, ...Object.fromEntries(omits) } }
}
