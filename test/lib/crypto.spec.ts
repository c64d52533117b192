import { createPrivateKey, constants, privateDecrypt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { concatBytes, hex, jwtPayload } from '../../lib/codec.ts'
import {
  decryptAes,
  encryptAes,
  encryptRsaOaep,
  encryptedSize,
  randomBytes,
  sha256,
  webCrypto,
} from '../../lib/crypto.ts'
import { DerError, certificateDer, spkiOf } from '../../lib/der.ts'
import { issuerAndSerial, readCertificate } from '../../lib/node/certificate.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { freshKey, makeCertificate, personSubject, sealSubject } from '../../lib/node/pki.ts'
import type { Subject } from '../../lib/node/distinguished-name.ts'
import { projectRoot } from '../sources.ts'

// Known answers of openssl: contract/vectors/make.sh says how they were made.

interface Vectors {
  readonly aes256cbc: {
    readonly key: string
    readonly iv: string
    readonly cases: readonly { readonly plain: string; readonly encrypted: string }[]
  }
  readonly sha256: readonly { readonly of: string; readonly digest: string }[]
  readonly rsaOaepSha256: {
    readonly privateKey: string
    readonly publicKey: string
    readonly plain: string
  }
  readonly certificates: readonly {
    readonly pem: string
    readonly keyType: string
    readonly keyBits: number | null
    readonly publicKey: string
    readonly publicKeyId: string
    readonly certificateId: string
    readonly serial: string
    readonly keyUsage: readonly string[]
  }[]
}

const vectors = JSON.parse(
  readFileSync(path.join(projectRoot() ?? '.', 'contract/vectors/crypto.json'), 'utf8'),
) as Vectors
const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
const base64 = (data: Uint8Array) => nodeCodec.base64(data)

/** Node's own, which everything here uses, and WebCrypto, which k6 uses. */
const ways = { Node: { sha256, encryptAes, decryptAes, encryptRsaOaep }, WebCrypto: webCrypto() }

for (const [name, own] of Object.entries(ways)) {
  test(`${name}: AES-256-CBC agrees with openssl, both ways`, async () => {
    const { cases, ...given } = vectors.aes256cbc
    const key = new Uint8Array(Buffer.from(given.key, 'hex'))
    const iv = new Uint8Array(Buffer.from(given.iv, 'hex'))
    for (const { plain, encrypted } of cases) {
      expect(base64(await own.encryptAes(bytes(plain), key, iv))).toBe(encrypted)
      expect(base64(await own.decryptAes(bytes(encrypted), key, iv))).toBe(plain)
      expect(encryptedSize(bytes(plain).length)).toBe(bytes(encrypted).length)
    }
  })

  test(`${name}: processes the bytes of a view, not its underlying buffer`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (data) => {
        const around = concatBytes([randomBytes(7), data, randomBytes(9)])
        const view = around.subarray(7, 7 + data.length)
        const key = randomBytes(32)
        const iv = randomBytes(16)
        expect(hex(await own.sha256(view))).toBe(hex(await own.sha256(data)))
        const encrypted = await own.encryptAes(view, key, iv)
        expect(encrypted.length).toBe(encryptedSize(data.length))
        expect(hex(await own.decryptAes(encrypted, key, iv))).toBe(hex(data))
      }),
      { numRuns: 30 },
    )
  })

  test(`${name}: SHA-256 agrees with openssl`, async () => {
    for (const { of, digest } of vectors.sha256)
      expect(base64(await own.sha256(bytes(of)))).toBe(digest)
  })

  test(`${name}: decrypts its RSA-OAEP ciphertext with the private key`, async () => {
    const { privateKey, publicKey, plain } = vectors.rsaOaepSha256
    const encrypted = await own.encryptRsaOaep(bytes(plain), bytes(publicKey))
    const decrypted = privateDecrypt(
      {
        key: createPrivateKey(privateKey),
        padding: constants.RSA_PKCS1_OAEP_PADDING,
        oaepHash: 'sha256',
      },
      encrypted,
    )
    expect(decrypted.toString('base64')).toBe(plain)
  })
}

test('reads certificates from openssl', () => {
  for (const vector of vectors.certificates) {
    const der = certificateDer(nodeCodec, vector.pem)
    expect(base64(spkiOf(der))).toBe(vector.publicKey)
    expect(base64(spkiOf(certificateDer(nodeCodec, base64(der))))).toBe(vector.publicKey)
    const facts = readCertificate(vector.pem)
    expect(facts).toMatchObject({
      keyType: vector.keyType,
      publicKeyId: vector.publicKeyId,
      certificateId: vector.certificateId,
      keyUsage: vector.keyUsage,
    })
    expect(facts.keyBits ?? null).toBe(vector.keyBits)
    expect(issuerAndSerial(Buffer.from(der)).serial).toBe(vector.serial)
  }
})

test('a certificate that was made here says of itself what Node reads from it', () => {
  const subject: Subject = {
    ...personSubject({ pesel: '44051401359' }),
    surname: 'Żółć, "Ęta" <+;>\\',
    organizationalUnitName: '#Dział ',
    uniqueIdentifier: '1',
  }
  const issuer = { organizationIdentifier: 'VATPL-1', ...sealSubject('7434590039') }
  for (const options of [{ subject }, { subject, issuer, issuerKey: freshKey('p256') }]) {
    const { certificate } = makeCertificate({ ...options, now: Date.now(), keys: 'p256' })
    // Nothing is known of the copy: it is read.
    expect(issuerAndSerial(certificate)).toEqual(issuerAndSerial(Buffer.from(certificate)))
  }
})

test('rejects bytes that are not a certificate', () => {
  const der = certificateDer(nodeCodec, vectors.certificates[0]?.pem ?? '')
  for (const length of [0, 1, 5, 100, der.length - 1]) {
    expect(() => spkiOf(der.slice(0, length)), `${length} bytes`).toThrow(DerError)
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (data) => {
      try {
        return spkiOf(data).length > 0
      } catch (error) {
        return error instanceof DerError
      }
    }),
  )
})

test('reads the payload of a token and rejects other text', () => {
  const segment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = `${segment({ alg: 'HS256' })}.${segment({ exp: 5, name: 'Żółć?>' })}.c2ln`
  expect(jwtPayload(nodeCodec, token)).toEqual({ exp: 5, name: 'Żółć?>' })
  for (const nonsense of ['', 'a.b', 'a.b.c', 'a.!!.c', `a.${segment(5)}.c`]) {
    expect(jwtPayload(nodeCodec, nonsense), nonsense).toBeUndefined()
  }
})
