import { builtins, xsdNamespace } from './builtins.ts'
import type { Component, Components, SchemaFile } from './components.ts'
import { attributeOf, schemaChildren } from './components.ts'
import type { Facets, SimpleType } from './model.ts'
import { SchemaError } from './model.ts'
import { parsePattern, PatternError } from './parse-pattern.ts'
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
}

/** Resolves simple types. Each named one is resolved once. */
export function simpleTypes(components: Components): SimpleTypes {
  const known = new Map<Component, SimpleType>()
  const open = new Set<Component>()
  const types: SimpleTypes = {
    named({ namespace, name }) {
      if (namespace === xsdNamespace) {
        const builtin = builtins[name]
        return builtin && { ...builtin, name: `xsd:${name}` }
      }
      const component = components.find('simpleType', namespace, name)
      if (!component) return undefined
      const earlier = known.get(component)
      if (earlier) return earlier
      const { node, file } = component
      if (open.has(component)) {
        throw new SchemaError(`${name} is derived from itself`, file.file, node.line)
      }
      open.add(component)
      const type = types.defined(node, file, name)
      known.set(component, type)
      return type
    },
    defined(node, file, name) {
      const [how, ...others] = schemaChildren(node, file.file)
      if (!how || others.length > 0) {
        throw new SchemaError('xsd:simpleType needs one derivation', file.file, node.line)
      }
      const derive = derivations[how.name]
      if (!derive)
        throw new SchemaError(`xsd:${how.name} is not supported here`, file.file, how.line)
      return derive({ how, file, types, name })
    },
  }
  return types
}

/** A base with further facets. */
export function restricted(
  base: SimpleType,
  nodes: readonly ReadElement[],
  file: SchemaFile,
  name?: string,
): SimpleType {
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

interface Derivation {
  readonly how: ReadElement
  readonly file: SchemaFile
  readonly types: SimpleTypes
  readonly name: string | undefined
}

const derivations: Readonly<Record<string, (derivation: Derivation) => SimpleType>> = {
  restriction(derivation) {
    const { how, file, name } = derivation
    const base = named(derivation, 'base') ?? nested(derivation)[0]
    if (!base) throw new SchemaError('xsd:restriction needs a base', file.file, how.line)
    const facets = schemaChildren(how, file.file).filter((each) => each.name !== 'simpleType')
    return restricted(base, facets, file, name)
  },
  union(derivation) {
    const { how, file, name } = derivation
    const names = (attributeOf(how, 'memberTypes') ?? '').split(/\s+/).filter((each) => each)
    const members = [...names.map((each) => reference(derivation, each)), ...nested(derivation)]
    if (members.length === 0) throw new SchemaError('xsd:union is empty', file.file, how.line)
    const facets: Facets = { whiteSpace: 'preserve', patterns: [] }
    return { kind: 'union', members, facets, ...(name !== undefined && { name }) }
  },
  list(derivation) {
    const { how, file, name } = derivation
    const item = named(derivation, 'itemType') ?? nested(derivation)[0]
    if (!item) throw new SchemaError('xsd:list needs an item type', file.file, how.line)
    const facets: Facets = { whiteSpace: 'collapse', patterns: [] }
    return { kind: 'list', item, facets, ...(name !== undefined && { name }) }
  },
}

function reference({ how, file, types }: Derivation, text: string): SimpleType {
  const type = types.named(qualified(text, how, file))
  if (type) return type
  throw new SchemaError(`simple type ${text} is not known or not supported`, file.file, how.line)
}

function named(derivation: Derivation, attribute: string): SimpleType | undefined {
  const name = attributeOf(derivation.how, attribute)
  return name === undefined ? undefined : reference(derivation, name)
}

/** The types that are defined inside a derivation. */
const nested = ({ how, file, types }: Derivation): SimpleType[] =>
  schemaChildren(how, file.file)
    .filter((each) => each.name === 'simpleType')
    .map((each) => types.defined(each, file))
