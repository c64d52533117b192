import type { Codec } from '../codec.ts'

const decoder = new TextDecoder()

/** Node's codec, over `Buffer`. Bytes that are not UTF-8 decode to replacement characters. */
export const nodeCodec: Codec = {
  base64: (bytes) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  fromBase64: (text) => new Uint8Array(Buffer.from(text, 'base64')),
  utf8: (text) => new Uint8Array(Buffer.from(text, 'utf8')),
  text: (bytes) => decoder.decode(bytes),
}
