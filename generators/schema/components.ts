import { xsdNamespace } from './builtins.ts'
import { SchemaError } from './model.ts'
import type { ReadElement } from './read-document.ts'
import { readXml } from './reader.ts'
import { XmlError } from './read-document.ts'
import { withoutDoctype } from './doctype.ts'

/** A schema text and the name it is known by in messages. */
export interface SchemaSource {
  readonly text: string
  readonly file: string
}

/**
 * Finds the document that an `include` or `import` names.
 * `undefined`: it is not available, which is an error where something in it is needed.
 */
export type SchemaLoader = (location: string, from: string) => SchemaSource | undefined

/** A top-level definition, where it stands, and the defaults that hold there. */
export interface Component {
  readonly node: ReadElement
  readonly file: SchemaFile
}

export interface SchemaFile {
  readonly file: string
  readonly targetNamespace: string
  readonly elementsQualified: boolean
  readonly attributesQualified: boolean
}

const kinds = [
  'element',
  'complexType',
  'simpleType',
  'group',
  'attribute',
  'attributeGroup',
] as const
export type ComponentKind = (typeof kinds)[number]

export interface Components {
  readonly main: SchemaFile
  readonly find: (kind: ComponentKind, namespace: string, name: string) => Component | undefined
  readonly all: readonly (Component & { readonly kind: ComponentKind; readonly name: string })[]
}

export function attributeOf(node: ReadElement, name: string): string | undefined {
  return node.attributes.find((each) => each.name === name && each.namespace === '')?.value
}

/**
 * The name of a definition.
 *
 * @throws SchemaError where there is none
 */
export function withName(node: ReadElement, { file }: SchemaFile): string {
  const name = attributeOf(node, 'name')
  if (name !== undefined) return name
  throw new SchemaError(`xsd:${node.name} needs a name`, file, node.line)
}

/** The attributes that a definition may have; a misspelt one would silently change nothing. */
const particleAttributes = ['minOccurs', 'maxOccurs', 'id']
const allowedAttributes: Readonly<Record<string, readonly string[]>> = {
  element:
    'name ref type substitutionGroup default fixed nillable abstract final block form minOccurs maxOccurs id'.split(
      ' ',
    ),
  sequence: particleAttributes,
  choice: particleAttributes,
  all: particleAttributes,
  group: ['name', 'ref', ...particleAttributes],
  any: ['namespace', 'processContents', ...particleAttributes],
  attribute: ['name', 'ref', 'type', 'use', 'default', 'fixed', 'form', 'id'],
  complexType: ['name', 'mixed', 'abstract', 'final', 'block', 'id'],
  simpleType: ['name', 'final', 'id'],
}

function checkAttributes(node: ReadElement, file: string): void {
  const allowed = allowedAttributes[node.name]
  const wrong = node.attributes.find(
    ({ name, namespace }) => allowed && namespace === '' && !allowed.includes(name),
  )
  if (wrong) {
    throw new SchemaError(`xsd:${node.name} has no attribute ${wrong.name}`, file, node.line)
  }
}

/** The children in the namespace of XML Schema, annotations left out; anything else is an error. */
export function schemaChildren(node: ReadElement, file: string): ReadElement[] {
  const out: ReadElement[] = []
  for (const each of node.children) {
    if (each.namespace !== xsdNamespace) {
      throw new SchemaError(`<${each.name}> is no element of XML Schema`, file, each.line)
    }
    if (each.name === 'annotation') continue
    checkAttributes(each, file)
    out.push(each)
  }
  return out
}

/** Reads a schema with everything that it includes and imports. */
export function readComponents(source: SchemaSource, load: SchemaLoader): Components {
  const byKey = new Map<string, Component>()
  const all: (Component & { kind: ComponentKind; name: string })[] = []
  const seen = new Set<string>()

  const read = (
    { text, file }: SchemaSource,
    expected?: string,
    chameleon?: string,
  ): SchemaFile => {
    let root: ReadElement
    try {
      ;({ root } = readXml(withoutDoctype(text)))
    } catch (error) {
      if (error instanceof XmlError) throw new SchemaError(error.message, file, error.line)
      throw error
    }
    if (root.namespace !== xsdNamespace || root.name !== 'schema') {
      throw new SchemaError('the root is no xsd:schema', file, root.line)
    }
    const own = attributeOf(root, 'targetNamespace')
    const targetNamespace = own ?? chameleon ?? ''
    if (expected !== undefined && targetNamespace !== expected) {
      throw new SchemaError(`the namespace is not "${expected}"`, file, root.line)
    }
    const schemaFile: SchemaFile = {
      file,
      targetNamespace,
      elementsQualified: attributeOf(root, 'elementFormDefault') === 'qualified',
      attributesQualified: attributeOf(root, 'attributeFormDefault') === 'qualified',
    }
    const identity = `${file}\n${targetNamespace}`
    if (seen.has(identity)) return schemaFile
    seen.add(identity)
    for (const node of schemaChildren(root, file)) {
      const kind = kinds.find((each) => each === node.name)
      if (kind) {
        const name = attributeOf(node, 'name')
        if (name === undefined) throw new SchemaError(`xsd:${kind} needs a name`, file, node.line)
        const component = { node, file: schemaFile }
        const key = `${kind} {${targetNamespace}}${name}`
        const earlier = byKey.get(key)
        if (earlier && earlier.file.file === file) {
          throw new SchemaError(`xsd:${kind} ${name} is defined twice`, file, node.line)
        }
        byKey.set(key, component)
        all.push({ ...component, kind, name })
      } else if (node.name === 'include' || node.name === 'import') {
        const location = attributeOf(node, 'schemaLocation')
        const loaded = location === undefined ? undefined : load(location, file)
        if (node.name === 'include') {
          if (!loaded) throw new SchemaError(`"${location}" cannot be read`, file, node.line)
          read(loaded, targetNamespace, targetNamespace)
        } else if (loaded) {
          read(loaded, attributeOf(node, 'namespace') ?? '')
        }
      } else if (node.name !== 'notation') {
        throw new SchemaError(`xsd:${node.name} is not supported`, file, node.line)
      }
    }
    return schemaFile
  }

  const main = read(source)
  return {
    main,
    all,
    find: (kind, namespace, name) => byKey.get(`${kind} {${namespace}}${name}`),
  }
}
