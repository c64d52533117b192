/**
 * A strict XML 1.0 reader that keeps lines and columns: for schemas, for `assay lint`, and for comparing
 * documents. It knows namespaces, takes no document type declaration, and stops at the first fault.
 */

import { isNamespaceName, namespaceFault, xmlNamespace } from './namespace-name.ts'

export interface Place {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
}

export interface ReadAttribute {
  readonly name: string
  readonly namespace: string
  readonly value: string
}

export interface ReadElement extends Place {
  /** Local name. */
  readonly name: string
  readonly prefix: string
  readonly namespace: string
  readonly attributes: readonly ReadAttribute[]
  readonly children: readonly ReadElement[]
  /** All character data directly inside, entities and CDATA resolved. */
  readonly text: string
  /** Prefix -> namespace, `''` for the default one. */
  readonly scope: Readonly<Record<string, string>>
}

export interface ReadDocument {
  readonly root: ReadElement
  /** Encoding named by the declaration, as written. */
  readonly encoding?: string
  readonly version?: string
  readonly instructions: readonly (Place & { readonly target: string })[]
  /** Names of namespaces that are no URI. */
  readonly oddNamespaces: readonly (Place & { readonly namespace: string })[]
}

/** The text is not well-formed, or has a document type declaration. */
export class XmlError extends Error {
  override readonly name = 'XmlError'
  readonly line: number
  readonly column: number

  constructor(message: string, { line, column }: Place) {
    super(`${message} (line ${line}, column ${column})`)
    this.line = line
    this.column = column
  }
}

const nameStart = String.raw`A-Z_a-z\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{2FF}\u{370}-\u{37D}\u{37F}-\u{1FFF}\u{200C}-\u{200D}\u{2070}-\u{218F}\u{2C00}-\u{2FEF}\u{3001}-\u{D7FF}\u{F900}-\u{FDCF}\u{FDF0}-\u{FFFD}\u{10000}-\u{EFFFF}`
const nameMore = String.raw`${nameStart}\-.0-9\u{B7}\u{300}-\u{36F}\u{203F}-\u{2040}`
const ncName = `[${nameStart}][${nameMore}]*`
const qName = new RegExp(`(?:(${ncName}):)?(${ncName})`, 'uy')
const spaces = /[ \t\r\n]*/y
const declaration =
  /<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/y
const predefined: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}
/** Characters that XML forbids, halves of surrogate pairs among them. */
const illegal = new RegExp(
  String.raw`[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]` +
    String.raw`|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]`,
)

function isXmlChar(code: number): boolean {
  return (
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff)
  )
}

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

/**
 * Reads a document.
 *
 * @throws XmlError at the first fault
 */
