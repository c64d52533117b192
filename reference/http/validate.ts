import type { JsonSchema } from '../../contract/types.ts'
import { isBase64 } from '../base/crypto.ts'

/**
 * Validation of requests against the contract's schemas: the keywords that those use and no other. A keyword that is
 * not known here stops the service at its start, so that no schema is ever half checked.
 */

export interface Violation {
  /** Dotted path of the field, empty for the whole. */
  readonly path: string
  readonly message: string
}

export type Validate = (value: unknown) => Violation[]

type Check = (value: unknown, path: string, found: Violation[]) => void

const annotations = new Set([
  'description',
  'title',
  'examples',
  'default',
  'deprecated',
  '$id',
  '$schema',
])
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/
const day = /^\d{4}-\d{2}-\d{2}$/

const isDay = (text: string): boolean => {
  if (!day.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) =>
    instant.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text)),
  date: isDay,
  byte: isBase64,
  uri: (text) => URL.canParse(text),
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
}

/** What a format is called in a message; the ids of the formats do not say what is expected. */
const formatNames: Readonly<Record<string, string>> = {
  'date-time': 'a timestamp such as 2026-06-15T08:00:00Z',
  date: 'a date such as 2026-06-15',
  byte: 'Base64',
  uri: 'an address',
  uuid: 'a UUID',
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

const lengthOf = (text: string): number => {
  let length = text.length
  // A pair of surrogates is one code point.
  for (let at = 1; at < text.length; at++) {
    const low = (text.charCodeAt(at) & 0xfc00) === 0xdc00
    if (low && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) length--
  }
  return length
}

const child = (path: string, name: string | number): string =>
  typeof name === 'number' ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
const named = (path: string): string => (path === '' ? 'the body' : `'${path}'`)

type Keyword = (argument: never, compile: (schema: JsonSchema) => Check) => Check

const keywords: Readonly<Record<string, Keyword>> = {
  type: (given: string | readonly string[]) => {
    const allowed = new Set(Array.isArray(given) ? given : [given])
    return (value, path, found) => {
      const type = typeOf(value)
      if (allowed.has(type) || (type === 'integer' && allowed.has('number'))) return
      found.push({
        path,
        message: `${named(path)} must be ${[...allowed].join(' or ')}, not ${type}`,
      })
    }
  },
  required: (names: readonly string[]) => (value, path, found) => {
    if (typeOf(value) !== 'object') return
    for (const name of names) {
      const at = child(path, name)
      if (!Object.hasOwn(value as object, name))
        found.push({ path: at, message: `'${at}' is required` })
    }
  },
  properties: (properties: Readonly<Record<string, JsonSchema>>, compile) => {
    const checks = Object.entries(properties).map(
      ([name, schema]) => [name, compile(schema)] as const,
    )
    return (value, path, found) => {
      if (typeOf(value) !== 'object') return
      for (const [name, check] of checks) {
        if (Object.hasOwn(value as object, name)) {
          check((value as Record<string, unknown>)[name], child(path, name), found)
        }
      }
    }
  },
  additionalProperties: (schema: JsonSchema | boolean, compile) => {
    if (typeof schema === 'boolean') throw new Error('additionalProperties takes a schema here')
    const check = compile(schema)
    return (value, path, found) => {
      if (typeOf(value) !== 'object') return
      for (const [name, item] of Object.entries(value as object))
        check(item, child(path, name), found)
    }
  },
  items: (schema: JsonSchema, compile) => {
    const check = compile(schema)
    return (value, path, found) => {
      if (!Array.isArray(value)) return
      value.forEach((item, at) => check(item, child(path, at), found))
    }
  },
  anyOf: (schemas: readonly JsonSchema[], compile) => {
    const checks = schemas.map(compile)
    return (value, path, found) => {
      let closest: Violation[] | undefined
      for (const check of checks) {
        const mine: Violation[] = []
        check(value, path, mine)
        if (mine.length === 0) return
        if (closest === undefined || mine.length < closest.length) closest = mine
      }
      found.push(...(closest ?? []))
    }
  },
  allOf: (schemas: readonly JsonSchema[], compile) => {
    const checks = schemas.map(compile)
    return (value, path, found) => checks.forEach((check) => check(value, path, found))
  },
  enum: (values: readonly unknown[]) => (value, path, found) => {
    if (!values.includes(value)) {
      found.push({ path, message: `${named(path)} must be one of ${values.join(', ')}` })
    }
  },
  const: (wanted: unknown) => (value, path, found) => {
    if (value !== wanted) found.push({ path, message: `${named(path)} must be ${String(wanted)}` })
  },
  format: (name: string) => {
    const fits = formats[name]
    if (fits === undefined) throw new Error(`the format ${name} is not known`)
    return (value, path, found) => {
      if (typeof value === 'string' && !fits(value)) {
        found.push({ path, message: `${named(path)} is not ${formatNames[name] ?? name}` })
      }
    }
  },
  pattern: (source: string) => {
    const pattern = new RegExp(source, 'u')
    return (value, path, found) => {
      if (typeof value === 'string' && !pattern.test(value)) {
        found.push({ path, message: `${named(path)} has not the required form` })
      }
    }
  },
  minLength: (min: number) => (value, path, found) => {
    if (typeof value === 'string' && value.length < 2 * min && lengthOf(value) < min) {
      found.push({ path, message: `${named(path)} must have at least ${min} characters` })
    }
  },
  maxLength: (max: number) => (value, path, found) => {
    if (typeof value === 'string' && value.length > max && lengthOf(value) > max) {
      found.push({ path, message: `${named(path)} must have at most ${max} characters` })
    }
  },
  minimum: (min: number) => (value, path, found) => {
    if (typeof value === 'number' && value < min) {
      found.push({
        path,
        message: `${named(path)} must be at least ${min}. You entered ${value}`,
      })
    }
  },
  maximum: (max: number) => (value, path, found) => {
    if (typeof value === 'number' && value > max) {
      found.push({ path, message: `${named(path)} must be at most ${max}. You entered ${value}` })
    }
  },
  minItems: (min: number) => (value, path, found) => {
    if (Array.isArray(value) && value.length < min) {
      found.push({ path, message: `${named(path)} must have at least ${min} entries` })
    }
  },
  maxItems: (max: number) => (value, path, found) => {
    if (Array.isArray(value) && value.length > max) {
      found.push({ path, message: `${named(path)} must have at most ${max} entries` })
    }
  },
  uniqueItems: (wanted: boolean) => (value, path, found) => {
    if (!wanted || !Array.isArray(value)) return
    if (new Set(value.map((item) => JSON.stringify(item))).size < value.length) {
      found.push({ path, message: `${named(path)} has an entry twice` })
    }
  },
}

/** Compiles schemas that refer to each other by bare id. */
export const createValidator = (
  schemas: Readonly<Record<string, JsonSchema>>,
): { compile: (schema: JsonSchema) => Validate } => {
  const byId = new Map<string, Check>()
  const compile = (schema: JsonSchema): Check => {
    const checks: Check[] = []
    for (const [keyword, argument] of Object.entries(schema)) {
      if (annotations.has(keyword)) continue
      if (keyword === '$ref') {
        checks.push(reference(String(argument)))
        continue
      }
      const make = keywords[keyword]
      if (make === undefined) throw new Error(`the schema keyword ${keyword} is not known`)
      checks.push(make(argument as never, compile))
    }
    return (value, path, found) => {
      for (const check of checks) check(value, path, found)
    }
  }
  const reference = (id: string): Check => {
    const known = byId.get(id)
    if (known) return known
    const schema = schemas[id]
    if (schema === undefined) throw new Error(`the schema ${id} does not exist`)
    // A schema may refer to itself: the entry is set before it is compiled.
    let check: Check = () => {
      throw new Error(`the schema ${id} is not ready`)
    }
    byId.set(id, (value, path, found) => check(value, path, found))
    check = compile(schema)
    return check
  }
  return {
    compile(schema) {
      const check = compile(schema)
      return (value) => {
        const found: Violation[] = []
        check(value, '', found)
        return found
      }
    },
  }
}
