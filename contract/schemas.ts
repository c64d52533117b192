import type { Resolved, ValueOf } from './schemas/build.ts'
import type { JsonSchema } from './types.ts'
import { auth } from './schemas/auth.ts'
import { certificates } from './schemas/certificates.ts'
import { collectives } from './schemas/collective.ts'
import { limits } from './schemas/limits.ts'
import { permissions } from './schemas/permissions.ts'
import { queries } from './schemas/queries.ts'
import { sessions } from './schemas/sessions.ts'
import { shared } from './schemas/shared.ts'
import { testdata } from './schemas/testdata.ts'

/**
 * Every body of the interface as JSON Schema (draft 2020-12), by id. A `$ref` names another id of this table, so a
 * validator is filled with `addSchema(schema, id)` for each entry. The form is the specification's own; the rows of a
 * dialect state where it differs.
 */
export const schemas = {
  ...shared,
  ...auth,
  ...sessions,
  ...queries,
  ...collectives,
  ...permissions,
  ...certificates,
  ...limits,
  ...testdata,
} as const satisfies Record<string, JsonSchema>

export type SchemaId = keyof typeof schemas

/** The type of the bodies that a schema describes. */
export type BodyOf<Id extends SchemaId> = Resolved<ValueOf<(typeof schemas)[Id]>, typeof schemas>

export const schemaIds = Object.keys(schemas) as SchemaId[]

/** The schema of an id; undefined when the table has none of that name. */
export const schema = (id: string): JsonSchema | undefined =>
  (schemas as Readonly<Record<string, JsonSchema>>)[id]
