import { attributeOf, schemaChildren, withName } from './components.ts'
import type { SchemaFile } from './components.ts'
import type { IdentityConstraint, IdentityPath, IdentityStep } from './model.ts'
import { SchemaError } from './model.ts'
import type { ReadElement } from './read-document.ts'

export const identityKinds = ['unique', 'key', 'keyref'] as const

const kindOf = (name: string) => identityKinds.find((kind) => kind === name)

function step(text: string, node: ReadElement, file: SchemaFile): IdentityStep {
  const [first = '', second] = text.replace(/^child::/, '').split(':')
  if (second === undefined) {
    // A name without a prefix is in no namespace, whatever the default.
    return first === '*' ? { name: '*' } : { name: first, namespace: '' }
  }
  const namespace = node.scope[first]
  if (namespace === undefined) {
    throw new SchemaError(`prefix "${first}" is not declared`, file.file, node.line)
  }
  return { name: second, namespace }
}

const allowed =
  /^(?:\.\/\/)?(?:\.|(?:child::)?[\w.*-]+(?::[\w.*-]+)?|(?:@|attribute::)[\w.*-]+(?::[\w.*-]+)?)(?:\/(?:\.|(?:child::)?[\w.*-]+(?::[\w.*-]+)?|(?:@|attribute::)[\w.*-]+(?::[\w.*-]+)?))*$/

/** The alternatives of an XPath as identity constraints may have them. */
function pathsOf(node: ReadElement, file: SchemaFile): IdentityPath[] {
  const xpath = attributeOf(node, 'xpath') ?? ''
  return xpath.split('|').map((each) => {
    const text = each.replace(/\s+/g, '')
    if (!allowed.test(text)) {
      const message = `xpath="${xpath}" of xsd:${node.name} is not supported`
      throw new SchemaError(message, file.file, node.line)
    }
    const anywhere = text.startsWith('.//')
    const parts = text
      .replace(/^\.\/\//, '')
      .split('/')
      .filter((part) => part !== '.')
    const last = parts.at(-1)
    const attribute =
      last !== undefined && /^(?:@|attribute::)/.test(last) ? parts.pop() : undefined
    return {
      anywhere,
      steps: parts.map((part) => step(part, node, file)),
      ...(attribute !== undefined && {
        attribute: step(attribute.replace(/^(?:@|attribute::)/, ''), node, file),
      }),
    }
  })
}

/**
 * An xsd:unique, xsd:key or xsd:keyref.
 *
 * @throws SchemaError where it is incomplete, or uses more of XPath than the schema language has
 */
export function identityOf(node: ReadElement, file: SchemaFile): IdentityConstraint {
  const name = withName(node, file)
  const [selector, ...fields] = schemaChildren(node, file.file)
  const refer = attributeOf(node, 'refer')?.replace(/^.*:/, '')
  if (selector?.name !== 'selector' || fields.length === 0) {
    const message = `xsd:${node.name} ${name} needs a selector and a field`
    throw new SchemaError(message, file.file, node.line)
  }
  if (node.name === 'keyref' && refer === undefined) {
    throw new SchemaError(`xsd:keyref ${name} needs refer`, file.file, node.line)
  }
  return {
    kind: kindOf(node.name)!,
    name,
    ...(refer !== undefined && { refer }),
    selector: pathsOf(selector, file),
    fields: fields.map((field) => pathsOf(field, file)),
    line: node.line,
    file: file.file,
  }
}
