import type { Component, ComponentKind, Components, SchemaFile } from './components.ts'
import { attributeOf } from './components.ts'
import type { ComplexType, ElementParticle, Type } from './model.ts'
import { SchemaError } from './model.ts'
import type { ReadElement } from './read-document.ts'
import type { SimpleTypes } from './simple.ts'
import { qualified } from './simple.ts'

export const groupKinds: ReadonlySet<string> = new Set(['sequence', 'choice', 'all', 'group'])

/** A schema being read. */
export interface Reading {
  readonly components: Components
  readonly simple: SimpleTypes
  readonly complexTypes: Map<Component, ComplexType>
  readonly elements: Map<Component, ElementParticle>
  /** Types and groups that are being read. */
  readonly opened: Set<Component>
  /** The type of an element declaration. */
  readonly typeOf: (node: ReadElement, file: SchemaFile) => Type
}

export function fail(message: string, { file }: SchemaFile, { line }: ReadElement): never {
  throw new SchemaError(message, file, line)
}

export const isTrue = (node: ReadElement, name: string) =>
  /^(?:true|1)$/.test(attributeOf(node, name)?.trim() ?? '')

export function lookUp(
  { components }: Reading,
  kind: ComponentKind,
  text: string,
  node: ReadElement,
  file: SchemaFile,
): Component {
  const { namespace, name } = qualified(text, node, file)
  return (
    components.find(kind, namespace, name) ?? fail(`xsd:${kind} ${text} is not known`, file, node)
  )
}

/** Anything: what xsd:anyType allows. */
export const anyType: ComplexType = {
  kind: 'complex',
  name: 'xsd:anyType',
  attributes: [],
  content: undefined,
  mixed: true,
  anyAttribute: { allowed: '##any', targetNamespace: '', process: 'lax' },
}