export function readXml(source: string): ReadDocument {
  const text = source.replace(/\r\n?/g, '\n')
  let at = 0
  // Elements come in order, so lines are counted once over the whole text.
  let line = 1
  let lineStart = 0
  let nextBreak = text.indexOf('\n')
  const place = (offset: number): Place => {
    while (nextBreak >= 0 && nextBreak < offset) {
      line++
      lineStart = nextBreak + 1
      nextBreak = text.indexOf('\n', lineStart)
    }
    return { line, column: offset - lineStart + 1 }
  }
  const fail = (message: string, offset = at): never => {
    throw new XmlError(message, placeAt(text, offset))
  }
  const skipSpaces = () => {
    spaces.lastIndex = at
    spaces.exec(text)
    const moved = spaces.lastIndex > at
    at = spaces.lastIndex
    return moved
  }
  const readName = (): { prefix: string; name: string } => {
    qName.lastIndex = at
    const match = qName.exec(text)
    if (!match) return fail('a name is expected')
    at = qName.lastIndex
    return { prefix: match[1] ?? '', name: match[2]! }
  }
  const resolve = (raw: string, offset: number): string => {
    if (!raw.includes('&')) return raw
    return raw.replace(/&([^;&]*)(;?)/g, (_whole, body: string, end: string, index: number) => {
      if (end === '') return fail('a reference is not closed', offset + index)
      if (!body.startsWith('#')) {
        return predefined[body] ?? fail(`entity "${body}" is not declared`, offset + index)
      }
      const digits = /^#(?:x([0-9A-Fa-f]+)|([0-9]+))$/.exec(body)
      const code = digits ? Number.parseInt(digits[1] ?? digits[2]!, digits[1] ? 16 : 10) : -1
      if (!isXmlChar(code)) return fail(`&${body}; is no character`, offset + index)
      return String.fromCodePoint(code)
    })
  }

  const bad = illegal.exec(text)
  if (bad) fail('a character that XML does not allow', bad.index)

  let encoding: string | undefined
  let version: string | undefined
  const instructions: (Place & { target: string })[] = []
  const oddNamespaces: (Place & { namespace: string })[] = []
  if (/^<\?xml[ \t\r\n]/.test(text)) {
    declaration.lastIndex = 0
    const match = declaration.exec(text) ?? fail('the declaration is malformed')
    version = match[1] ?? match[2]
    encoding = match[3] ?? match[4]
    at = declaration.lastIndex
  }

  /** Comments, instructions and white space; false where something else stands. */
  const skipMisc = (): boolean => {
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('--', at + 4)
      if (end < 0 || text[end + 2] !== '>') fail('a comment is not closed, or holds "--"')
      at = end + 3
      return true
    }
    if (text.startsWith('<?', at)) {
      const here = place(at)
      at += 2
      const { prefix, name } = readName()
      if (/^xml$/i.test(name) || prefix) fail('an instruction may not have this name')
      const end = text.indexOf('?>', at)
      if (end < 0) fail('an instruction is not closed')
      instructions.push({ ...here, target: name })
      at = end + 2
      return true
    }
    return false
  }

  const readElement = (outer: Readonly<Record<string, string>>, depth: number): ReadElement => {
    if (depth > 500) fail('elements are nested too deeply')
    const here = place(at)
    const start = at
    at++
    const own = readName()
    const raw: { prefix: string; name: string; value: string }[] = []
    for (;;) {
      const spaced = skipSpaces()
      if (text[at] === '>' || text.startsWith('/>', at)) break
      if (at >= text.length) fail('a tag is not closed', start)
      if (!spaced) fail('white space is expected')
      const { prefix, name } = readName()
      skipSpaces()
      if (text[at] !== '=') fail('"=" is expected')
      at++
      skipSpaces()
      const quote = text[at]
      if (quote !== '"' && quote !== "'") fail('a quoted value is expected')
      const end = text.indexOf(quote!, at + 1)
      if (end < 0) fail('a value is not closed')
      const value = text.slice(at + 1, end)
      if (value.includes('<')) fail('"<" in a value')
      raw.push({ prefix, name, value: resolve(value.replace(/[\t\n]/g, ' '), at + 1) })
      at = end + 1
    }
    const declares = new Set<string>()
    const scope = declaresNamespace(raw) ? { ...outer } : (outer as Record<string, string>)
    for (const { prefix, name, value } of raw) {
      const isDefault = prefix === '' && name === 'xmlns'
      if (!isDefault && prefix !== 'xmlns') continue
      const declared = isDefault ? '' : name
      const fault = namespaceFault(declared, value)
      if (fault !== undefined) fail(fault, start)
      if (declares.has(declared)) fail(`namespace "${declared}" is declared twice`, start)
      declares.add(declared)
      if (!isNamespaceName(value)) oddNamespaces.push({ ...here, namespace: value })
      scope[declared] = value
    }
    const namespaceOf = (prefix: string) =>
      scope[prefix] ?? (prefix === '' ? '' : fail(`prefix "${prefix}" is not declared`, start))
    const attributes: ReadAttribute[] = []
    for (const { prefix, name, value } of raw) {
      if (prefix === 'xmlns' || (prefix === '' && name === 'xmlns')) continue
      const namespace = prefix === '' ? '' : namespaceOf(prefix)
      if (attributes.some((each) => each.name === name && each.namespace === namespace)) {
        fail(`attribute "${name}" stands twice`, start)
      }
      attributes.push({ name, namespace, value })
    }
    const element = { ...here, ...own, namespace: namespaceOf(own.prefix), attributes, scope }
    if (text[at] === '/') {
      at += 2
      return { ...element, children: [], text: '' }
    }
    at++
    const children: ReadElement[] = []
    let content = ''
    for (;;) {
      const next = text.indexOf('<', at)
      if (next < 0) fail(`<${own.name}> is not closed`, start)
      if (next > at) {
        const part = text.slice(at, next)
        if (part.includes(']]>')) fail('"]]>" in text')
        content += resolve(part, at)
        at = next
      }
      if (text.startsWith('</', at)) break
      if (text.startsWith('<![CDATA[', at)) {
        const end = text.indexOf(']]>', at)
        if (end < 0) fail('CDATA is not closed')
        content += text.slice(at + 9, end)
        at = end + 3
      } else if (!skipMisc()) {
        if (text[at + 1] === '!') fail('a declaration inside the root')
        children.push(readElement(scope, depth + 1))
      }
    }
    at += 2
    const closing = readName()
    if (closing.name !== own.name || closing.prefix !== own.prefix) {
      fail(`<${own.name}> is closed by </${closing.name}>`)
    }
    skipSpaces()
    if (text[at] !== '>') fail('">" is expected')
    at++
    return { ...element, children, text: content }
  }

  do skipSpaces()
  while (skipMisc())
  if (text.startsWith('<!DOCTYPE', at)) fail('a document type declaration is not accepted')
  if (text[at] !== '<') fail('the root element is expected')
  const root = readElement({ xml: xmlNamespace }, 0)
  do skipSpaces()
  while (skipMisc())
  if (at < text.length) fail('something follows the root element')
  return {
    root,
    instructions,
    oddNamespaces,
    ...(encoding !== undefined && { encoding }),
    ...(version !== undefined && { version }),
  }
}
