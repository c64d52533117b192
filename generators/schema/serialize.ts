import type { Element } from './document.ts'

const utf8 = new TextEncoder()

export interface SerializeOptions {
  /** Leave the declaration out. */
  readonly bare?: boolean
  /** White space of one level; the document is one line when absent. */
  readonly indent?: string
  /** The default namespace in force around the root; it is not declared again. Absent: none. */
  readonly within?: string
}

const inText = /[&<>\r]/
const inAttribute = /[&<>"\t\n\r]/

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Character data: a carriage return is written as a reference, or a parser would turn it into a line feed. */
function escapeText(text: string): string {
  return inText.test(text) ? text.replace(/[&<>\r]/g, (c) => escapes[c]!) : text
}

/** Attribute value, for double quotes: white space other than blanks is written as references. */
function escapeAttribute(text: string): string {
  return inAttribute.test(text) ? text.replace(/[&<>"\t\n\r]/g, (c) => escapes[c]!) : text
}

/**
 * Writes a tree as XML 1.0. Namespaces become default declarations, made where they change; an attribute
 * in a namespace gets a prefix of its own.
 */
export function serializeText(
  root: Element,
  { bare, indent, within = '' }: SerializeOptions = {},
): string {
  let out = bare ? '' : '<?xml version="1.0" encoding="UTF-8"?>\n'
  const write = (at: Element, inherited: string, pad: string) => {
    out += `<${at.name}`
    if (at.namespace !== inherited) out += ` xmlns="${escapeAttribute(at.namespace)}"`
    let prefixes = 0
    for (const { name, value, namespace } of at.attributes) {
      if (namespace === undefined) out += ` ${name}="${escapeAttribute(value)}"`
      else {
        const prefix = `n${++prefixes}`
        out += ` xmlns:${prefix}="${escapeAttribute(namespace)}" ${prefix}:${name}="${escapeAttribute(value)}"`
      }
    }
    const { content } = at
    if (content.length === 0) {
      out += '/>'
    } else if (typeof content === 'string') {
      out += `>${escapeText(content)}</${at.name}>`
    } else {
      out += '>'
      const inner = indent === undefined ? '' : `${pad}${indent}`
      for (const each of content) {
        out += inner
        write(each, at.namespace, inner)
      }
      out += indent === undefined ? `</${at.name}>` : `${pad}</${at.name}>`
    }
  }
  write(root, within, indent === undefined ? '' : '\n')
  return out
}

/** The bytes of a document: UTF-8 without a byte order mark. */
export function serialize(root: Element, options?: SerializeOptions): Uint8Array {
  return utf8.encode(serializeText(root, options))
}
