import { createPublicKey, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { attributeTypes } from './distinguished-name.ts'
import type { AttributeName, Subject } from './distinguished-name.ts'

/** Certificate requests (PKCS#10, RFC 2986), encoded in DER by hand: the structure is small, libraries are large. */

const tag = {
  integer: 0x02,
  bits: 0x03,
  null: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  printable: 0x13,
} as const
const sequenceTag = 0x30
const setTag = 0x31

const length = (count: number): Buffer => {
  if (count < 0x80) return Buffer.from([count])
  const hex = count.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

const der = (type: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([type]), length(body.length), body])
}

const oid = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const arc of rest) {
    const septets = [arc & 0x7f]
    for (let left = arc >>> 7; left > 0; left >>>= 7) septets.unshift((left & 0x7f) | 0x80)
    bytes.push(...septets)
  }
  return der(tag.oid, Buffer.from(bytes))
}

const bitString = (bytes: Uint8Array): Buffer => der(tag.bits, Buffer.from([0]), bytes)

const attributeOf = (attribute: AttributeName, value: string): Buffer => {
  const printable = attribute === 'countryName' || attribute === 'serialNumber'
  const text = der(printable ? tag.printable : tag.utf8, Buffer.from(value))
  return der(setTag, der(sequenceTag, oid(attributeTypes[attribute]), text))
}

const name = (subject: Subject, before: Subject, after: Subject): Buffer =>
  der(
    sequenceTag,
    ...[before, subject, after].flatMap((part) =>
      (Object.keys(attributeTypes) as AttributeName[]).flatMap((attribute) => {
        const value = part[attribute]
        return value === undefined ? [] : [attributeOf(attribute, value)]
      }),
    ),
  )

const signatures = {
  rsa: {
    sha256: '1.2.840.113549.1.1.11',
    sha1: '1.2.840.113549.1.1.5',
    md5: '1.2.840.113549.1.1.4',
  },
  ec: { sha256: '1.2.840.10045.4.3.2', sha1: '1.2.840.10045.4.1', md5: undefined },
} as const

export interface CsrOptions {
  readonly subject: Subject
  /** Additional attributes in front of those of the subject, and behind them. */
  readonly before?: Subject
  readonly after?: Subject
  readonly privateKey: KeyObject
  /** Signs instead of the request's own key, which makes the request invalid. */
  readonly signer?: KeyObject
  readonly hash?: 'sha256' | 'sha1' | 'md5'
}

/** A certificate request: DER. */
export const makeCsr = ({
  subject,
  before = {},
  after = {},
  privateKey,
  signer = privateKey,
  hash = 'sha256',
}: CsrOptions): Buffer => {
  const kind = signer.asymmetricKeyType === 'ec' ? 'ec' : 'rsa'
  const algorithm = signatures[kind][hash]
  if (algorithm === undefined) throw new RangeError(`no signature of ${kind} with ${hash}`)
  const info = der(
    sequenceTag,
    der(tag.integer, Buffer.from([0])),
    name(subject, before, after),
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    // No attributes: an empty set, tagged [0].
    der(0xa0),
  )
  return der(
    sequenceTag,
    info,
    der(sequenceTag, oid(algorithm), ...(kind === 'rsa' ? [der(tag.null)] : [])),
    bitString(sign(hash, info, signer)),
  )
}
