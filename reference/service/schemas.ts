import type { Dialect } from '../../contract/dialect.ts'
import type { JsonSchema } from '../../contract/types.ts'
import type { Spell } from '../http/spelling.ts'
import { createSpelling } from '../http/spelling.ts'
import type { Validate } from '../http/validate.ts'
import { createValidator } from '../http/validate.ts'
import type { WireSchemas } from '../http/wire-schemas.ts'
import { createWireSchemas } from '../http/wire-schemas.ts'

/** What checks and spells the bodies of a dialect. */
export interface Schemas {
  readonly dialect: Dialect
  readonly compile: (schema: JsonSchema) => Validate
  /** The schema of a field in the dialect's words. */
  readonly wire: WireSchemas['of']
  /** Absent where bodies are read exactly. */
  readonly spelling: ((schema: JsonSchema) => Spell) | undefined
}

export const createSchemas = (dialect: Dialect): Schemas => {
  const schemas = createWireSchemas(dialect)
  return {
    dialect,
    compile: createValidator(schemas.all).compile,
    wire: schemas.of,
    spelling: dialect.loose ? createSpelling(schemas.all).compile : undefined,
  }
}
