import { xsdNamespace } from './builtins.ts'
import type {
  Component,
  ComponentKind,
  SchemaFile,
  SchemaLoader,
  SchemaSource,
} from './components.ts'
import { attributeOf, readComponents, schemaChildren } from './components.ts'
import type {
  AttributeUse,
  ComplexType,
  ElementParticle,
  Group,
  Particle,
  Schema,
  SimpleType,
  Type,
} from './model.ts'
import { inspect, occursOf, override, uniqueOf } from './content.ts'
import { isSimple, SchemaError } from './model.ts'
import type { ReadElement } from './reader.ts'
import { qualified, simpleTypes } from './simple.ts'

const groupKinds = new Set(['sequence', 'choice', 'all', 'group'])

/**
 * Reads a schema into a model, every name resolved and every type looked at.
 *
 * @throws SchemaError naming the construct, file and line of what is not supported or contradicts itself
 */
export function parseSchema(source: SchemaSource, load: SchemaLoader = () => undefined): Schema {
  const components = readComponents(source, load)
  const simple = simpleTypes(components)
  const complexTypes = new Map<Component, ComplexType>()
  const elements = new Map<Component, ElementParticle>()
  /** Types and groups that are being read. */
  const opened = new Set<Component>()

  const fail = (message: string, file: SchemaFile, node: ReadElement): never => {
    throw new SchemaError(message, file.file, node.line)
  }
  const refuse = (node: ReadElement, file: SchemaFile, names: readonly string[]) => {
    for (const name of names) {
      const value = attributeOf(node, name)
      if (value !== undefined && value !== 'false') {
        fail(`${name}="${value}" of xsd:${node.name} is not supported`, file, node)
      }
    }
  }
  const lookUp = (kind: ComponentKind, text: string, node: ReadElement, file: SchemaFile) => {
    const { namespace, name } = qualified(text, node, file)
    return (
      components.find(kind, namespace, name) ?? fail(`xsd:${kind} ${text} is not known`, file, node)
    )
  }

  const typeNamed = (text: string, node: ReadElement, file: SchemaFile): Type => {
    const name = qualified(text, node, file)
    if (name.namespace === xsdNamespace && name.name === 'anyType') {
      return fail('xsd:anyType is not supported', file, node)
    }
    const found = simple.named(name)
    if (found) return found
    const component = components.find('complexType', name.namespace, name.name)
    if (!component) return fail(`type ${text} is not known or not supported`, file, node)
    return namedComplex(component, name.name)
  }

  const namedComplex = (component: Component, name: string): ComplexType => {
    const known = complexTypes.get(component)
    if (known) return known
    const { node, file } = component
    if (opened.has(component)) return fail(`type ${name} is derived from itself`, file, node)
    opened.add(component)
    const type = complex(node, file, name)
    opened.delete(component)
    complexTypes.set(component, type)
    return type
  }

  const attributeUse = (node: ReadElement, file: SchemaFile): AttributeUse => {
    const use = attributeOf(node, 'use')
    const ref = attributeOf(node, 'ref')
    const at = ref === undefined ? { node, file } : lookUp('attribute', ref, node, file)
    const name = attributeOf(at.node, 'name') ?? fail('xsd:attribute needs a name', file, node)
    const typeName = attributeOf(at.node, 'type')
    const [inline] = schemaChildren(at.node, at.file.file)
    const type =
      typeName === undefined
        ? inline
          ? simple.defined(inline, at.file)
          : simple.named({ namespace: xsdNamespace, name: 'string' })
        : simple.named(qualified(typeName, at.node, at.file))
    if (!type)
      return fail(`type ${typeName} of attribute ${name} is not known or not supported`, file, node)
    const form = attributeOf(at.node, 'form')
    const inNamespace =
      ref !== undefined || (form === undefined ? at.file.attributesQualified : form === 'qualified')
    const fixed = attributeOf(node, 'fixed') ?? attributeOf(at.node, 'fixed')
    return {
      name,
      namespace: inNamespace ? at.file.targetNamespace : '',
      type,
      required: use === 'required',
      ...(fixed !== undefined && { fixed }),
      ...(use === 'prohibited' && { prohibited: true as const }),
      line: node.line,
      file: file.file,
    }
  }

  const attributesOf = (nodes: readonly ReadElement[], file: SchemaFile): AttributeUse[] =>
    nodes.flatMap((node) => {
      if (node.name === 'attribute') return attributeUse(node, file)
      if (node.name === 'attributeGroup') {
        const ref = attributeOf(node, 'ref') ?? fail('xsd:attributeGroup needs a ref', file, node)
        const found = lookUp('attributeGroup', ref, node, file)
        return attributesOf(schemaChildren(found.node, found.file.file), found.file)
      }
      return fail(`xsd:${node.name} is not supported here`, file, node)
    })

  const group = (node: ReadElement, file: SchemaFile): Group => {
    const occurs = occursOf(node, file.file)
    const { line, column } = node
    if (node.name === 'group') {
      const ref = attributeOf(node, 'ref') ?? fail('xsd:group needs a ref', file, node)
      const found = lookUp('group', ref, node, file)
      const [model] = schemaChildren(found.node, found.file.file)
      if (!model) return fail(`xsd:group ${ref} is empty`, file, node)
      if (opened.has(found)) return fail(`xsd:group ${ref} contains itself`, file, node)
      opened.add(found)
      const inside = group(model, found.file)
      opened.delete(found)
      return { kind: 'sequence', ...occurs, particles: [inside], line, column }
    }
    const particles = schemaChildren(node, file.file).map((each): Particle => {
      if (each.name === 'element') return element(each, file)
      if (groupKinds.has(each.name)) return group(each, file)
      return fail(`xsd:${each.name} is not supported`, file, each)
    })
    const kind = node.name as Group['kind']
    if (kind === 'choice' && particles.length === 0 && occurs.min > 0) {
      return fail('xsd:choice without a branch can never be met', file, node)
    }
    return { kind, ...occurs, particles, line, column }
  }

  const complex = (node: ReadElement, file: SchemaFile, name?: string): ComplexType => {
    refuse(node, file, ['mixed', 'abstract'])
    const parts = schemaChildren(node, file.file)
    const [first, ...rest] = parts
    const call = name === undefined ? {} : { name }
    if (first?.name === 'simpleContent' || first?.name === 'complexContent') {
      refuse(first, file, ['mixed'])
      const [how] = schemaChildren(first, file.file)
      if (!how || rest.length > 0) return fail('one derivation is expected', file, first)
      return { ...derived(first, how, file), ...call }
    }
    const model = first && groupKinds.has(first.name) ? group(first, file) : undefined
    return {
      kind: 'complex',
      ...call,
      attributes: override([], attributesOf(model ? rest : parts, file)),
      content: model,
    }
  }

  /** simpleContent and complexContent, by extension or restriction. */
  const derived = (outer: ReadElement, how: ReadElement, file: SchemaFile): ComplexType => {
    const baseName = attributeOf(how, 'base') ?? fail(`xsd:${how.name} needs a base`, file, how)
    const anyType = qualified(baseName, how, file)
    const base: Type =
      anyType.namespace === xsdNamespace && anyType.name === 'anyType'
        ? { kind: 'complex', attributes: [], content: undefined }
        : typeNamed(baseName, how, file)
    const parts = schemaChildren(how, file.file)
    const inherited = base.kind === 'complex' ? base.attributes : []
    if (outer.name === 'simpleContent') {
      const content = base.kind === 'complex' ? base.content : base
      if (!content || !isSimple(content)) {
        return fail(`${baseName} has no simple content`, file, how)
      }
      const own = parts.filter((each) => each.name.startsWith('attribute'))
      const facets = parts.filter((each) => !own.includes(each))
      if (how.name === 'extension' && facets.length > 0) {
        return fail(`xsd:${facets[0]!.name} is not supported here`, file, facets[0]!)
      }
      return {
        kind: 'complex',
        attributes: override(inherited, attributesOf(own, file)),
        content: how.name === 'restriction' ? simple.restricted(content, facets, file) : content,
      }
    }
    if (base.kind !== 'complex') return fail(`${baseName} is not a complex type`, file, how)
    if (base.content && isSimple(base.content))
      return fail(`${baseName} has simple content`, file, how)
    const [first, ...rest] = parts
    const model = first && groupKinds.has(first.name) ? group(first, file) : undefined
    const attributes = override(inherited, attributesOf(model ? rest : parts, file))
    if (how.name === 'restriction') return { kind: 'complex', attributes, content: model }
    const particles = [base.content, model].filter((each) => each !== undefined)
    const content: Group | undefined =
      particles.length > 1
        ? { kind: 'sequence', min: 1, max: 1, particles, line: how.line, column: how.column }
        : particles[0]
    return { kind: 'complex', attributes, content }
  }

  const element = (node: ReadElement, file: SchemaFile): ElementParticle => {
    const ref = attributeOf(node, 'ref')
    if (ref !== undefined) {
      const found = lookUp('element', ref, node, file)
      const here = { line: node.line, file: file.file }
      return { ...globalElement(found), ...occursOf(node, file.file), ...here }
    }
    return { ...declared(node, file, false), ...occursOf(node, file.file) }
  }

  const declared = (node: ReadElement, file: SchemaFile, global: boolean): ElementParticle => {
    refuse(node, file, ['abstract', 'substitutionGroup', 'nillable'])
    const name = attributeOf(node, 'name') ?? fail('xsd:element needs a name', file, node)
    const typeName = attributeOf(node, 'type')
    const parts = schemaChildren(node, file.file)
    for (const each of parts) {
      if (!['simpleType', 'complexType', 'unique'].includes(each.name)) {
        fail(`xsd:${each.name} is not supported`, file, each)
      }
    }
    const inline = parts.find((each) => each.name !== 'unique')
    const unique = parts
      .filter((each) => each.name === 'unique')
      .map((each) => uniqueOf(each, file.file))
    if (typeName === undefined && !inline) fail(`element ${name} has no type`, file, node)
    const form = attributeOf(node, 'form')
    const inNamespace =
      global || (form === undefined ? file.elementsQualified : form === 'qualified')
    const fixed = attributeOf(node, 'fixed')
    let type: Type | undefined
    return {
      kind: 'element',
      name,
      namespace: inNamespace ? file.targetNamespace : '',
      min: 1,
      max: 1,
      ...(fixed !== undefined && { fixed }),
      unique,
      line: node.line,
      file: file.file,
      type: () =>
        (type ??=
          typeName !== undefined
            ? typeNamed(typeName, node, file)
            : inline!.name === 'simpleType'
              ? simple.defined(inline!, file)
              : complex(inline!, file)),
    }
  }

  const globalElement = (component: Component): ElementParticle => {
    const known = elements.get(component)
    if (known) return known
    const made = declared(component.node, component.file, true)
    elements.set(component, made)
    return made
  }

  const roots = new Map<string, ElementParticle>()
  const named = new Map<string, () => SimpleType>()
  for (const { kind, name, node, file } of components.all) {
    const component = components.find(kind, file.targetNamespace, name)!
    if (kind === 'element') {
      const made = globalElement(component)
      if (file.targetNamespace === components.main.targetNamespace) roots.set(name, made)
    } else if (kind === 'simpleType') {
      named.set(name, () => simple.named({ namespace: file.targetNamespace, name })!)
      named.get(name)!()
    } else if (kind === 'complexType') {
      inspect(namedComplex(component, name), new Set())
    } else if (kind === 'group') {
      for (const each of schemaChildren(node, file.file)) group(each, file)
    }
  }
  for (const root of roots.values()) inspect(root.type(), new Set())
  return { targetNamespace: components.main.targetNamespace, roots, simpleTypes: named }
}
