import { wildcardOf } from './attribute-uses.ts'
import type { Component, Components, SchemaFile } from './components.ts'
import { attributeOf, schemaChildren, withName } from './components.ts'
import { occursOf } from './content.ts'
import { identityKinds, identityOf } from './identity-paths.ts'
import type { ElementParticle, Group, Particle, Type, Wildcard } from './model.ts'
import type { ReadElement } from './read-document.ts'
import type { Reading } from './reading.ts'
import { anyType, fail, groupKinds, isTrue, lookUp } from './reading.ts'
import { qualified } from './simple.ts'
import { allowsNamespace, namespaceFor } from './wildcard.ts'

/** Groups, elements and wildcards of a schema. */

export function group(reading: Reading, node: ReadElement, file: SchemaFile): Group {
  const occurs = occursOf(node, file.file)
  const { line, column } = node
  if (node.name === 'group') {
    const ref = attributeOf(node, 'ref') ?? fail('xsd:group needs a ref', file, node)
    const found = lookUp(reading, 'group', ref, node, file)
    const [model] = schemaChildren(found.node, found.file.file)
    if (!model) return fail(`xsd:group ${ref} is empty`, file, node)
    if (reading.opened.has(found)) return fail(`xsd:group ${ref} contains itself`, file, node)
    reading.opened.add(found)
    const inside = group(reading, model, found.file)
    reading.opened.delete(found)
    return { kind: 'sequence', ...occurs, particles: [inside], line, column }
  }
  const particles = schemaChildren(node, file.file).flatMap((each): readonly Particle[] => {
    if (each.name === 'element') return [element(reading, each, file)]
    if (each.name === 'any') return wildcard(reading, each, file)
    if (groupKinds.has(each.name)) return [group(reading, each, file)]
    return fail(`xsd:${each.name} is not supported`, file, each)
  })
  const kind = node.name as Group['kind']
  if (kind === 'choice' && particles.length === 0 && occurs.min > 0) {
    return fail('xsd:choice without a branch can never be met', file, node)
  }
  return { kind, ...occurs, particles, line, column }
}

/** xsd:any: an element that no schema knows where that is allowed, else a global element that it takes. */
function wildcard(reading: Reading, node: ReadElement, file: SchemaFile): Particle[] {
  const allowed = wildcardOf(node, file)
  const occurs = occursOf(node, file.file)
  if (allowed.process !== 'strict') {
    const place = { line: node.line, file: file.file }
    const namespace = namespaceFor(allowed)
    const name = 'any'
    const type = () => anyType
    return [
      {
        kind: 'element',
        name,
        namespace,
        ...occurs,
        wildcard: allowed,
        identities: [],
        ...place,
        type,
      },
    ]
  }
  const known = strictly(reading, allowed)
  if (known) return [{ ...known, ...occurs, wildcard: allowed }]
  if (occurs.min === 0) return []
  return fail('xsd:any processContents="strict": no schema has an element for it', file, node)
}

function strictly({ components, ...reading }: Reading, allowed: Wildcard) {
  const found = components.all.find(
    ({ kind, node, file }) =>
      kind === 'element' &&
      !isTrue(node, 'abstract') &&
      allowsNamespace(allowed, file.targetNamespace),
  )
  return found && globalElement({ components, ...reading }, found)
}

/** A local declaration, or a reference: to one element, or to all that may replace it. */
function element(reading: Reading, node: ReadElement, file: SchemaFile): Particle {
  const ref = attributeOf(node, 'ref')
  const occurs = occursOf(node, file.file)
  if (ref === undefined) return { ...declared(reading, node, file, false), ...occurs }
  const found = lookUp(reading, 'element', ref, node, file)
  const here = { line: node.line, file: file.file }
  const concrete = substitutes(reading.components, found).map((each) =>
    globalElement(reading, each),
  )
  const [only, ...others] = concrete
  if (!only) return fail(`xsd:element ${ref} is abstract, and nothing replaces it`, file, node)
  if (others.length === 0) return { ...only, ...occurs, ...here }
  const { line, column } = node
  return { kind: 'choice', ...occurs, particles: concrete, line, column }
}

/** Head -> the elements that name it as their substitution group, for each schema that was read. */
const groups = new WeakMap<Components, ReadonlyMap<ReadElement, readonly Component[]>>()

/** Found once: a large schema has thousands of elements, and as many references to them. */
function membersOf(components: Components): ReadonlyMap<ReadElement, readonly Component[]> {
  const known = groups.get(components)
  if (known) return known
  const members = new Map<ReadElement, Component[]>()
  for (const each of components.all) {
    const replaces =
      each.kind === 'element' ? attributeOf(each.node, 'substitutionGroup') : undefined
    if (replaces === undefined) continue
    const { namespace, name } = qualified(replaces, each.node, each.file)
    const head = components.find('element', namespace, name)?.node
    if (head) members.set(head, [...(members.get(head) ?? []), each])
  }
  groups.set(components, members)
  return members
}

/** A global element, unless it is abstract, and all elements of its substitution group. */
function substitutes(components: Components, head: Component): Component[] {
  const members = membersOf(components).get(head.node) ?? []
  const below = members.flatMap((member) => substitutes(components, member))
  return isTrue(head.node, 'abstract') ? below : [head, ...below]
}

function declared(
  reading: Reading,
  node: ReadElement,
  file: SchemaFile,
  global: boolean,
): ElementParticle {
  const name = withName(node, file)
  const parts = schemaChildren(node, file.file)
  const inline = parts.find((each) => each.name === 'simpleType' || each.name === 'complexType')
  const identities = parts.filter((each) => identityKinds.some((kind) => kind === each.name))
  for (const each of parts) {
    if (each !== inline && !identities.includes(each)) {
      fail(`xsd:${each.name} is not supported`, file, each)
    }
  }
  const form = attributeOf(node, 'form')
  const inNamespace = global || (form === undefined ? file.elementsQualified : form === 'qualified')
  const fixed = attributeOf(node, 'fixed')
  let type: Type | undefined
  return {
    kind: 'element',
    name,
    namespace: inNamespace ? file.targetNamespace : '',
    min: 1,
    max: 1,
    ...(fixed !== undefined && { fixed }),
    ...(isTrue(node, 'nillable') && { nillable: true as const }),
    identities: identities.map((each) => identityOf(each, file)),
    line: node.line,
    file: file.file,
    type: () => (type ??= reading.typeOf(node, file)),
  }
}

export function globalElement(reading: Reading, component: Component): ElementParticle {
  const known = reading.elements.get(component)
  if (known) return known
  const made = declared(reading, component.node, component.file, true)
  reading.elements.set(component, made)
  return made
}
