import 'reflect-metadata'
import { createPublicKey } from 'node:crypto'
import { Pkcs10CertificateRequest } from '@peculiar/x509'
import { fromBase64 } from '../base/crypto.ts'
import type { SubjectAttributes } from '../model/entities.ts'
import type { Policy } from '../policy/policy.ts'
import { refuse } from '../base/refusals.ts'

/** Requests for certificates (PKCS#10). Source: gap certificate-module. */

/** The attributes that a request repeats, by object identifier; the library shows some of them by a short name. */
const attributes: readonly (readonly [keyof SubjectAttributes, string, ...string[]])[] = [
  ['commonName', '2.5.4.3', 'CN'],
  ['surname', '2.5.4.4', 'SN'],
  ['serialNumber', '2.5.4.5'],
  ['countryName', '2.5.4.6', 'C'],
  ['organizationName', '2.5.4.10', 'O'],
  ['givenName', '2.5.4.42', 'G', 'GN'],
  ['uniqueIdentifier', '2.5.4.45'],
  ['organizationIdentifier', '2.5.4.97'],
]

/** A subject as the library writes it: object identifiers and values, in the order of the table. */
export const nameOf = (subject: SubjectAttributes): Record<string, string[]>[] =>
  attributes.flatMap(([attribute, oid]) => {
    const value = subject[attribute]
    return value === undefined ? [] : [{ [oid]: [value] }]
  })

/** How a request differs from the attributes of its author, in words. */
const differences = (
  request: Pkcs10CertificateRequest,
  wanted: SubjectAttributes,
): readonly string[] => {
  const given = new Map<string, string[]>()
  for (const part of request.subjectName.toJSON()) {
    for (const [type, values] of Object.entries(part)) {
      const name = attributes.find(([, ...spellings]) => spellings.includes(type))?.[0] ?? type
      given.set(name, [...(given.get(name) ?? []), ...values])
    }
  }
  const known = attributes.flatMap(([attribute]) => {
    const values = given.get(attribute) ?? []
    given.delete(attribute)
    const value = wanted[attribute]
    const same = value === undefined ? values.length === 0 : values.join('\n') === value
    if (same) return []
    return [`the ${attribute} ${values.length > 1 ? 'is repeated' : 'differs'}`]
  })
  return [...known, ...[...given.keys()].map((type) => `the attribute ${type} is not expected`)]
}

/**
 * Reads and checks a request.
 * @param csr DER, Base64
 * @returns the public key, SPKI, DER
 * @throws refusals csr-malformed, csr-key-refused, csr-algorithm-refused, enrollment-data-differ
 */
export const checkCsr = async (
  csr: string,
  wanted: SubjectAttributes,
  policy: Policy,
): Promise<Uint8Array> => {
  const der = fromBase64(csr)
  if (der === undefined) throw refuse('csr-malformed', 'it is not Base64')
  const request = parse(der)
  const spki = new Uint8Array(request.publicKey.rawData)
  const { asymmetricKeyType, asymmetricKeyDetails } = keyOf(spki)
  if (!policy.csrKeyFits(asymmetricKeyType ?? '', asymmetricKeyDetails ?? {})) {
    throw refuse('csr-key-refused', 'allowed are RSA of 2048 bits and the curve P-256')
  }
  const { name, hash } = request.signatureAlgorithm as {
    readonly name: string
    readonly hash?: { readonly name: string }
  }
  if (!policy.csrAlgorithmFits(name, hash?.name)) {
    throw refuse('csr-algorithm-refused', `the algorithm is ${name}`)
  }
  const verified = await request.verify().catch(() => false)
  if (!verified) {
    throw refuse('csr-malformed', 'its signature does not verify')
  }
  const found = differences(request, wanted)
  if (!policy.csrSubjectFits(found)) throw refuse('enrollment-data-differ', found)
  return spki
}

const parse = (der: Uint8Array): Pkcs10CertificateRequest => {
  try {
    const request = new Pkcs10CertificateRequest(new Uint8Array(der))
    // The parts are read when they are asked for: a fault in one of them is a fault of the request.
    void request.subjectName.toJSON()
    void request.publicKey.rawData
    void request.signatureAlgorithm
    return request
  } catch {
    throw refuse('csr-malformed', 'it is no PKCS#10 request')
  }
}

const keyOf = (spki: Uint8Array) => {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  } catch {
    throw refuse('csr-malformed', 'its key cannot be read')
  }
}
