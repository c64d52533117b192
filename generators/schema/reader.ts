/**
 * A strict XML 1.0 reader that keeps lines and columns: for schemas, for `assay lint`, and for comparing
 * documents. It knows namespaces, takes no document type declaration, and stops at the first fault.
 */

import type { Place, ReadAttribute, ReadDocument, ReadElement } from './read-document.ts'
import { XmlError } from './read-document.ts'
import { declaration, illegal, isXmlChar, predefined, qName, spaces } from './xml-syntax.ts'
import { isNamespaceName, namespaceFault, xmlNamespace } from './namespace-name.ts'

const declaresNamespace = (attributes: readonly { prefix: string; name: string }[]) =>
  attributes.some(({ prefix, name }) => prefix === 'xmlns' || (prefix === '' && name === 'xmlns'))

/** Line and column of an offset. */
function placeAt(text: string, offset: number): Place {
  let line = 1
  let start = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}

interface RawAttribute {
  readonly prefix: string
  readonly name: string
  readonly value: string
}

const maxDepth = 500

class XmlReader {
  readonly #text: string
  #at = 0
  // Elements come in order, so lines are counted once over the whole text.
  #line = 1
  #lineStart = 0
  #nextBreak: number
  readonly #instructions: (Place & { target: string })[] = []
  readonly #oddNamespaces: (Place & { namespace: string })[] = []

  constructor(text: string) {
    this.#text = text
    this.#nextBreak = text.indexOf('\n')
  }

