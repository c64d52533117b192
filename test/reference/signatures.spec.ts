import { readFileSync } from 'node:fs'
import { createPrivateKey } from 'node:crypto'
import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { authRequestXml } from '../../lib/node/auth-request.ts'
import { makeCertificate, sealSubject } from '../../lib/node/pki.ts'
import type { KeyKind } from '../../lib/node/pki.ts'
import { signXades } from '../../lib/node/xades.ts'
import { decryptAes, decryptOaep } from '../../reference/base/crypto.ts'
import type { Policy } from '../../reference/policy/policy.ts'
import { policy } from '../../reference/policy/policy.ts'
import { Refused } from '../../reference/base/refusals.ts'
import { readRequest } from '../../reference/login/auth-request.ts'
import { signatureParts } from '../../reference/login/signature-parts.ts'
import { verifySignedInfo } from '../../reference/login/signature-value.ts'
import { verifyDocument } from '../../reference/login/xades.ts'
import { childElements, withDocument } from '../../reference/xml/xml.ts'
import { sampleSize } from '../sample.ts'

// The reference's cryptography against the known answers of openssl and xmlsec1, and its verification against
// everything that can happen to one character of a signed document.

const vectors = new URL('../../contract/vectors/', import.meta.url)
const now = Date.parse('2026-06-15T08:00:00Z')
const challenge = '20260615-CR-20F5EE4000-DA48AE4124-46'
const nip = '5265877635'

const verify = (document: string | Uint8Array, decisions: Policy = policy) =>
  verifyDocument(Buffer.from(document as string), decisions, now, (element, tree) =>
    readRequest(element, tree, decisions),
  )

const signed = (keys: KeyKind, form: 'enveloped' | 'enveloping') =>
  signXades(
    authRequestXml({
      challenge,
      context: { type: 'Nip', value: nip },
      subjectIdentifierType: 'certificateSubject',
    }),
    {
      credentials: makeCertificate({ subject: sealSubject(nip), now, keys }),
      form,
      signingTime: now - 60_000,
    },
  )

test('a document signed by xmlsec1 verifies, as far as it is signed', () => {
  const document = readFileSync(new URL('signed-by-xmlsec1.xml', vectors))
  expect(() => verify(document)).toThrow(/signature-invalid/)
  const verifyValue = (text: string) =>
    withDocument(Buffer.from(text), ({ root }) => {
      const signature = childElements(root).find(({ name }) => name === 'Signature')!
      const parts = signatureParts(signature, policy)
      verifySignedInfo(parts, Buffer.from(parts.certificates[0]!, 'base64'), policy)
      return parts.references.length
    })
  expect(verifyValue(document.toString())).toBe(1)
  const other = document.toString().replace(/(<(?:ds:)?DigestValue>)./, '$1+')
  expect(() => verifyValue(other)).toThrow(/does not verify/)
})

test('a document by signxml, which signs its key info as well, verifies', () => {
  const document = readFileSync(new URL('signed-by-signxml.xml', vectors), 'utf8')
  const signedAt = Date.parse(/<xades:SigningTime>([^<]*)/.exec(document)?.[1] ?? '')
  const read = (text: string) =>
    verifyDocument(Buffer.from(text), policy, signedAt, (element, tree) =>
      readRequest(element, tree, policy),
    )
  expect(read(document)).toMatchObject({
    form: 'enveloped',
    signedAt,
    request: { challenge, context: { type: 'Nip', value: nip } },
  })
  // White space that does not change the certificate, but changes the digest of the key info.
  const spaced = document.replace('<ds:X509Certificate>', '<ds:X509Certificate> ')
  expect(() => read(spaced)).toThrow(/digest of the reference "#SignXMLCertificate/)
  const [, keyInfo = ''] = /<ds:KeyInfo Id="([^"]*)"/.exec(document) ?? []
  const elsewhere = document.replace(`<ds:KeyInfo Id="${keyInfo}"`, '<ds:KeyInfo Id="other"')
  expect(() => read(elsewhere)).toThrow(/cover different things/)
})

