import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/**
 * A key and its certificate as PKCS#12 (RFC 7292), for RSA and elliptic curves: the key encrypted with AES-256, the
 * certificate unencrypted, all of it under an HMAC with the password. Hand-written, as node-forge supports RSA only.
 */

const length = (bytes: number): Buffer => {
  if (bytes < 0x80) return Buffer.from([bytes])
  const digits = Buffer.from(
    bytes.toString(16).padStart(bytes > 0xffff ? 6 : bytes > 0xff ? 4 : 2, '0'),
    'hex',
  )
  return Buffer.concat([Buffer.from([0x80 | digits.length]), digits])
}
const element = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const all = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), length(all.length), all])
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => element(0x30, ...parts)
const set = (...parts: readonly Uint8Array[]): Buffer => element(0x31, ...parts)
const explicit = (...parts: readonly Uint8Array[]): Buffer => element(0xa0, ...parts)
const octets = (bytes: Uint8Array): Buffer => element(0x04, bytes)
const integer = (value: number): Buffer =>
  element(0x02, Buffer.from(value.toString(16).padStart(4, '0'), 'hex'))
const small = (value: number): Buffer => element(0x02, Buffer.from([value]))
const oid = (hex: string): Buffer => element(0x06, Buffer.from(hex, 'hex'))

const oids = {
  data: oid('2a864886f70d010701'),
  shroudedKeyBag: oid('2a864886f70d010c0a0102'),
  certificateBag: oid('2a864886f70d010c0a0103'),
  x509: oid('2a864886f70d01091601'),
  friendlyName: oid('2a864886f70d010914'),
  localKeyId: oid('2a864886f70d010915'),
  sha256: oid('608648016503040201'),
}

/** UTF-16, big-endian. */
const bmp = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

const iterations = 2_048

/** The key of the HMAC (RFC 7292, appendix B, for SHA-256: one block). */
const macKey = (password: string, salt: Buffer): Buffer => {
  const block = 64
  const filled = (bytes: Buffer): Buffer =>
    Buffer.alloc(Math.ceil(bytes.length / block) * block).map(
      (_, at) => bytes[at % bytes.length] ?? 0,
    ) as Buffer
  const secret = Buffer.concat([bmp(password), Buffer.alloc(2)])
  let digest = Buffer.concat([Buffer.alloc(block, 3), filled(salt), filled(secret)])
  for (let round = 0; round < iterations; round += 1)
    digest = createHash('sha256').update(digest).digest()
  return digest
}

/** A PKCS#12 file of one key with its certificate (DER). */
export function pkcs12(
  key: KeyObject,
  certificate: Buffer,
  options: { readonly password: string; readonly name: string },
): Buffer {
  const { password, name } = options
  const shrouded = key.export({
    type: 'pkcs8',
    format: 'der',
    cipher: 'aes-256-cbc',
    passphrase: password,
  })
  const attributes = set(
    sequence(oids.friendlyName, set(element(0x1e, bmp(name)))),
    sequence(oids.localKeyId, set(octets(createHash('sha1').update(certificate).digest()))),
  )
  const certificateBag = sequence(oids.x509, explicit(octets(certificate)))
  const bags = sequence(
    sequence(oids.shroudedKeyBag, explicit(shrouded), attributes),
    sequence(oids.certificateBag, explicit(certificateBag), attributes),
  )
  const contents = sequence(sequence(oids.data, explicit(octets(bags))))
  const salt = randomBytes(16)
  const mac = createHmac('sha256', macKey(password, salt)).update(contents).digest()
  return sequence(
    small(3),
    sequence(oids.data, explicit(octets(contents))),
    sequence(
      sequence(sequence(oids.sha256, element(0x05)), octets(mac)),
      octets(salt),
      integer(iterations),
    ),
  )
}
