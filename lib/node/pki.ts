import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import forge from 'node-forge'
import { attributeTypes, attributesOf, nameText } from './distinguished-name.ts'
import type { Attribute, Subject } from './distinguished-name.ts'

/**
 * Certificates for logging in, built with node-forge's ASN.1; Node creates keys and signatures, so that both RSA and
 * P-256 are possible, and fast.
 */

const { asn1 } = forge
type Asn1 = forge.asn1.Asn1

export interface IssuerAndSerial {
  /** RFC 4514, with the attribute types as Node writes them. */
  readonly issuer: string
  /** Decimal. */
  readonly serial: string
}

/** Of the certificates of this process, DER: each signs many times, and reading one takes as long as signing. */
export const issuersAndSerials = new WeakMap<Buffer, IssuerAndSerial>()

/** A certificate with its private key. */
export interface Credentials {
  /** DER. */
  readonly certificate: Buffer
  readonly privateKey: KeyObject
}

export type KeyKind = 'rsa' | 'p256'

export interface CertificateOptions {
  readonly subject: Subject
  /** The subject itself when absent; its attributes keep the order in which they are given. */
  readonly issuer?: Subject
  /** Key of the issuer; the certificate's own when absent. */
  readonly issuerKey?: KeyObject
  /** Unix milliseconds of the clock that the target uses. */
  readonly now: number
  /** Milliseconds relative to `now`; 61 minutes back when absent, as clocks differ. */
  readonly notBefore?: number
  /** Milliseconds relative to `now`; two years ahead when absent. */
  readonly notAfter?: number
  readonly keys?: KeyKind
  /** A key to use instead of the one that the process shares. */
  readonly privateKey?: KeyObject
  /** Up to 15 bytes; random when absent. */
  readonly serialNumber?: Uint8Array
}

const day = 24 * 3600 * 1000

/** Private keys of this process, one of each kind; made once, because making RSA keys is slow. */
const onePerKind = (): ((kind: KeyKind) => KeyObject) => {
  const made = new Map<KeyKind, KeyObject>()
  return (kind) => {
    const key = made.get(kind) ?? freshKey(kind)
    made.set(kind, key)
    return key
  }
}

const sharedKey = onePerKind()

/** A key that no certificate of this process is for. */
export const strangerKey = onePerKind()

/** A new key, which is not shared. `bits` is for RSA. */
export const freshKey = (kind: KeyKind, bits = 2048): KeyObject =>
  kind === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: bits }).privateKey
    : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** The seal of an organization. Source: specification, Authentication; gap certificate subjects. */
export const sealSubject = (nip: string): Subject => ({
  organizationName: `Organization ${nip}`,
  organizationIdentifier: `VATPL-${nip}`,
  commonName: `Seal ${nip}`,
  countryName: 'PL',
})

/** The signature of a person, known by a NIP or a PESEL. */
export const personSubject = (
  person: { readonly nip: string } | { readonly pesel: string },
): Subject => ({
  givenName: 'Jan',
  surname: 'Testowy',
  serialNumber: 'nip' in person ? `TINPL-${person.nip}` : `PNOPL-${person.pesel}`,
  commonName: 'Jan Testowy',
  countryName: 'PL',
})

/** A subject without any identifier that the service recognizes: it logs in by the certificate's fingerprint. */
export const anonymousSubject = (name: string): Subject => ({
  givenName: 'Anna',
  surname: name,
  commonName: `Anna ${name}`,
  countryName: 'PL',
})

/** Makes a certificate. Self-signed, unless an issuer and its key are given. */
export function makeCertificate(options: CertificateOptions): Credentials {
  const { subject, issuer = subject, now } = options
  const privateKey = options.privateKey ?? sharedKey(options.keys ?? 'rsa')
  const signer = options.issuerKey ?? privateKey
  const algorithm = signatureAlgorithm(signer)
  const digits = Buffer.from(options.serialNumber ?? randomBytes(15)).toString('hex')
  const serial = `4${digits.slice(1)}`
  const issued = attributesOf(issuer, options.issuer && Object.keys(issuer))
  const toBeSigned = sequence([
    asn1.create(asn1.Class.CONTEXT_SPECIFIC, 0, true, [integer('02')]),
    integer(serial),
    algorithm,
    distinguishedName(issued),
    sequence([
      time(now + (options.notBefore ?? -61 * 60 * 1000)),
      time(now + (options.notAfter ?? 730 * day)),
    ]),
    distinguishedName(attributesOf(subject)),
    publicKeyInfo(privateKey),
    extensions(),
  ])
  const signature = sign('sha256', Buffer.from(asn1.toDer(toBeSigned).getBytes(), 'binary'), signer)
  const signed = sequence([
    toBeSigned,
    algorithm,
    asn1.create(
      asn1.Class.UNIVERSAL,
      asn1.Type.BITSTRING,
      false,
      `\0${signature.toString('binary')}`,
    ),
  ])
  const certificate = Buffer.from(asn1.toDer(signed).getBytes(), 'binary')
  issuersAndSerials.set(certificate, {
    issuer: nameText(issued),
    serial: BigInt(`0x${serial}`).toString(),
  })
  return { certificate, privateKey }
}

const sequence = (parts: Asn1[]): Asn1 =>
  asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SEQUENCE, true, parts)
const set = (parts: Asn1[]): Asn1 => asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SET, true, parts)
const integer = (hex: string): Asn1 =>
  asn1.create(asn1.Class.UNIVERSAL, asn1.Type.INTEGER, false, forge.util.hexToBytes(hex))
