import { builtins, xsdNamespace } from './builtins.ts'
import type { Component, Components, SchemaFile } from './components.ts'
import { attributeOf, schemaChildren } from './components.ts'
import type { Facets, SimpleType } from './model.ts'
import { SchemaError } from './model.ts'
import { parsePattern, PatternError } from './pattern.ts'
import type { ReadElement } from './read-document.ts'

export interface QName {
  readonly namespace: string
  readonly name: string
}

/** Resolves a qualified name by the declarations in force at a node. */
export function qualified(text: string, node: ReadElement, file: SchemaFile): QName {
  const [first, second] = text.trim().split(':') as [string, string | undefined]
  const prefix = second === undefined ? '' : first
  const namespace = node.scope[prefix]
  if (namespace === undefined && prefix !== '') {
    throw new SchemaError(`prefix "${prefix}" is not declared`, file.file, node.line)
  }
  // A schema without a namespace that is included takes that of its includer.
  return { namespace: namespace ?? file.targetNamespace, name: second ?? first }
}

const numeric = new Set(['length', 'minLength', 'maxLength', 'totalDigits', 'fractionDigits'])
const bounds = new Set(['minInclusive', 'maxInclusive', 'minExclusive', 'maxExclusive'])

const facetNames = new Set([...numeric, ...bounds, 'whiteSpace', 'pattern', 'enumeration'])

/** The facets of one derivation step on top of those before it. */
function withFacets(base: Facets, nodes: readonly ReadElement[], file: SchemaFile): Facets {
  const changed: Record<string, unknown> = {}
  const patterns: string[] = []
  const enumeration: string[] = []
  for (const node of nodes) {
    if (!facetNames.has(node.name)) {
      throw new SchemaError(`xsd:${node.name} is not supported here`, file.file, node.line)
    }
    const value = attributeOf(node, 'value')
    if (value === undefined) {
      throw new SchemaError(`xsd:${node.name} needs a value`, file.file, node.line)
    }
    if (numeric.has(node.name)) {
      if (!/^\d+$/.test(value)) {
        throw new SchemaError(`xsd:${node.name} needs a whole number`, file.file, node.line)
      }
      changed[node.name] = Number(value)
    } else if (bounds.has(node.name)) changed[node.name] = value
    else if (node.name === 'whiteSpace') changed['whiteSpace'] = value
    else if (node.name === 'pattern') {
      try {
        parsePattern(value)
      } catch (error) {
        if (!(error instanceof PatternError)) throw error
        throw new SchemaError(`xsd:pattern: ${error.message}`, file.file, node.line)
      }
      patterns.push(value)
    } else enumeration.push(value)
  }
  return {
    ...base,
    ...changed,
    ...(enumeration.length > 0 && { enumeration }),
    patterns: patterns.length > 0 ? [...base.patterns, patterns] : base.patterns,
  }
}

export interface SimpleTypes {
  /** The type that a name refers to; undefined where it is no simple type. */
  readonly named: (name: QName) => SimpleType | undefined
  /** The type that an xsd:simpleType node defines. */
  readonly defined: (node: ReadElement, file: SchemaFile, name?: string) => SimpleType
  /** A base with further facets. */
  readonly restricted: (
    base: SimpleType,
    facets: readonly ReadElement[],
    file: SchemaFile,
    name?: string,
  ) => SimpleType
}

/** Resolves simple types. Each named one is made once. */
export function simpleTypes(components: Components): SimpleTypes {
  const made = new Map<Component, SimpleType>()
  const making = new Set<Component>()

  const named = ({ namespace, name }: QName): SimpleType | undefined => {
    if (namespace === xsdNamespace) {
      const builtin = builtins[name]
      return builtin && { ...builtin, name: `xsd:${name}` }
    }
    const component = components.find('simpleType', namespace, name)
    if (!component) return undefined
    const known = made.get(component)
    if (known) return known
    const { node, file } = component
    if (making.has(component)) {
      throw new SchemaError(`${name} is derived from itself`, file.file, node.line)
    }
    making.add(component)
    const type = defined(node, file, name)
    made.set(component, type)
    return type
  }

  const reference = (text: string, node: ReadElement, file: SchemaFile): SimpleType => {
    const type = named(qualified(text, node, file))
    if (!type)
      throw new SchemaError(
        `simple type ${text} is not known or not supported`,
        file.file,
        node.line,
      )
    return type
  }

  const restricted: SimpleTypes['restricted'] = (base, nodes, file, name) => {
    const facets = withFacets(base.facets, nodes, file)
    const bound = nodes.find((each) => bounds.has(each.name))
    if (bound && base.kind === 'atomic' && base.primitive === 'duration') {
      const message = `xsd:${bound.name} of a duration is not supported`
      throw new SchemaError(message, file.file, bound.line)
    }
    // A restriction that has no name is not the named type that it restricts.
    const type: SimpleType & { name?: string } = { ...base, facets, base }
    if (name === undefined) delete type.name
    else type.name = name
    return type
  }

  const defined: SimpleTypes['defined'] = (node, file, name) => {
    const [how, ...others] = schemaChildren(node, file.file)
    if (!how || others.length > 0) {
      throw new SchemaError('xsd:simpleType needs one derivation', file.file, node.line)
    }
    const inside = schemaChildren(how, file.file)
    const nested = inside.filter((each) => each.name === 'simpleType')
    const call = name === undefined ? {} : { name }
    switch (how.name) {
      case 'restriction': {
        const baseName = attributeOf(how, 'base')
        const base =
          baseName === undefined
            ? nested[0] && defined(nested[0], file)
            : reference(baseName, how, file)
        if (!base) throw new SchemaError('xsd:restriction needs a base', file.file, how.line)
        return restricted(
          base,
          inside.filter((each) => each.name !== 'simpleType'),
          file,
          name,
        )
      }
      case 'union': {
        const names = (attributeOf(how, 'memberTypes') ?? '').split(/\s+/).filter((each) => each)
        const members = [
          ...names.map((each) => reference(each, how, file)),
          ...nested.map((each) => defined(each, file)),
        ]
        if (members.length === 0) throw new SchemaError('xsd:union is empty', file.file, how.line)
        return { kind: 'union', members, facets: { whiteSpace: 'preserve', patterns: [] }, ...call }
      }
      case 'list': {
        const itemName = attributeOf(how, 'itemType')
        const item =
          itemName === undefined
            ? nested[0] && defined(nested[0], file)
            : reference(itemName, how, file)
        if (!item) throw new SchemaError('xsd:list needs an item type', file.file, how.line)
        return { kind: 'list', item, facets: { whiteSpace: 'collapse', patterns: [] }, ...call }
      }
      default:
        throw new SchemaError(`xsd:${how.name} is not supported here`, file.file, how.line)
    }
  }

  return { named, defined, restricted }
}
