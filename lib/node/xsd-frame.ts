import { randomBytes } from 'node:crypto'

/**
 * Many documents in one, for an engine that compiles the schema anew at every call: a frame around them, and the
 * schema with two more elements that allow the frame. This is text processing only; it knows nothing of the parser.
 */

/** A document in a frame: its index, and the line of the frame on which it begins, from 1. */
interface Framed {
  readonly index: number
  readonly firstLine: number
}

export interface Frame {
  readonly xml: Buffer
  readonly documents: readonly Framed[]
}

export interface FrameMaker {
  /** The schema that allows the frame, with every document in it judged as it would be alone. */
  readonly schema: Buffer
  /** Whether a finding is about the frame itself, and not about a document in it. */
  readonly concerns: (message: string) => boolean
  /** XPath that counts the documents of a frame. */
  readonly count: string
  /** Puts the next documents into a frame: as many as fit, one at least. */
  readonly fill: (documents: readonly Buffer[], indices: readonly number[]) => Frame
}

/** Maximum bytes and lines of a frame: libxml2 has a look-back limit of ten million bytes and a 16-bit line count. */
const maxBytes = 4_000_000
const maxLines = 60_000
/** Maximum number of documents in a frame: with more, the schema's share of the time hardly shrinks any further. */
const maxDocuments = 1_000

const linesOf = (bytes: Buffer): number => {
  let lines = 0
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines++
  return lines
}

const mark = Buffer.from([0xef, 0xbb, 0xbf])

/** The document without byte order mark and declaration; the declaration's line breaks stay. */
const bare = (document: Buffer): Buffer => {
  const start = document.subarray(0, 3).equals(mark) ? 3 : 0
  if (document.subarray(start, start + 5).toString('latin1') !== '<?xml') {
    return document.subarray(start)
  }
  const end = document.indexOf('?>', start) + 2
  const breaks = '\n'.repeat(linesOf(document.subarray(start, end)))
  const rest = document.subarray(end)
  return breaks === '' ? rest : Buffer.concat([Buffer.from(breaks), rest])
}

const plainDeclaration =
  /^<\?xml\s+version\s*=\s*(?:"1\.0"|'1\.0')(?:\s+encoding\s*=\s*(?:"utf-8"|'utf-8'))?(?:\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)'))?\s*\?>/i

/** Whether a document means the same in a frame: no other encoding or version, no identifiers, not too large. */
export const fitsFrame = (document: Buffer): boolean => {
  if (document.length > maxBytes / 4 || document.includes('xml:id')) return false
  const head = document.subarray(0, 203).toString('latin1').replace(/^ï»¿/, '')
  if (/^<\?xml[\s?]/.test(head) && !plainDeclaration.test(head)) return false
  return linesOf(document) < maxLines / 4
}

/**
 * @param schema text of a schema, in UTF-8
 * @returns undefined if the schema cannot have a frame: it is not a schema, or identifiers could collide in it
 */
export function frameMaker(schema: string): FrameMaker | undefined {
  const close = schema.match(/<\/(?:[\w.-]+:)?schema\s*>(?![\s\S]*<\/(?:[\w.-]+:)?schema\s*>)/)
  // Identifiers are unique within a document; in a frame they would have to be unique across all documents.
  if (
    close?.index === undefined ||
    /type\s*=\s*["'][\w.-]*:?(?:ID|IDREFS?|ENTITY)["']/.test(schema)
  )
    return undefined
  const target = /<(?:[\w.-]+:)?schema\b[^>]*?\stargetNamespace\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(
    schema,
  )
  const namespace = target?.[1] ?? target?.[2]
  // The names are random, so no document can break out of its place in the frame.
  const own = `f${randomBytes(12).toString('hex')}`
  const [all, each] = [`${own}-all`, `${own}-each`]
  const name = (local: string) => (namespace === undefined ? local : `${own}:${local}`)
  const declared = namespace === undefined ? '' : ` xmlns:${own}="${namespace}"`
  const x = `${own}x`
  const elements = `<${x}:element xmlns:${x}="http://www.w3.org/2001/XMLSchema"${declared} name="${all}"
><${x}:complexType><${x}:sequence><${x}:element ref="${name(each)}" maxOccurs="unbounded"/></${x}:sequence></${x}:complexType></${x}:element
><${x}:element xmlns:${x}="http://www.w3.org/2001/XMLSchema" name="${each}"
><${x}:complexType><${x}:sequence><${x}:any namespace="##any" processContents="strict"/></${x}:sequence></${x}:complexType></${x}:element>`
  return {
    schema: Buffer.from(schema.slice(0, close.index) + elements + schema.slice(close.index)),
    concerns: (message) =>
      message.includes(own) || message.includes('demanded by the strict wildcard'),
    count: 'count(/*/*)',
    fill(documents, indices) {
      const [before, after] = [Buffer.from(`<${name(each)}>`), Buffer.from(`</${name(each)}>\n`)]
      const parts: Buffer[] = [Buffer.from(`<${name(all)}${declared}>\n`)]
      const framed: Framed[] = []
      let [bytes, line] = [0, 2]
      for (const index of indices.slice(0, maxDocuments)) {
        const document = bare(documents[index]!)
        const lines = linesOf(document)
        if (framed.length > 0 && (bytes + document.length > maxBytes || line + lines > maxLines))
          break
        parts.push(before, document, after)
        framed.push({ index, firstLine: line })
        bytes += document.length
        line += lines + 1
      }
      parts.push(Buffer.from(`</${name(all)}>`))
      return { xml: Buffer.concat(parts), documents: framed }
    },
  }
}