test('XAdES-BES: no signing time, and the key info signed in place of a digest of the certificate', () => {
  const document = readFileSync(new URL('signed-by-signxml-bes.xml', vectors), 'utf8')
  expect(document).not.toMatch(/SigningTime|SigningCertificate/)
  expect(verify(document)).toMatchObject({ signedAt: now, request: { challenge } })
  const spaced = document.replace('<ds:X509Certificate>', '<ds:X509Certificate> ')
  expect(() => verify(spaced)).toThrow(/digest of the reference "#SignXMLCertificate/)
})

for (const [way, form] of [
  ['default-p256', 'enveloped'],
  ['xpath', 'enveloped'],
  ['enveloping-base64', 'enveloping'],
  ['enveloped-lta', 'enveloped'],
] as const) {
  test(`a document by EU DSS verifies: ${way}`, () => {
    const document = readFileSync(new URL(`signed-by-dss-${way}.xml`, vectors), 'utf8')
    expect(verify(document)).toMatchObject({
      form,
      signedAt: now - 60_000,
      request: { challenge, context: { type: 'Nip', value: nip } },
    })
    // A change to any character of the signed text or of the digests is detected.
    const changed = document.replace(/<ds:DigestValue>./, '<ds:DigestValue>!')
    expect(() => verify(changed)).toThrow(Refused)
  })
}

test('expressions that mean the same are recognized, and none that means more', () => {
  const document = readFileSync(new URL('signed-by-dss-xpath.xml', vectors), 'utf8')
  const expression = 'not(ancestor-or-self::ds:Signature)'
  // The signature value is no longer right either; that is checked last.
  const last = /the digest of the reference|does not verify/
  for (const same of [' not ( ancestor-or-self :: ds:Signature ) ', expression])
    expect(() => verify(document.replace(`>${expression}<`, `>${same} <`)), same).toThrow(last)
  for (const more of [`${expression} and true()`, `${expression} or true()`, `not(${expression})`])
    expect(() => verify(document.replace(`>${expression}<`, `>${more}<`)), more).toThrow(
      /is not accepted|does not verify/,
    )
})

test('a document without a canonical form is refused', () => {
  const relative = signed('p256', 'enveloping').replace('xmlns="http:', 'xmlns="http')
  expect(() => verify(relative)).toThrow(/canonical form/)
})

test('what a signature does not have is refused, although nothing signs that it is absent', () => {
  for (const form of ['enveloped', 'enveloping'] as const) {
    const document = signed('p256', form)
    expect(verify(document).form).toBe(form)
    for (const part of ['<ds:Extra/>', '<extra xmlns="urn:extra"/>', '<ds:Manifest/>']) {
      const changed = document.replace('</ds:Signature>', () => `${part}</ds:Signature>`)
      expect(() => verify(changed), part).toThrow(/signature-invalid: a signature has no part/)
    }
  }
})

const flood = /document-unreadable: the document has more than 5000 elements or attributes/

test('documents with more elements or attributes than any request are not processed', () => {
  const document = signed('p256', 'enveloped')
  const within = (markup: string) =>
    document.replace('</AuthTokenRequest>', () => `${markup}</AuthTokenRequest>`)
  const attributes = (count: number, name = 'a') =>
    Array.from({ length: count }, (_, n) => `${name}${n}="1"`).join(' ')
  // Up to the limit, elements are processed, but they are not what was signed.
  expect(() => verify(within('<a/>'.repeat(4_000)))).toThrow(/digest/)
  expect(() => verify(within('<a/>'.repeat(10_000)))).toThrow(flood)
  expect(() => verify(within(`<a ${attributes(1_000)}/>`))).toThrow(/digest/)
  expect(() => verify(within(`<a ${attributes(60_000)}/>`))).toThrow(flood)
  expect(() => verify(within(`<a ${attributes(60_000, 'xmlns:a')}/>`))).toThrow(flood)
})

test('what openssl encrypted is decrypted', () => {
  const { aes256cbc, rsaOaepSha256 } = JSON.parse(
    readFileSync(new URL('crypto.json', vectors), 'utf8'),
  ) as {
    aes256cbc: { key: string; iv: string; cases: { plain: string; encrypted: string }[] }
    rsaOaepSha256: { privateKey: string; plain: string; encrypted: string }
  }
  const key = Buffer.from(aes256cbc.key, 'hex')
  const iv = Buffer.from(aes256cbc.iv, 'hex')
  expect(aes256cbc.cases.length).toBeGreaterThan(0)
  for (const { plain, encrypted } of aes256cbc.cases) {
    expect(decryptAes(key, iv, Buffer.from(encrypted, 'base64'))?.toString('base64')).toBe(plain)
  }
  const privateKey = createPrivateKey(rsaOaepSha256.privateKey)
  const wrapped = Buffer.from(rsaOaepSha256.encrypted, 'base64')
  expect(decryptOaep(privateKey, wrapped)?.toString('base64')).toBe(rsaOaepSha256.plain)
  expect(decryptOaep(privateKey, wrapped, 'sha1'), 'under another hash').toBeUndefined()
})

for (const [keys, form] of [
  ['rsa', 'enveloped'],
  ['rsa', 'enveloping'],
  ['p256', 'enveloped'],
  ['p256', 'enveloping'],
] as const) {
  test(`no changed character changes what a document says: ${keys}, ${form}`, () => {
    const document = signed(keys, form)
    const good = verify(document)
    expect(good).toMatchObject({ form, request: { challenge, subjectBy: 'subject' } })
    let refused = 0
    const numRuns = sampleSize(1_500, 10)
    fc.assert(
      fc.property(
        fc.nat(document.length - 1),
        fc.constantFrom('', ' ', '<', '&', 'A', 'a', '0', '9', '=', '"', '\u00e9', '/'),
        (at, character) => {
          const changed = document.slice(0, at) + character + document.slice(at + 1)
          try {
            const found = verify(changed)
            // An accepted change is harmless: white space between attributes, a character of an Id without references.
            return (
              JSON.stringify(found.request) === JSON.stringify(good.request) &&
              Buffer.compare(Buffer.from(found.certificate), Buffer.from(good.certificate)) === 0 &&
              found.signedAt === good.signedAt
            )
          } catch (error) {
            refused++
            return error instanceof Refused
          }
        },
      ),
      { numRuns },
    )
    expect(refused, 'changed documents that were refused').toBeGreaterThan(0.8 * numRuns)
  })
}
