import { xsdNamespace } from './builtins.ts'
import type { Components, SchemaFile } from './components.ts'
import { attributeOf, schemaChildren, withName } from './components.ts'
import type { AttributeUse, Wildcard } from './model.ts'
import { SchemaError } from './model.ts'
import type { ReadElement } from './read-document.ts'
import type { SimpleTypes } from './simple.ts'
import { qualified } from './simple.ts'

/** The attributes of complex types. */

export interface Attributes {
  readonly uses: readonly AttributeUse[]
  readonly any?: Wildcard
}

/** xsd:any or xsd:anyAttribute, without its occurrence. */
export function wildcardOf(node: ReadElement, file: SchemaFile): Wildcard {
  const namespace = attributeOf(node, 'namespace')?.trim() ?? '##any'
  const process = attributeOf(node, 'processContents') ?? 'strict'
  if (process !== 'lax' && process !== 'skip' && process !== 'strict') {
    const message = `processContents="${process}" of xsd:${node.name}: expected lax, skip or strict`
    throw new SchemaError(message, file.file, node.line)
  }
  return {
    allowed: namespace === '##any' || namespace === '##other' ? namespace : namespace.split(/\s+/),
    targetNamespace: file.targetNamespace,
    process,
  }
}

function attributeUse(
  node: ReadElement,
  file: SchemaFile,
  components: Components,
  simple: SimpleTypes,
): AttributeUse {
  const ref = attributeOf(node, 'ref')
  const at = ref === undefined ? { node, file } : referred(ref, node, file, components)
  const name = withName(at.node, at.file)
  const typeName = attributeOf(at.node, 'type')
  const [inline] = schemaChildren(at.node, at.file.file)
  const named =
    typeName === undefined
      ? { namespace: xsdNamespace, name: 'anySimpleType' }
      : qualified(typeName, at.node, at.file)
  const type = inline ? simple.defined(inline, at.file) : simple.named(named)
  if (!type) {
    const message = `type ${typeName} of attribute ${name} is not known or not supported`
    throw new SchemaError(message, file.file, node.line)
  }
  const form = attributeOf(at.node, 'form')
  const inNamespace =
    ref !== undefined || (form === undefined ? at.file.attributesQualified : form === 'qualified')
  const fixed = attributeOf(node, 'fixed') ?? attributeOf(at.node, 'fixed')
  const use = attributeOf(node, 'use')
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

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

/** The global attribute of a reference; those of XML itself are known without their schema. */
function referred(ref: string, node: ReadElement, file: SchemaFile, components: Components) {
  const { namespace, name } = qualified(ref, node, file)
  const found = components.find('attribute', namespace, name)
  if (found) return found
  if (namespace !== xmlNamespace) {
    throw new SchemaError(`xsd:attribute ${ref} is not known`, file.file, node.line)
  }
  const type = name === 'lang' ? 'language' : name === 'base' ? 'anyURI' : 'NCName'
  const xsd = `${Object.entries(node.scope).find(([, uri]) => uri === xsdNamespace)?.[0] ?? ''}:${type}`
  const made = {
    ...node,
    attributes: [
      { name: 'name', namespace: '', value: name },
      { name: 'type', namespace: '', value: xsd.replace(/^:/, '') },
    ],
    children: [],
  }
  return { node: made, file: { ...file, targetNamespace: xmlNamespace } }
}

/** Reads xsd:attribute, xsd:attributeGroup and xsd:anyAttribute nodes. */
export function attributesOf(
  nodes: readonly ReadElement[],
  file: SchemaFile,
  components: Components,
  simple: SimpleTypes,
): Attributes {
  const uses: AttributeUse[] = []
  let any: Wildcard | undefined
  for (const node of nodes) {
    if (node.name === 'attribute') uses.push(attributeUse(node, file, components, simple))
    else if (node.name === 'anyAttribute') any = wildcardOf(node, file)
    else if (node.name === 'attributeGroup') {
      const ref = attributeOf(node, 'ref') ?? ''
      const { namespace, name } = qualified(ref, node, file)
      const found = components.find('attributeGroup', namespace, name)
      if (!found) {
        throw new SchemaError(`xsd:attributeGroup ${ref} is not known`, file.file, node.line)
      }
      const inside = schemaChildren(found.node, found.file.file)
      const group = attributesOf(inside, found.file, components, simple)
      uses.push(...group.uses)
      any ??= group.any
    } else {
      throw new SchemaError(`xsd:${node.name} is not supported here`, file.file, node.line)
    }
  }
  return { uses, ...(any && { any }) }
}

/** The attributes of a base, those of the same name replaced by a type's own, or removed where it prohibits them. */
export function override(
  base: readonly AttributeUse[],
  own: readonly AttributeUse[],
): AttributeUse[] {
  const kept = base.filter(
    (b) => !own.some((o) => o.name === b.name && o.namespace === b.namespace),
  )
  return [...kept, ...own].filter(({ prohibited }) => prohibited !== true)
}
