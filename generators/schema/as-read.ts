import type { Element } from './document.ts'
import type { ReadElement } from './read-document.ts'

/** A tree as if it had been read, all of it at line 1, column 1: to validate what was never written. */
export function asRead(from: Element): ReadElement {
  return {
    line: 1,
    column: 1,
    name: from.name,
    prefix: '',
    namespace: from.namespace,
    attributes: from.attributes.map(({ name, value, namespace = '' }) => ({
      name,
      value,
      namespace,
    })),
    children: typeof from.content === 'string' ? [] : from.content.map(asRead),
    text: typeof from.content === 'string' ? from.content : '',
    scope: {},
  }
}
