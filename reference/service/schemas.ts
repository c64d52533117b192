import type { Dialect } from '../../contract/dialect.ts'
import type { JsonSchema } from '../../contract/types.ts'
import { wireSchemas } from '../../contract/wire-schemas.ts'
import type { Spell } from '../http/spelling.ts'
import { createSpelling } from '../http/spelling.ts'
import type { Validate } from '../http/validate.ts'
import { createValidator } from '../http/validate.ts'

/** What checks and spells the bodies of a dialect. */
export interface Schemas {
  readonly dialect: Dialect
  readonly compile: (schema: JsonSchema) => Validate
  /** Absent where bodies are read exactly. */
  readonly spelling: ((schema: JsonSchema) => Spell) | undefined
}

export const createSchemas = (dialect: Dialect): Schemas => {
  const schemas = wireSchemas(dialect)
  return {
    dialect,
    compile: createValidator(schemas).compile,
    spelling: dialect.loose ? createSpelling(schemas).compile : undefined,
  }
}
