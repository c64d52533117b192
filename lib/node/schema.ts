import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Dialect } from '../../contract/dialect.ts'
import { endpoint } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { schemas } from '../../contract/schemas.ts'
import type { Exchange } from '../exchange.ts'

/** Judges JSON bodies by the contract's schemas, with ajv. */
export interface SchemaJudge {
  /** What is wrong with a body in the contract's words; empty when nothing is. */
  problems(schema: string, body: unknown): string[]
  /**
   * What is wrong with the body of an answer. A successful answer is judged by the schema of its operation, and where
   * the dialect has a schema of its own for it, as it came over the wire; other answers are not judged here.
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
  const canonical = createAjv(schemas)
  const wire = createAjv({ ...schemas, ...dialect.schemas })

  return {
    problems: (schema, body) => run(canonical, schema, body),
    answerProblems(exchange) {
      const { operation, status, text, body } = exchange
      if (operation === undefined || status < 200 || status > 299) return []
      const { schema } = endpoint(operation).answer
      if (schema === undefined) return []
      if (body === undefined) return ['the body is no JSON']
      return Object.hasOwn(dialect.schemas, schema)
        ? run(wire, schema, JSON.parse(text))
        : run(canonical, schema, body)
    },
  }
}

/** The schema of an operation's answer, or undefined when it has no JSON body. */
export const answerSchema = (operation: OperationId): string | undefined =>
  endpoint(operation).answer.schema

function createAjv(all: Readonly<Record<string, object>>): Ajv2020 {
  // Union types are how the schemas write "or null".
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
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

const describe = ({ instancePath, message, params, keyword }: ErrorObject): string => {
  const place = instancePath === '' ? 'the body' : instancePath
  const named = ['enum', 'const', 'additionalProperties'].includes(keyword)
  const wanted = named ? JSON.stringify(params) : ''
  // A list of some hundred ids helps nobody.
  return `${place} ${message ?? keyword}${wanted.length > 300 ? '' : ` ${wanted}`}`.trimEnd()
}

/** A check of values against one schema that stands alone, for files of the toolkit's own. */
export function standaloneCheck(schema: object): (value: unknown) => string[] {
  const validate = createAjv({}).compile(schema)
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(describe))
}
