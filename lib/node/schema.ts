import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Dialect } from '../../contract/dialect.ts'
import { endpoint } from '../../contract/endpoints.ts'
import { schemas } from '../../contract/schemas.ts'
import { wireSchemas } from '../../contract/wire-schemas.ts'
import type { Exchange } from '../exchange.ts'

/** Judges JSON bodies by the contract's schemas, with ajv. */
export interface SchemaJudge {
  /** What is wrong with a body in the contract's words; empty when nothing is. */
  problems(schema: string, body: unknown): string[]
  /** What is wrong with a body in the dialect's words. */
  wireProblems(schema: string, body: unknown): string[]
  /**
   * What is wrong with the body of an answer, as it came over the wire. Only successful answers of operations with a
   * JSON body are judged here.
   */
  answerProblems(exchange: Exchange): string[]
}

const cache = new Map<Dialect, SchemaJudge>()

/** The judge for a dialect; schemas are compiled when first used. */
export function schemaJudge(dialect: Dialect): SchemaJudge {
  let judge = cache.get(dialect)
  if (judge === undefined) {
    judge = createJudge(dialect)
    cache.set(dialect, judge)
  }
  return judge
}

function createJudge(dialect: Dialect): SchemaJudge {
  // A test checks that the schemas are valid, so programs need not do so whenever they start.
  const canonical = createAjv(schemas, false)
  const wire = createAjv(wireSchemas(dialect), false)
  return {
    problems: (schema, body) => run(canonical, schema, body),
    wireProblems: (schema, body) => run(wire, schema, body),
    answerProblems({ operation, status, text, body }) {
      if (operation === undefined || status < 200 || status > 299) return []
      const { schema } = endpoint(operation).answer
      if (schema === undefined) return []
      return body === undefined
        ? ['the body is not JSON that can be read']
        : run(wire, schema, JSON.parse(text))
    },
  }
}

function createAjv(all: Readonly<Record<string, object>>, validateSchema: boolean): Ajv2020 {
  // Union types are how the schemas write "or null".
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    validateSchema,
    // Files of the toolkit's own name what they may have.
    verbose: validateSchema,
  })
  addFormats.default(ajv)
  for (const [id, schema] of Object.entries(all)) ajv.addSchema(schema, id)
  return ajv
}

function run(ajv: Ajv2020, schema: string, body: unknown): string[] {
  const validate: ValidateFunction | undefined = ajv.getSchema(schema)
  if (validate === undefined) throw new RangeError(`the contract has no schema ${schema}`)
  if (validate(body)) return []
  return (validate.errors ?? []).map(describe)
}

const describe = (error: ErrorObject): string =>
  `${error.instancePath === '' ? 'the body' : error.instancePath} ${reasonOf(error)}`

const reasonOf = ({ message, params, keyword }: ErrorObject): string => {
  const named = ['enum', 'const', 'additionalProperties'].includes(keyword)
  const wanted = named ? JSON.stringify(params) : ''
  // A list of several hundred ids does not help.
  return `${message ?? keyword}${wanted.length > 300 ? '' : ` ${wanted}`}`.trimEnd()
}

/** One violation of a schema. */
export interface Violation {
  /** JSON pointer of the value. */
  readonly pointer: string
  readonly message: string
}

/** A check of values against one schema that stands alone, for files of the toolkit's own. */
export function standaloneCheck(schema: object): (value: unknown) => Violation[] {
  const validate = createAjv({}, true).compile(schema)
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(violationOf))
}

const violationOf = (error: ErrorObject): Violation => {
  const { keyword, instancePath, parentSchema } = error
  if (keyword !== 'additionalProperties') return { pointer: instancePath, message: reasonOf(error) }
  const { additionalProperty } = error.params as { readonly additionalProperty: string }
  const known = Object.keys((parentSchema?.['properties'] ?? {}) as object)
  return {
    pointer: `${instancePath}/${additionalProperty}`,
    message: `is not known; ${known.length === 0 ? 'leave it out' : `known are ${known.join(', ')}`}`,
  }
}

/**
 * Checks values against the schemas inside a foreign OpenAPI 3.1 description, which may use other names.
 * `pointer` is the JSON pointer of a schema, for example `/components/schemas/Error`.
 */
export function describedCheck(description: object): (pointer: string, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
  addFormats.default(ajv)
  ajv.addFormat('byte', true)
  ajv.addSchema(description, 'description')
  return (pointer, value) => {
    const reference = `description#${pointer}`
    const validate = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference })
    return validate(value) === true ? [] : (validate.errors ?? []).map(describe)
  }
}