  read(): ReadDocument {
    const bad = illegal.exec(this.#text)
    if (bad) this.#fail('a character that XML does not allow', bad.index)
    const { encoding, version } = this.#declaration()
    this.#skipMiscellaneous()
    if (this.#text.startsWith('<!DOCTYPE', this.#at)) {
      this.#fail('a document type declaration is not accepted')
    }
    if (this.#text[this.#at] !== '<') this.#fail('the root element is expected')
    const root = this.#element({ xml: xmlNamespace }, 0)
    this.#skipMiscellaneous()
    if (this.#at < this.#text.length) this.#fail('something follows the root element')
    return {
      root,
      instructions: this.#instructions,
      oddNamespaces: this.#oddNamespaces,
      ...(encoding !== undefined && { encoding }),
      ...(version !== undefined && { version }),
    }
  }

  #place(offset: number): Place {
    while (this.#nextBreak >= 0 && this.#nextBreak < offset) {
      this.#line++
      this.#lineStart = this.#nextBreak + 1
      this.#nextBreak = this.#text.indexOf('\n', this.#lineStart)
    }
    return { line: this.#line, column: offset - this.#lineStart + 1 }
  }

  #fail(message: string, offset = this.#at): never {
    throw new XmlError(message, placeAt(this.#text, offset))
  }

  #skipSpaces(): boolean {
    spaces.lastIndex = this.#at
    spaces.exec(this.#text)
    const moved = spaces.lastIndex > this.#at
    this.#at = spaces.lastIndex
    return moved
  }

  #name(): { prefix: string; name: string } {
    qName.lastIndex = this.#at
    const match = qName.exec(this.#text)
    if (!match) return this.#fail('a name is expected')
    this.#at = qName.lastIndex
    return { prefix: match[1] ?? '', name: match[2]! }
  }

  /** Replaces references by what they stand for. */
  #resolve(raw: string, offset: number): string {
    if (!raw.includes('&')) return raw
    return raw.replace(/&([^;&]*)(;?)/g, (_whole, body: string, end: string, index: number) => {
      if (end === '') return this.#fail('a reference is not closed', offset + index)
      if (!body.startsWith('#')) {
        const known = predefined[body]
        return known ?? this.#fail(`entity "${body}" is not declared`, offset + index)
      }
      const digits = /^#(?:x([0-9A-Fa-f]+)|([0-9]+))$/.exec(body)
      const code = digits ? Number.parseInt(digits[1] ?? digits[2]!, digits[1] ? 16 : 10) : -1
      if (!isXmlChar(code)) this.#fail(`&${body}; is not a character`, offset + index)
      return String.fromCodePoint(code)
    })
  }

  #declaration(): { encoding?: string | undefined; version?: string | undefined } {
    if (!/^<\?xml[ \t\r\n]/.test(this.#text)) return {}
    declaration.lastIndex = 0
    const match = declaration.exec(this.#text) ?? this.#fail('the declaration is malformed')
    this.#at = declaration.lastIndex
    return { version: match[1] ?? match[2], encoding: match[3] ?? match[4] }
  }

  #skipMiscellaneous(): void {
    do this.#skipSpaces()
    while (this.#skipOne())
  }

  /** A comment or an instruction; false where something else comes. */
  #skipOne(): boolean {
    const text = this.#text
    if (text.startsWith('<!--', this.#at)) {
      const end = text.indexOf('--', this.#at + 4)
      if (end < 0 || text[end + 2] !== '>') {
        this.#fail('a comment is not closed, or holds "--"')
      }
      this.#at = end + 3
      return true
    }
    if (!text.startsWith('<?', this.#at)) return false
    const here = this.#place(this.#at)
    this.#at += 2
    const { prefix, name } = this.#name()
    if (/^xml$/i.test(name) || prefix) this.#fail('an instruction may not have this name')
    const end = text.indexOf('?>', this.#at)
    if (end < 0) this.#fail('an instruction is not closed')
    this.#instructions.push({ ...here, target: name })
    this.#at = end + 2
    return true
  }

  /** The attributes of a start tag, namespace declarations among them. */
  #attributes(start: number): RawAttribute[] {
    const text = this.#text
    const raw: RawAttribute[] = []
    for (;;) {
      const spaced = this.#skipSpaces()
      if (text[this.#at] === '>' || text.startsWith('/>', this.#at)) return raw
      if (this.#at >= text.length) this.#fail('a tag is not closed', start)
      if (!spaced) this.#fail('white space is expected')
      const { prefix, name } = this.#name()
      this.#skipSpaces()
      if (text[this.#at] !== '=') this.#fail('"=" is expected')
      this.#at++
      this.#skipSpaces()
      const quote = text[this.#at]
      if (quote !== '"' && quote !== "'") this.#fail('a quoted value is expected')
      const end = text.indexOf(quote, this.#at + 1)
      if (end < 0) this.#fail('a value is not closed')
      const value = text.slice(this.#at + 1, end)
      if (value.includes('<')) this.#fail('"<" in a value')
      raw.push({
        prefix,
        name,
        value: this.#resolve(value.replace(/[\t\n]/g, ' '), this.#at + 1),
      })
      this.#at = end + 1
    }
  }

  /** The namespaces in force within an element. */
  #scope(
    raw: readonly RawAttribute[],
    outer: Readonly<Record<string, string>>,
    here: Place,
    start: number,
  ): Readonly<Record<string, string>> {
    if (!declaresNamespace(raw)) return outer
    const scope: Record<string, string> = { ...outer }
    const declares = new Set<string>()
    for (const { prefix, name, value } of raw) {
      const isDefault = prefix === '' && name === 'xmlns'
      if (!isDefault && prefix !== 'xmlns') continue
      const declared = isDefault ? '' : name
      const fault = namespaceFault(declared, value)
      if (fault !== undefined) this.#fail(fault, start)
      if (declares.has(declared)) this.#fail(`namespace "${declared}" is declared twice`, start)
      declares.add(declared)
      if (!isNamespaceName(value)) this.#oddNamespaces.push({ ...here, namespace: value })
      scope[declared] = value
    }
    return scope
  }

  #element(outer: Readonly<Record<string, string>>, depth: number): ReadElement {
    if (depth > maxDepth) this.#fail('elements are nested too deeply')
    const here = this.#place(this.#at)
    const start = this.#at
    this.#at++
    const own = this.#name()
    const raw = this.#attributes(start)
    const scope = this.#scope(raw, outer, here, start)
    const namespaceOf = (prefix: string) =>
      scope[prefix] ??
      (prefix === '' ? '' : this.#fail(`prefix "${prefix}" is not declared`, start))
    const attributes: ReadAttribute[] = []
    const names = new Set<string>()
    for (const { prefix, name, value } of raw) {
      if (prefix === 'xmlns' || (prefix === '' && name === 'xmlns')) continue
      const namespace = prefix === '' ? '' : namespaceOf(prefix)
      const known = `${namespace} ${name}`
      if (names.has(known)) this.#fail(`attribute "${name}" occurs twice`, start)
      names.add(known)
      attributes.push({ name, namespace, value })
    }
    const element = { ...here, ...own, namespace: namespaceOf(own.prefix), attributes, scope }
    if (this.#text[this.#at] === '/') {
      this.#at += 2
      return { ...element, children: [], text: '' }
    }
    this.#at++
    return { ...element, ...this.#content(own, scope, start, depth) }
  }

  /** The content of an element, read up to and including its closing tag. */
  #content(
    own: { readonly prefix: string; readonly name: string },
    scope: Readonly<Record<string, string>>,
    start: number,
    depth: number,
  ): Pick<ReadElement, 'children' | 'text'> {
    const source = this.#text
    const children: ReadElement[] = []
    let text = ''
    for (;;) {
      const next = source.indexOf('<', this.#at)
      if (next < 0) this.#fail(`<${own.name}> is not closed`, start)
      if (next > this.#at) {
        const part = source.slice(this.#at, next)
        if (part.includes(']]>')) this.#fail('"]]>" in text')
        text += this.#resolve(part, this.#at)
        this.#at = next
      }
      if (source.startsWith('</', this.#at)) break
      if (source.startsWith('<![CDATA[', this.#at)) {
        const end = source.indexOf(']]>', this.#at)
        if (end < 0) this.#fail('CDATA is not closed')
        text += source.slice(this.#at + 9, end)
        this.#at = end + 3
      } else if (!this.#skipOne()) {
        if (source[this.#at + 1] === '!') this.#fail('a declaration inside the root')
        children.push(this.#element(scope, depth + 1))
      }
    }
    this.#at += 2
    const closing = this.#name()
    if (closing.name !== own.name || closing.prefix !== own.prefix) {
      this.#fail(`<${own.name}> is closed by </${closing.name}>`)
    }
    this.#skipSpaces()
    if (source[this.#at] !== '>') this.#fail('">" is expected')
    this.#at++
    return { children, text }
  }
}

/**
 * Reads a document.
 *
 * @throws XmlError at the first fault
 */
export const readXml = (source: string): ReadDocument =>
  new XmlReader(source.replace(/\r\n?/g, '\n')).read()