const oid = (dotted: string): Asn1 =>
  asn1.create(asn1.Class.UNIVERSAL, asn1.Type.OID, false, asn1.oidToDer(dotted).getBytes())

// X.509: two-digit years up to 2049, four-digit ones from then on.
function time(at: number): Asn1 {
  const date = new Date(at)
  return date.getUTCFullYear() < 2050
    ? asn1.create(asn1.Class.UNIVERSAL, asn1.Type.UTCTIME, false, asn1.dateToUtcTime(date))
    : asn1.create(
        asn1.Class.UNIVERSAL,
        asn1.Type.GENERALIZEDTIME,
        false,
        asn1.dateToGeneralizedTime(date),
      )
}

function distinguishedName(attributes: readonly Attribute[]): Asn1 {
  return sequence(
    attributes.map(([name, value]) => {
      const printable = name === 'countryName' || name === 'serialNumber'
      const text = asn1.create(
        asn1.Class.UNIVERSAL,
        printable ? asn1.Type.PRINTABLESTRING : asn1.Type.UTF8,
        false,
        forge.util.encodeUtf8(value),
      )
      return set([sequence([oid(attributeTypes[name]), text])])
    }),
  )
}

/** Cached for the keys of this process: one key is in many certificates. */
const publicKeys = new WeakMap<KeyObject, Asn1>()

const publicKeyInfo = (privateKey: KeyObject): Asn1 => {
  const known = publicKeys.get(privateKey)
  if (known !== undefined) return known
  const info = asn1.fromDer(
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('binary'),
  )
  publicKeys.set(privateKey, info)
  return info
}

function signatureAlgorithm(key: KeyObject): Asn1 {
  return key.asymmetricKeyType === 'ec'
    ? sequence([oid('1.2.840.10045.4.3.2')])
    : sequence([
        oid('1.2.840.113549.1.1.11'),
        asn1.create(asn1.Class.UNIVERSAL, asn1.Type.NULL, false, ''),
      ])
}

// keyUsage, critical: digitalSignature and nonRepudiation.
function extensions(): Asn1 {
  const bits = asn1.create(asn1.Class.UNIVERSAL, asn1.Type.BITSTRING, false, '\x06\xc0')
  const usage = sequence([
    oid('2.5.29.15'),
    asn1.create(asn1.Class.UNIVERSAL, asn1.Type.BOOLEAN, false, '\xff'),
    asn1.create(asn1.Class.UNIVERSAL, asn1.Type.OCTETSTRING, false, asn1.toDer(bits).getBytes()),
  ])
  return asn1.create(asn1.Class.CONTEXT_SPECIFIC, 3, true, [sequence([usage])])
}

/**
 * The private key (PKCS#8, DER) and the certificates (DER) of a PKCS#12 file; keys of any kind.
 * @throws when it is not one, or the passphrase is wrong
 */
export function readPkcs12(
  bytes: Buffer,
  passphrase: string,
): { readonly key: Buffer; readonly certificates: Buffer[] } {
  const archive = forge.pkcs12.pkcs12FromAsn1(asn1.fromDer(bytes.toString('binary')), passphrase)
  const bags = archive.safeContents.flatMap(({ safeBags }) => safeBags)
  // node-forge knows no elliptic curves: it leaves such keys and certificates as ASN.1.
  const derOf = (tree: Asn1): Buffer => Buffer.from(asn1.toDer(tree).getBytes(), 'binary')
  const { keyBag, pkcs8ShroudedKeyBag, certBag } = forge.pki.oids
  const keys = bags.filter(({ type }) => type === keyBag || type === pkcs8ShroudedKeyBag)
  const [key] = keys.map(({ key: rsa, asn1: other }) =>
    derOf(rsa ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(rsa)) : other),
  )
  if (key === undefined) throw new Error('it has no private key')
  const certificates = bags
    .filter(({ type }) => type === certBag)
    .map(({ cert, asn1: other }) => derOf(cert ? forge.pki.certificateToAsn1(cert) : other))
  return { key, certificates }
}

const usageNames = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
] as const

/** Names of the set bits of a certificate's keyUsage, which Node does not report; undefined without the extension. */
export function keyUsageOf(der: Buffer): string[] | undefined {
  const wanted = asn1.oidToDer('2.5.29.15').getBytes()
  const toBeSigned = (asn1.fromDer(der.toString('binary')).value as forge.asn1.Asn1[])[0]
  const parts = (toBeSigned?.value ?? []) as forge.asn1.Asn1[]
  const last = parts.at(-1)
  if (last?.tagClass !== asn1.Class.CONTEXT_SPECIFIC || last.type !== (3 as forge.asn1.Type)) {
    return undefined
  }
  const all = ((last.value as forge.asn1.Asn1[])[0]?.value ?? []) as forge.asn1.Asn1[]
  const found = all.find((extension) => (extension.value as forge.asn1.Asn1[])[0]?.value === wanted)
  const octets = (found?.value as forge.asn1.Asn1[] | undefined)?.at(-1)?.value
  if (typeof octets !== 'string') return undefined
  // Tag, length, count of unused bits, then the bits from the highest on.
  const bits = Number.parseInt(forge.util.bytesToHex(octets).slice(6, 8), 16)
  return usageNames.filter((_, place) => bits & (0x80 >> place))
}
