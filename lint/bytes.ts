/** What the service looks at before it reads XML. Source: specification, Invoices; public verification rules. */

export interface ByteFault {
  readonly rule: string
  readonly offset: number
  readonly message: string
  readonly advice: string
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Ranges of characters that XML discourages and the service refuses; U+0085 is allowed. */
function isDiscouraged(code: number): boolean {
  return (
    (code >= 0x7f && code <= 0x84) ||
    (code >= 0x86 && code <= 0x9f) ||
    (code >= 0xfdd0 && code <= 0xfdef) ||
    (code >= 0x1fffe && (code & 0xfffe) === 0xfffe)
  )
}

/** Character references; and comments and CDATA sections, in which there are none. */
const references =
  /<!--(?:(?!-->)[^])*(?:-->)?|<!\[CDATA\[(?:(?!\]\]>)[^])*(?:\]\]>)?|&#(?:x([0-9A-Fa-f]{1,8})|([0-9]{1,8}));/g

function startsWith(bytes: Uint8Array, ...prefix: readonly number[]): boolean {
  return prefix.every((byte, i) => bytes[i] === byte)
}

/** The first byte that is no UTF-8; -1 where all is. */
function firstInvalidByte(bytes: Uint8Array): number {
  let low = 0
  let high = bytes.length
  const decodes = (end: number) => {
    try {
      // A cut character at the end is not a fault yet.
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end), { stream: true })
      return true
    } catch {
      return false
    }
  }
  if (decodes(high)) return high > 0 ? high - 1 : 0
  while (low + 1 < high) {
    const middle = (low + high) >> 1
    if (decodes(middle)) low = middle
    else high = middle
  }
  return low
}

/** Decodes a document, or says why it cannot be one. */
export function decodeDocument(
  bytes: Uint8Array,
):
  | { readonly text: string; readonly faults: readonly ByteFault[] }
  | { readonly fault: ByteFault } {
  const fault = (rule: string, offset: number, message: string, advice: string) => ({
    fault: { rule, offset, message, advice },
  })
  if (bytes.length === 0) return fault('empty', 0, 'the document is empty', 'Send a document.')
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) {
    return fault(
      'byte-order-mark',
      0,
      'the document begins with a byte order mark',
      'Write UTF-8 without BOM.',
    )
  }
  const nul = bytes.indexOf(0)
  // Where every other byte is NUL, the first is among the first four.
  const isWide = nul >= 0 && nul < 4
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff) || isWide) {
    return fault('encoding', 0, 'the document is not UTF-8', 'Write UTF-8.')
  }
  if (nul >= 0) return fault('encoding', nul, 'XML allows no NUL byte', 'Remove the byte.')
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return fault('encoding', firstInvalidByte(bytes), 'a byte sequence is no UTF-8', 'Write UTF-8.')
  }
  const faults: ByteFault[] = []
  const encoding = /^<\?xml[^>]*encoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1]
  if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') {
    faults.push({
      rule: 'encoding-declared',
      offset: 0,
      message: `the declaration names ${encoding}`,
      advice: 'Declare UTF-8, or nothing.',
    })
  }
  const version = /^<\?xml[^>]*version\s*=\s*["']([^"']*)["']/.exec(text)?.[1]
  if (version !== undefined && version !== '1.0') {
    faults.push({
      rule: 'xml-version',
      offset: 0,
      message: `the declaration names XML ${version}`,
      advice: 'Declare version 1.0.',
    })
  }
  const refused = (offset: number, point: number) =>
    faults.push({
      rule: 'discouraged-character',
      offset,
      message: `U+${point.toString(16).toUpperCase().padStart(4, '0')} is refused`,
      advice: 'Remove the character.',
    })
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x7f) continue
    const point = text.codePointAt(i)!
    if (isDiscouraged(point)) {
      refused(i, point)
      return { text, faults }
    }
    if (point > 0xffff) i++
  }
  for (const { index, 0: whole, 1: hex, 2: decimal } of text.matchAll(references)) {
    // Within comments and CDATA sections nothing is a reference.
    if (whole.startsWith('<')) continue
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    if (!isDiscouraged(point)) continue
    refused(index, point)
    break
  }
  return { text, faults }
}
