/**
 * Base64 and UTF-8. Injected, because hand-written versions are some hundred times slower in k6 than those built into
 * it, and k6 has no `Buffer`.
 */
export interface Codec {
  /** Standard Base64 with padding, no line breaks. */
  base64(bytes: Uint8Array): string
  /** Bytes of standard Base64; white space and missing padding are tolerated. */
  fromBase64(text: string): Uint8Array
  utf8(text: string): Uint8Array
  text(bytes: Uint8Array): string
}

const hexDigits = '0123456789abcdef'

/** Lower-case hexadecimal. */
export function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += hexDigits.charAt(byte >> 4) + hexDigits.charAt(byte & 15)
  return text
}

/** The bytes of Base64 for addresses. */
const fromBase64Url = (codec: Codec, text: string): Uint8Array => {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/')
  return codec.fromBase64(standard + '='.repeat((4 - (standard.length % 4)) % 4))
}

/** One array of all bytes, in order. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

/** The payload of a JWT, unverified; undefined when the text is not a JWT. */
export function jwtPayload(codec: Codec, token: string): Record<string, unknown> | undefined {
  const segments = token.split('.')
  if (segments.length !== 3 || segments[1] === undefined) return undefined
  try {
    const payload: unknown = JSON.parse(codec.text(fromBase64Url(codec, segments[1])))
    return typeof payload === 'object' && payload !== null
      ? (payload as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
