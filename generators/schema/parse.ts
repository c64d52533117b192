import { namedComplex, typeOfElement } from './complex-types.ts'
import type { SchemaLoader, SchemaSource } from './components.ts'
import { readComponents, schemaChildren } from './components.ts'
import { inspect } from './content.ts'
import type { ElementParticle, Schema, SimpleType, Type } from './model.ts'
import { globalElement, group } from './particles.ts'
import type { Reading } from './reading.ts'
import { isTrue } from './reading.ts'
import { simpleTypes } from './simple.ts'

/** Resolves whatever the schema defines, used or not. */
function resolveAll(reading: Reading): Pick<Schema, 'roots' | 'simpleTypes'> {
  const { components, simple } = reading
  const roots = new Map<string, ElementParticle>()
  const simples = new Map<string, () => SimpleType>()
  const seen = new Set<Type>()
  for (const { kind, name, node, file } of components.all) {
    const component = components.find(kind, file.targetNamespace, name)!
    if (kind === 'element') {
      const made = globalElement(reading, component)
      if (file.targetNamespace === components.main.targetNamespace && !isTrue(node, 'abstract'))
        roots.set(name, made)
    } else if (kind === 'simpleType') {
      simples.set(name, () => simple.named({ namespace: file.targetNamespace, name })!)
      simples.get(name)!()
    } else if (kind === 'complexType') inspect(namedComplex(reading, component, name), seen)
    else if (kind === 'group') {
      for (const each of schemaChildren(node, file.file)) group(reading, each, file)
    }
  }
  for (const root of roots.values()) inspect(root.type(), seen)
  return { roots, simpleTypes: simples }
}

/**
 * Reads a schema into a model, every name resolved and every type looked at.
 *
 * @throws SchemaError naming the construct, file and line of what is not supported or contradicts itself
 */
export function parseSchema(source: SchemaSource, load: SchemaLoader = () => undefined): Schema {
  const components = readComponents(source, load)
  const reading: Reading = {
    components,
    simple: simpleTypes(components),
    complexTypes: new Map(),
    elements: new Map(),
    opened: new Set(),
    typeOf: (node, file) => typeOfElement(reading, node, file),
  }
  return {
    targetNamespace: components.main.targetNamespace,
    ...resolveAll(reading),
    typeNamed(namespace, name) {
      const component = components.find('complexType', namespace, name)
      return component
        ? namedComplex(reading, component, name)
        : reading.simple.named({ namespace, name })
    },
    elementNamed(namespace, name) {
      const component = components.find('element', namespace, name)
      return component && globalElement(reading, component)
    },
  }
}
