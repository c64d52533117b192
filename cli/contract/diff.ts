import type { Dialect, DifferenceKind } from '../../contract/dialect.ts'
import { openapi } from '../../contract/openapi.ts'
import { readDescription } from './description.ts'
import type { Described, Field } from './description.ts'

/** What a target's published OpenAPI description has otherwise than the contract, in a dialect. */

export interface Difference {
  readonly kind: DifferenceKind
  /** A client that keeps to the contract may fail on it. */
  readonly breaking: boolean
  /** Operation, part and path of the field, for example `POST /tokens request.permissions[]`. */
  readonly where: string
  /** As the contract has it, in words; absent when it has nothing there. */
  readonly expected?: string
  /** As the description has it, in words; absent when it has nothing there. */
  readonly found?: string
  /** Why the dialect expects this difference; it then breaks nothing. */
  readonly accepted?: string
}

/**
 * Compares a published description with the contract.
 * @param published an OpenAPI document (3.0 or 3.1), parsed
 * @returns differences, breaking ones first, those that the dialect accepts last, each group in the contract's order
 * @throws {Explained} when `published` is no OpenAPI document
 */
export function diffOpenApi(published: unknown, dialect: Dialect): Difference[] {
  const expected = readDescription(openapi(dialect))
  const found = readDescription(published)
  const differences: Difference[] = []
  for (const [name, operation] of expected) {
    const other = found.get(name)
    if (other === undefined) {
      differences.push({
        kind: 'operation-removed',
        breaking: true,
        where: name,
        expected: operation.id ?? name,
      })
    } else differences.push(...diffOperation(name, operation, other))
  }
  for (const [name, operation] of found) {
    if (!expected.has(name)) {
      differences.push({
        kind: 'operation-added',
        breaking: false,
        where: name,
        found: operation.id ?? name,
      })
    }
  }
  const judged = differences.map((difference) => accept(difference, dialect))
  return [
    ...judged.filter(({ breaking }) => breaking),
    ...judged.filter(({ breaking, accepted }) => !breaking && accepted === undefined),
    ...judged.filter(({ accepted }) => accepted !== undefined),
  ]
}

function accept(difference: Difference, dialect: Dialect): Difference {
  const row = dialect.accepted?.find(
    ({ kinds, where }) => kinds.includes(difference.kind) && where.test(difference.where),
  )
  return row === undefined ? difference : { ...difference, breaking: false, accepted: row.reason }
}

function diffOperation(name: string, expected: Described, found: Described): Difference[] {
  const differences: Difference[] = []
  const one = (kind: DifferenceKind, breaking: boolean, part: string, a: unknown, b: unknown) => {
    if (a !== b) differences.push({ kind, breaking, where: `${name} ${part}`, ...both(a, b) })
  }
  one('status-changed', true, 'answer', expected.status, found.status)
  one('bearer-changed', !expected.bearer, 'bearer', expected.bearer, found.bearer)
  one('media-changed', true, 'request', expected.request.media, found.request.media)
  one('media-changed', true, 'answer', expected.answer.media, found.answer.media)
  for (const part of ['parameters', 'request', 'answer'] as const) {
    differences.push(...diffFields(name, part, expected[part].fields, found[part].fields))
  }
  return differences
}

const both = (a: unknown, b: unknown): Pick<Difference, 'expected' | 'found'> => ({
  ...(a === undefined ? {} : { expected: inWords(a) }),
  ...(b === undefined ? {} : { found: inWords(b) }),
})

const inWords = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${inner ?? 'open'}`)
    .join(', ')
}

type Part = 'parameters' | 'request' | 'answer'

function diffFields(
  name: string,
  part: Part,
  expected: ReadonlyMap<string, Field>,
  found: ReadonlyMap<string, Field>,
): Difference[] {
  const differences: Difference[] = []
  // What lies below a field that was removed or added is not reported again.
  const reported: string[] = []
  const below = (path: string) =>
    reported.some((start) => path.startsWith(`${start}.`) || path.startsWith(`${start}[]`))
  for (const [path, field] of expected) {
    if (below(path)) continue
    const other = found.get(path)
    const where = `${name} ${part}${path === '' ? '' : `.${path}`}`
    if (other !== undefined) differences.push(...diffField(where, part, field, other))
    else {
      reported.push(path)
      differences.push({ kind: 'field-removed', breaking: true, where, expected: field.type })
    }
  }
  for (const [path, field] of found) {
    if (expected.has(path) || below(path)) continue
    reported.push(path)
    const where = `${name} ${part}${path === '' ? '' : `.${path}`}`
    const breaking = part !== 'answer' && field.required
    differences.push({
      kind: breaking ? 'required-added' : 'field-added',
      breaking,
      where,
      found: field.type,
    })
  }
  return differences
}

function diffField(where: string, part: Part, expected: Field, found: Field): Difference[] {
  const differences: Difference[] = []
  const add = (kind: DifferenceKind, breaking: boolean, a: unknown, b: unknown) =>
    differences.push({ kind, breaking, where, ...both(a, b) })
  const sent = part !== 'answer'
  if (expected.required !== found.required) {
    if (found.required) add('required-added', sent, false, true)
    else add('required-removed', !sent, true, false)
  }
  if (expected.type !== found.type) {
    add('type-changed', true, expected.type, found.type)
    return differences
  }
  if (expected.format !== found.format) add('format-changed', false, expected.format, found.format)
  if (expected.pattern !== found.pattern) {
    add('pattern-changed', false, expected.pattern, found.pattern)
  }
  diffEnum(expected.values, found.values, sent, add)
  for (const [bound, direction] of Object.entries(directions)) {
    const a = expected.bounds[bound]
    const b = found.bounds[bound]
    if (a === b) continue
    const narrower = a === undefined || (b !== undefined && (b - a) * direction > 0)
    add(
      narrower ? 'bounds-narrowed' : 'bounds-widened',
      narrower && sent,
      { [bound]: a },
      { [bound]: b },
    )
  }
  return differences
}

/** A greater lower bound is narrower, and so is a smaller upper one. */
const directions: Readonly<Record<string, 1 | -1>> = {
  minLength: 1,
  minimum: 1,
  minItems: 1,
  maxLength: -1,
  maximum: -1,
  maxItems: -1,
}

function diffEnum(
  expected: readonly unknown[] | undefined,
  found: readonly unknown[] | undefined,
  sent: boolean,
  add: (kind: DifferenceKind, breaking: boolean, a: unknown, b: unknown) => void,
): void {
  if (found === undefined) {
    if (expected !== undefined) add('enum-widened', false, expected, undefined)
    return
  }
  if (expected === undefined) {
    add('enum-narrowed', sent, undefined, found)
    return
  }
  const gone = expected.filter((value) => !found.includes(value))
  const more = found.filter((value) => !expected.includes(value))
  if (gone.length > 0) add('enum-narrowed', true, gone, undefined)
  if (more.length > 0) add('enum-widened', false, undefined, more)
}
