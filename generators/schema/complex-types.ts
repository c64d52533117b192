import type { Attributes } from './attribute-uses.ts'
import { attributesOf, override } from './attribute-uses.ts'
import { xsdNamespace } from './builtins.ts'
import type { Component, SchemaFile } from './components.ts'
import { attributeOf, schemaChildren } from './components.ts'
import type { ComplexType, Group, Type } from './model.ts'
import { isSimple } from './model.ts'
import { globalElement, group } from './particles.ts'
import type { ReadElement } from './read-document.ts'
import type { Reading } from './reading.ts'
import { anyType, fail, groupKinds, isTrue, lookUp } from './reading.ts'
import { qualified, restricted } from './simple.ts'

/** Complex types of a schema: their attributes and content, and how they are derived. */

function typeNamed(reading: Reading, text: string, node: ReadElement, file: SchemaFile): Type {
  const name = qualified(text, node, file)
  if (name.namespace === xsdNamespace && name.name === 'anyType') return anyType
  const found = reading.simple.named(name)
  if (found) return found
  const component = reading.components.find('complexType', name.namespace, name.name)
  if (!component) return fail(`type ${text} is not known or not supported`, file, node)
  return namedComplex(reading, component, name.name)
}

export function namedComplex(reading: Reading, component: Component, name: string): ComplexType {
  const known = reading.complexTypes.get(component)
  if (known) return known
  const { node, file } = component
  if (reading.opened.has(component)) fail(`type ${name} is derived from itself`, file, node)
  reading.opened.add(component)
  const type = complex(reading, node, file, name)
  reading.opened.delete(component)
  reading.complexTypes.set(component, type)
  return type
}

function complex(
  reading: Reading,
  node: ReadElement,
  file: SchemaFile,
  name?: string,
): ComplexType {
  const parts = schemaChildren(node, file.file)
  const [first, ...rest] = parts
  const call = {
    ...(name !== undefined && { name }),
    ...(isTrue(node, 'mixed') && { mixed: true as const }),
  }
  if (first?.name === 'simpleContent' || first?.name === 'complexContent') {
    const [how] = schemaChildren(first, file.file)
    if (!how || rest.length > 0) return fail('one derivation is expected', file, first)
    const mixed = isTrue(first, 'mixed') ? { mixed: true as const } : {}
    const read = first.name === 'simpleContent' ? simpleContent : complexContent
    return { ...read(reading, how, file), ...call, ...mixed }
  }
  const model = first && groupKinds.has(first.name) ? group(reading, first, file) : undefined
  const { uses, any } = attributesIn(reading, model ? rest : parts, file)
  return {
    kind: 'complex',
    ...call,
    attributes: override([], uses),
    ...(any && { anyAttribute: any }),
    content: model,
  }
}

const attributesIn = (
  { components, simple }: Reading,
  nodes: readonly ReadElement[],
  file: SchemaFile,
): Attributes => attributesOf(nodes, file, components, simple)

function baseOf(reading: Reading, how: ReadElement, file: SchemaFile): Type {
  const name = attributeOf(how, 'base') ?? fail(`xsd:${how.name} needs a base`, file, how)
  return typeNamed(reading, name, how, file)
}

/** The attributes of a derived type: those of its base, and its own. */
function derivedAttributes(
  base: Type,
  { uses, any }: Attributes,
  restricts: boolean,
): Pick<ComplexType, 'attributes' | 'anyAttribute'> {
  const inherited = base.kind === 'complex' ? base : undefined
  const wildcard = any ?? (restricts ? undefined : inherited?.anyAttribute)
  return {
    attributes: override(inherited?.attributes ?? [], uses),
    ...(wildcard && { anyAttribute: wildcard }),
  }
}

function simpleContent(reading: Reading, how: ReadElement, file: SchemaFile): ComplexType {
  const base = baseOf(reading, how, file)
  const restricts = how.name === 'restriction'
  const parts = schemaChildren(how, file.file)
  const own = parts.filter((each) => /^(?:any)?attribute/i.test(each.name))
  const nested = parts.find((each) => each.name === 'simpleType')
  const facets = parts.filter((each) => !own.includes(each) && each !== nested)
  const inherited = base.kind === 'complex' ? base.content : base
  const content = nested ? reading.simple.defined(nested, file) : inherited
  if (!content || !isSimple(content)) {
    return fail(`${attributeOf(how, 'base')} has no simple content`, file, how)
  }
  if (!restricts && facets.length > 0) {
    fail(`xsd:${facets[0]!.name} is not supported here`, file, facets[0]!)
  }
  return {
    kind: 'complex',
    base,
    ...derivedAttributes(base, attributesIn(reading, own, file), restricts),
    content: restricts ? restricted(content, facets, file) : content,
  }
}

function complexContent(reading: Reading, how: ReadElement, file: SchemaFile): ComplexType {
  const base = baseOf(reading, how, file)
  const restricts = how.name === 'restriction'
  if (base.kind !== 'complex') return fail(`${base.name} is not a complex type`, file, how)
  if (base.content && isSimple(base.content)) {
    return fail(`${attributeOf(how, 'base')} has simple content`, file, how)
  }
  const parts = schemaChildren(how, file.file)
  const [first, ...rest] = parts
  const model = first && groupKinds.has(first.name) ? group(reading, first, file) : undefined
  const attributes = derivedAttributes(
    base,
    attributesIn(reading, model ? rest : parts, file),
    restricts,
  )
  const particles = [restricts ? undefined : base.content, model].filter(
    (each) => each !== undefined,
  )
  const content: Group | undefined =
    particles.length > 1
      ? { kind: 'sequence', min: 1, max: 1, particles, line: how.line, column: how.column }
      : particles[0]
  const mixed = base.mixed && base !== anyType ? { mixed: true as const } : {}
  return { kind: 'complex', base, ...attributes, content, ...mixed }
}

/** The type of an element declaration: named, its own, or that of the head of its substitution group. */
export function typeOfElement(reading: Reading, node: ReadElement, file: SchemaFile): Type {
  const typeName = attributeOf(node, 'type')
  if (typeName !== undefined) {
    const { namespace, name } = qualified(typeName, node, file)
    const found = reading.components.find('complexType', namespace, name)
    if (found && isTrue(found.node, 'abstract')) {
      fail(`abstract type ${typeName} needs xsi:type, which is not supported`, file, node)
    }
    return typeNamed(reading, typeName, node, file)
  }
  const inline = schemaChildren(node, file.file).find(({ name }) => name.endsWith('Type'))
  if (inline?.name === 'simpleType') return reading.simple.defined(inline, file)
  if (inline) return complex(reading, inline, file)
  const head = attributeOf(node, 'substitutionGroup')
  if (head === undefined) return anyType
  return globalElement(reading, lookUp(reading, 'element', head, node, file)).type()
}
