import type { Codec } from './codec.ts'

/** Just enough DER (X.690) to extract a public key from a certificate where no library is available. */

/** One element: its tag, and where its contents lie. */
interface Element {
  readonly tag: number
  /** Offset of the tag. */
  readonly start: number
  readonly contents: number
  readonly end: number
}

const sequence = 0x30
const explicitVersion = 0xa0

/** The bytes are not DER of the expected shape. */
export class DerError extends Error {
  override readonly name = 'DerError'
}

function readElement(bytes: Uint8Array, start: number): Element {
  const tag = bytes[start]
  const first = bytes[start + 1]
  if (tag === undefined || first === undefined) throw new DerError('the bytes end too early')
  let contents = start + 2
  let length = first
  if (first & 0x80) {
    const count = first & 0x7f
    if (count === 0 || count > 4) throw new DerError('a length of this form is not DER')
    length = 0
    for (let place = 0; place < count; place += 1) {
      const byte = bytes[contents + place]
      if (byte === undefined) throw new DerError('the bytes end too early')
      length = length * 256 + byte
    }
    contents += count
  }
  const end = contents + length
  if (end > bytes.length) throw new DerError('the bytes end too early')
  return { tag, start, contents, end }
}

function children(bytes: Uint8Array, parent: Element): Element[] {
  if (parent.tag !== sequence) throw new DerError('a sequence was expected')
  const found: Element[] = []
  let offset = parent.contents
  while (offset < parent.end) {
    const element = readElement(bytes, offset)
    found.push(element)
    offset = element.end
  }
  return found
}

/**
 * The SubjectPublicKeyInfo (DER) of a certificate.
 * @throws {DerError} when the bytes are no X.509 certificate
 */
export function spkiOf(certificate: Uint8Array): Uint8Array {
  const [toBeSigned] = children(certificate, readElement(certificate, 0))
  if (toBeSigned === undefined) throw new DerError('an empty certificate')
  const fields = children(certificate, toBeSigned)
  // version (optional), serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo
  const spki = fields[fields[0]?.tag === explicitVersion ? 6 : 5]
  if (spki?.tag !== sequence) throw new DerError('a certificate without a public key')
  return certificate.slice(spki.start, spki.end)
}

/** The DER of a certificate given as PEM or as Base64 of DER. Source: specification, Public key certificate entry. */
export function certificateDer(codec: Codec, text: string): Uint8Array {
  const body = /-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/.exec(text)?.[1]
  return codec.fromBase64((body ?? text).replace(/\s/g, ''))
}
