import { execFileSync, spawnSync } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { refusals } from '../../contract/errors.ts'
import { rules } from '../../contract/rules.ts'
import { authRequestXml } from '../../lib/node/auth-request.ts'
import { fingerprint, readCertificate, toPem } from '../../lib/node/certificate.ts'
import { forgeries } from '../../lib/node/forgeries.ts'
import type { ForgerySource } from '../../lib/node/forgery.ts'
import { makeCertificate, personSubject, sealSubject } from '../../lib/node/pki.ts'
import { signXades } from '../../lib/node/xades.ts'
import { findSignature, judgeXmlSignature, xmlDsig } from '../../lib/node/xmldsig.ts'
import { validatorMissing, xsdValidator } from '../../lib/node/xsd.ts'
import { projectRoot } from '../sources.ts'

const now = Date.parse('2026-06-15T08:00:00Z')
const seal = makeCertificate({ subject: sealSubject('5265877635'), now })
const person = makeCertificate({ subject: personSubject({ nip: '5265877635' }), now, keys: 'p256' })

const source: ForgerySource = {
  credentials: seal,
  challenge: '20260615-CR-20F5EE4000-DA48AE4124-46',
  otherChallenge: '20260615-CR-20F5EE4000-DA48AE4125-41',
  context: { type: 'Nip', value: '5265877635' },
  otherContext: { type: 'Nip', value: '7980332920' },
  signingTime: now - 60_000,
}

const request = authRequestXml({
  challenge: source.challenge,
  context: source.context,
  subjectIdentifierType: 'certificateSubject',
  allowedIps: { addresses: ['127.0.0.1'], masks: ['10.0.0.0/8'] },
})

const judge = (document: string, certificate: Buffer) => {
  const signature = findSignature(document)
  if (!signature) throw new Error('no signature')
  return judgeXmlSignature(document, signature, toPem(certificate))
}

for (const form of ['enveloped', 'enveloping'] as const) {
  for (const [name, credentials] of Object.entries({ rsa: seal, p256: person })) {
    const document = signXades(request, { credentials, form, signingTime: source.signingTime })

    test(`${form} with ${name}: xml-crypto verifies it, and it covers request and properties`, () => {
      const { problem, covered } = judge(document, credentials.certificate)
      expect(problem).toBeUndefined()
      expect(covered).toEqual([form === 'enveloped' ? '' : '#S-Object', '#S-SignedProperties'])
    })

    test(`${form} with ${name}: xmlsec1 verifies it`, () => {
      const missing = spawnSync('xmlsec1', ['--version']).error
      test.skip(missing !== undefined, 'xmlsec1 is not installed')
      const folder = mkdtempSync(path.join(tmpdir(), 'assay-'))
      try {
        const file = path.join(folder, 'signed.xml')
        const certificate = path.join(folder, 'certificate.pem')
        writeFileSync(file, document)
        writeFileSync(certificate, toPem(credentials.certificate))
        const result = spawnSync(
          'xmlsec1',
          [
            '--verify',
            '--id-attr:Id',
            `${xmlDsig}:Object`,
            '--id-attr:Id',
            'http://uri.etsi.org/01903/v1.3.2#:SignedProperties',
            '--pubkey-cert-pem',
            certificate,
            file,
          ],
          { encoding: 'utf8' },
        )
        expect(result.stdout + result.stderr).toContain('References (ok/all): 2/2')
        expect(result.status).toBe(0)
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  }
}

test('verifies a signature by xmlsec1 and rejects a modified document', () => {
  const file = path.join(projectRoot() ?? '.', 'contract/vectors/signed-by-xmlsec1.xml')
  const document = readFileSync(file, 'utf8')
  const certificate = Buffer.from(
    /<ds:X509Certificate>([^<]*)</.exec(document)?.[1] ?? '',
    'base64',
  )
  expect(judge(document, certificate)).toEqual({ problem: undefined, covered: [''] })
  const changed = document.replace('5265877635</Nip>', '7980332920</Nip>')
  expect(judge(changed, certificate).problem).toBeDefined()
})

test('the request is valid by both versions of its schema', () => {
  const missing = validatorMissing()
  test.skip(missing !== undefined, missing)
  expect(xsdValidator('auth-2.1').problems(request)).toEqual([])
  const older = request.replace('token/2.1', 'token/2.0')
  expect(xsdValidator('auth-2.0').problems(older)).toEqual([])
  expect(xsdValidator('auth-2.1').problems(`<!DOCTYPE AuthTokenRequest>${request}`)[0]).toContain(
    'document type',
  )
})

test('generated certificates contain the requested data, and openssl reads them', () => {
  const later = makeCertificate({
    subject: sealSubject('5265877635'),
    now,
    notBefore: 1000,
    notAfter: 2000,
  })
  expect(readCertificate(later.certificate.toString('base64'))).toMatchObject({
    validFrom: now + 1000,
    validTo: now + 2000,
    keyBits: 2048,
  })
  expect(fingerprint(later.certificate)).toMatch(/^[0-9A-F]{64}$/)
  expect(fingerprint(later.certificate)).not.toBe(fingerprint(seal.certificate))
  const signer = makeCertificate({
    subject: personSubject({ pesel: '30112206276' }),
    issuer: sealSubject('5265877635'),
    issuerKey: person.privateKey,
    now,
  })
  expect(createPublicKey(toPem(signer.certificate)).asymmetricKeyType).toBe('rsa')
  test.skip(spawnSync('openssl', ['version']).error !== undefined, 'openssl is not installed')
  const text = execFileSync('openssl', ['x509', '-noout', '-subject', '-issuer'], {
    input: toPem(signer.certificate),
    encoding: 'utf8',
  })
  expect(text).toContain('PNOPL-30112206276')
  expect(text).toContain('VATPL-5265877635')
})

test('every forgery differs from the valid document and from every other forgery', () => {
  const good = signXades(request, { credentials: seal, signingTime: source.signingTime })
  const made = forgeries.map(({ make }) => Buffer.from(make(source)).toString('latin1'))
  expect(new Set([good, ...made]).size).toBe(made.length + 1)
})

test('forgeries name existing rules and refusals, each variant once', () => {
  const names = forgeries.map(({ rule, variant }) => `${rule} / ${variant}`)
  expect(new Set(names).size).toBe(names.length)
  for (const { rule, refusedAs } of forgeries) {
    expect(rules).toHaveProperty([rule])
    expect(refusals).toHaveProperty([refusedAs])
  }
})

// Why the reference may not leave the judgement to a library.
for (const variant of ['second object', 'beside the signature', 'outer root']) {
  test(`xml-crypto finds no fault in the forgery "${variant}"`, () => {
    const forgery = forgeries.find((one) => one.variant === variant)
    const document = String(forgery?.make(source))
    expect(judge(document, seal.certificate).problem).toBeUndefined()
  })
}
