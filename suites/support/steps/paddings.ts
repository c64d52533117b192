import { createCipheriv } from 'node:crypto'
import type { Desk } from './steps.ts'

/** Ciphers and paddings other than those that sessions agree on. */

export const cipher = (
  algorithm: string,
  key: Uint8Array,
  iv: Uint8Array | null,
  padding = true,
) => {
  const aes = createCipheriv(algorithm, key, iv)
  aes.setAutoPadding(padding)
  return (bytes: Uint8Array): Uint8Array =>
    new Uint8Array(Buffer.concat([aes.update(bytes), aes.final()]))
}

/** A document, extended where its last block needs fewer than three bytes of padding: so all paddings differ. */
export const leavingThree = (bytes: Uint8Array): Uint8Array => {
  const used = bytes.length % 16
  return used <= 13 ? bytes : new Uint8Array([...bytes, ...new Uint8Array(16 - used).fill(0x0a)])
}

type Padding = (missing: number) => readonly number[]

/** Paddings that end with the number of added bytes, like PKCS#7, or that resemble it. */
export const paddings: Readonly<Record<string, Padding>> = {
  'ANSI X9.23': (missing) => [...new Uint8Array(missing - 1), missing],
  'ISO 10126': (missing) => [...new Uint8Array(missing - 1).fill(0x5a), missing],
  'ISO 7816': (missing) => [0x80, ...new Uint8Array(missing - 1)],
  'a block too long': (missing) => [...new Uint8Array(missing).fill(missing + 16)],
  'white space': (missing) => [...new Uint8Array(missing).fill(0x20)],
}

/** A document, encrypted with a padding of its own. */
export const paddedBy = (pad: Padding, bytes: Uint8Array, { session }: Desk): Uint8Array => {
  const blocks = Buffer.concat([bytes, Uint8Array.from(pad(16 - (bytes.length % 16)))])
  return cipher('aes-256-cbc', session.key, session.iv, false)(blocks)
}
