import type { Draw } from '../draw/draw.ts'
import { seededDraw } from '../draw/draw.ts'
import { checkSimple } from './check.ts'
import type { Element } from './document.ts'
import type { IdentityValue } from './identity.ts'
import { brokenIdentities, inOrder, keyOf, tuplesOf } from './identity.ts'
import type { IdentityConstraint, SimpleType } from './model.ts'
import { valuesOf } from './values.ts'

/** Gives elements that were made the values that identity constraints and identifiers ask for. */

/** The elements and attributes of a document whose values were drawn. */
export type DrawnValues = Map<unknown, SimpleType>

const maxTries = 200

/** Elements and attributes are fresh until their document is handed out; only here they change. */
function setValue(node: IdentityValue, value: string): void {
  if ('value' in node) (node as { value: string }).value = value
  else (node as { content: string }).content = value
}

/** Draws the value of a field again until its tuple is new; false where none was found. */
function redrawn(
  values: readonly IdentityValue[],
  seen: ReadonlySet<string>,
  drawn: DrawnValues,
  draw: Draw,
): boolean {
  const typeOf = (value: IdentityValue) => drawn.get(value)
  const field = values.findLast((value) => drawn.has(value))
  if (field === undefined) return false
  const type = drawn.get(field)!
  for (let i = 0; i < maxTries; i++) {
    // While shrinking, choices are all alike: then a seed of its own finds another value.
    setValue(field, valuesOf(type).draw(i < 20 ? draw : seededDraw(i)))
    if (!seen.has(keyOf(values, typeOf))) return true
  }
  return false
}

/** Makes a tuple of references equal to one of the keys. */
function referring(
  values: readonly IdentityValue[],
  keys: readonly (readonly string[])[],
  drawn: DrawnValues,
  draw: Draw,
): void {
  const fitting = keys.filter((key) =>
    key.every((text, i) => {
      const type = drawn.get(values[i])
      return type !== undefined && checkSimple(type, text) === undefined
    }),
  )
  if (fitting.length === 0) return
  const key = draw.pick(fitting)
  for (const [i, value] of values.entries()) setValue(value, key[i]!)
}

/**
 * Draws values again until the constraints of an element hold.
 *
 * @returns the constraint that does not hold all the same
 */
export function honour(
  element: Element,
  constraints: readonly IdentityConstraint[],
  drawn: DrawnValues,
  draw: Draw,
): IdentityConstraint | undefined {
  const typeOf = (value: IdentityValue) => drawn.get(value)
  const keys = new Map<string, (readonly string[])[]>()
  for (const constraint of inOrder(constraints)) {
    const seen = new Set<string>()
    const texts: (readonly string[])[] = []
    keys.set(constraint.name, texts)
    for (const { values } of tuplesOf(element, constraint)) {
      const complete = values.filter((value) => value !== undefined)
      if (complete.length < values.length) continue
      if (constraint.kind === 'keyref') {
        referring(complete, keys.get(constraint.refer ?? '') ?? [], drawn, draw)
      } else if (seen.has(keyOf(complete, typeOf))) redrawn(complete, seen, drawn, draw)
      seen.add(keyOf(complete, typeOf))
      texts.push(
        complete.map((value) => ('value' in value ? value.value : (value.content as string))),
      )
    }
  }
  return brokenIdentities(element, constraints, typeOf)[0]?.constraint
}

const idKind = (type: SimpleType) =>
  type.kind === 'atomic'
    ? type.id
    : type.kind === 'list' && type.item.kind === 'atomic'
      ? type.item.id
      : undefined

/** Makes every xsd:ID of a document unique and every xsd:IDREF one of them; false where there is none to refer to. */
export function identify(drawn: DrawnValues, draw: Draw): boolean {
  const ids: string[] = []
  const values = [...drawn] as [IdentityValue, SimpleType][]
  for (const [node, type] of values) {
    if (idKind(type) !== 'ID') continue
    const id = `id-${ids.length + 1}`
    ids.push(id)
    setValue(node, id)
  }
  const references = values.filter(([, type]) => idKind(type) === 'IDREF')
  if (references.length > 0 && ids.length === 0) return false
  for (const [node] of references) setValue(node, draw.pick(ids))
  return true
}
