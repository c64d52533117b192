import type { JsonSchema } from '../../contract/types.ts'

/**
 * Lenient reading of bodies: names of properties and words of enumerations in any case become those of the schemas, and
 * a day becomes the instant at which it begins. Published clients rely on this behaviour of the public service: one
 * writes every name with a capital, another `nip`, and two ask for invoices by days.
 */

/** A value as the schema spells it; the same value where nothing is to be changed. */
export type Spell = (value: unknown) => unknown

interface Property {
  readonly name: string
  readonly spell: Spell | undefined
}

const properties = (entries: readonly Property[]): Spell => {
  const exact = new Map(entries.map((entry) => [entry.name, entry]))
  const folded = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const given = value as Readonly<Record<string, unknown>>
    let out: Record<string, unknown> | undefined
    for (const name of Object.keys(given)) {
      const entry = exact.get(name) ?? folded.get(name.toLowerCase())
      if (entry === undefined) continue
      const item = given[name]
      const spelled = entry.spell === undefined ? item : entry.spell(item)
      if (out === undefined && entry.name === name && spelled === item) continue
      out ??= { ...given }
      if (entry.name !== name) delete out[name]
      // Of two spellings of one name the last one counts.
      out[entry.name] = spelled
    }
    return out ?? value
  }
}

const items = (spell: Spell): Spell => {
  return (value) => {
    if (!Array.isArray(value)) return value
    const spelled = value.map(spell)
    return spelled.some((item, at) => item !== value[at]) ? spelled : value
  }
}

const words = (values: readonly unknown[]): Spell | undefined => {
  const own = values.filter((value) => typeof value === 'string')
  if (own.length === 0) return undefined
  const exact = new Set(own)
  const folded = new Map(own.map((word) => [word.toLowerCase(), word]))
  return (value) =>
    typeof value !== 'string' || exact.has(value)
      ? value
      : (folded.get(value.toLowerCase()) ?? value)
}

const day = /^\d{4}-\d{2}-\d{2}$/

/** Without an offset: it is read as local time, like any other instant that has none. */
const instants: Spell = (value) =>
  typeof value === 'string' && day.test(value) ? `${value}T00:00:00` : value

/** Compiles schemas that refer to each other by bare id. */
export const createSpelling = (
  schemas: Readonly<Record<string, JsonSchema>>,
): { compile: (schema: JsonSchema) => Spell } => {
  const byId = new Map<string, Spell>()

  const reference = (id: string): Spell => {
    const known = byId.get(id)
    if (known !== undefined) return known
    // A schema may refer to itself: the entry is set before it is compiled.
    let spell: Spell | undefined
    const entry: Spell = (value) => (spell === undefined ? value : spell(value))
    byId.set(id, entry)
    spell = compile(schemas[id] ?? {})
    return entry
  }

  const steps = (keyword: string, argument: unknown): readonly (Spell | undefined)[] => {
    if (keyword === '$ref') return [reference(String(argument))]
    if (keyword === 'anyOf' || keyword === 'allOf') return (argument as JsonSchema[]).map(compile)
    if (keyword === 'items') {
      const spell = compile(argument as JsonSchema)
      return [spell && items(spell)]
    }
    if (keyword === 'enum') return [words(argument as readonly unknown[])]
    if (keyword === 'format') return [argument === 'date-time' ? instants : undefined]
    if (keyword === 'const') return [words([argument])]
    if (keyword !== 'properties') return []
    const entries = Object.entries(argument as Readonly<Record<string, JsonSchema>>)
    return [properties(entries.map(([name, schema]) => ({ name, spell: compile(schema) })))]
  }

  /** Undefined where nothing in the schema has a spelling. */
  const compile = (schema: JsonSchema): Spell | undefined => {
    const all = Object.entries(schema)
      .flatMap(([keyword, argument]) => steps(keyword, argument))
      .filter((step) => step !== undefined)
    const [first] = all
    if (all.length < 2) return first
    return (value) => all.reduce((spelled, step) => step(spelled), value)
  }

  return { compile: (schema) => compile(schema) ?? ((value) => value) }
}
