import type { Json, JsonSchema } from '../types.ts'

/**
 * The few functions that the schemas are written with. Keywords used in the contract: type, properties, required,
 * items, enum, const, anyOf, $ref (by bare id), format, pattern, minLength, maxLength, minimum, maximum, minItems,
 * maxItems, uniqueItems, default, description, examples. No schema forbids fields that it does not name.
 */

declare const value: unique symbol
declare const reference: unique symbol

/** A schema that also tells the compiler the type of its values. */
export type Schema<T> = JsonSchema & { readonly [value]?: T }

/** Values of another schema of the table. */
export interface Ref<Id extends string> {
  readonly [reference]: Id
}

/** The type of the values of a schema, with references unresolved. */
export type ValueOf<S> = typeof value extends keyof S
  ? Exclude<S[typeof value], undefined>
  : S extends { readonly enum: readonly (infer V)[] }
    ? V
    : S extends { readonly type: 'string' }
      ? string
      : S extends { readonly type: 'integer' | 'number' }
        ? number
        : S extends { readonly type: 'boolean' }
          ? boolean
          : unknown

/** A type with its references replaced by the types of `Table`. */
export type Resolved<T, Table> =
  T extends Ref<infer Id>
    ? Id extends keyof Table
      ? Resolved<ValueOf<Table[Id]>, Table>
      : unknown
    : T extends readonly (infer Item)[]
      ? readonly Resolved<Item, Table>[]
      : T extends object
        ? { readonly [Name in keyof T]: Resolved<T[Name], Table> }
        : T

type Fields = Readonly<Record<string, JsonSchema>>
type ObjectOf<Required, Optional> = {
  readonly [Name in keyof Required]: ValueOf<Required[Name]>
} & { readonly [Name in keyof Optional]?: ValueOf<Optional[Name]> }

/** Another schema of the table, by its id. */
export const ref = <const Id extends string>(id: Id): Schema<Ref<Id>> => ({ $ref: id })

/** An object with fields that must be there, fields that may, and one example that validates. */
export const object = <const Required extends Fields, const Optional extends Fields>(
  required: Required,
  optional: Optional,
  example: Json,
): Schema<ObjectOf<Required, Optional>> => ({
  ...inline(required, optional),
  examples: [example],
})

/** A nested object that has no id of its own. */
export const inline = <const Required extends Fields, const Optional extends Fields = {}>(
  required: Required,
  optional?: Optional,
): Schema<ObjectOf<Required, Optional>> => ({
  type: 'object',
  ...(Object.keys(required).length > 0 ? { required: Object.keys(required) } : {}),
  properties: { ...required, ...optional },
})

export const list = <const Item extends JsonSchema>(
  items: Item,
  more: JsonSchema = {},
): Schema<readonly ValueOf<Item>[]> => ({
  type: 'array',
  items,
  ...more,
})

/** The same, or null where there is no value. */
export const maybe = <const S extends JsonSchema>(schema: S): Schema<ValueOf<S> | null> => {
  if (typeof schema['type'] !== 'string' || 'enum' in schema) {
    return { anyOf: [schema, { type: 'null' }] }
  }
  return { ...schema, type: [schema['type'], 'null'] }
}

/** A value of one schema or of the other. */
export const eitherOf = <const A extends JsonSchema, const B extends JsonSchema>(
  a: A,
  b: B,
): Schema<ValueOf<A> | ValueOf<B>> => ({ anyOf: [a, b] })

export const oneOf = <const Value extends string>(
  values: readonly Value[],
  example = values[0],
): Schema<Value> => ({
  type: 'string',
  enum: values,
  examples: [example],
})

/** Text whose length, in code points, lies within bounds. */
export const text = (minLength: number, maxLength: number): Schema<string> => ({
  type: 'string',
  minLength,
  maxLength,
})

/** An identifier and its kind. */
export const identifier = <const Kind extends string>(
  kinds: readonly Kind[],
  minLength: number,
  maxLength: number,
  example: { readonly type: string; readonly value: string },
) => {
  const type: Schema<Kind> = { type: 'string', enum: kinds }
  return object({ type, value: text(minLength, maxLength) }, {}, example)
}

export const string: Schema<string> = { type: 'string' }
export const nonEmpty: Schema<string> = { type: 'string', minLength: 1 }
export const boolean: Schema<boolean> = { type: 'boolean' }
export const number: Schema<number> = { type: 'number' }
export const integer: Schema<number> = { type: 'integer' }
export const count: Schema<number> = { type: 'integer', minimum: 0 }
export const ordinal: Schema<number> = { type: 'integer', minimum: 1 }
export const bytes: Schema<number> = { type: 'integer', minimum: 1 }
export const instant: Schema<string> = { type: 'string', format: 'date-time' }
export const day: Schema<string> = { type: 'string', format: 'date' }
export const base64: Schema<string> = { type: 'string', format: 'byte' }
export const link: Schema<string> = { type: 'string', format: 'uri' }
export const description: Schema<string> = text(5, 256)
