import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test as base, expect } from '@playwright/test'
import { ksef } from '../../contract/dialects/ksef.ts'
import { createClient } from '../../lib/client.ts'
import { loginWithDocument } from '../../lib/flows/login.ts'
import { authRequestXml } from '../../lib/node/auth-request.ts'
import { toPem } from '../../lib/node/certificate.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { createSend } from '../../lib/node/fetch.ts'
import { makeCertificate, sealSubject } from '../../lib/node/pki.ts'
import { signedBy, ways } from '../../lib/node/signing-ways.ts'
import { Refused } from '../../reference/base/refusals.ts'
import { readRequest } from '../../reference/login/auth-request.ts'
import { verifyDocument } from '../../reference/login/xades.ts'
import { policy } from '../../reference/policy/policy.ts'
import { startServer } from '../../reference/server/server.ts'
import {
  dssMissing,
  prepare,
  signWithDss,
  signWithSignxml,
  signWithXmlsec,
  signedIn,
  signxmlMissing,
  verifyWithXmlsec,
  xmlsecMissing,
} from './signers.ts'

/**
 * The reference verifies signatures by the European reference library (EU DSS), by xmlsec1 and by signxml, and xmlsec1
 * verifies ours. Each part runs where its software is installed, and otherwise says what is missing.
 */

const now = Date.parse('2026-06-15T08:00:00Z')
const nip = '5265877635'
const challenge = '20260615-CR-20F5EE4000-DA48AE4124-46'
const other = { nip: '7980332920', challenge: '20260615-CR-20F5EE4000-DA48AE4125-41' }
const requestFor = (text: string): string =>
  authRequestXml({
    challenge: text,
    context: { type: 'Nip', value: nip },
    subjectIdentifierType: 'certificateSubject',
  })
/** Comments and white space, so that canonicalizations differ. */
const remarked = (text: string): string =>
  text.replace('<ContextIdentifier>', '<!-- a remark -->\n  <ContextIdentifier>')
const request = remarked(requestFor(challenge))

const verify = (document: string, at = now) =>
  verifyDocument(Buffer.from(document), policy, at, (element, tree) =>
    readRequest(element, tree, policy),
  )

const test = base.extend<{ folder: string }>({
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'assay-'))
    await use(folder)
    rmSync(folder, { recursive: true })
  },
})

/** Skips, and says why where the run is read. */
const needs = (missing: string | undefined): void => {
  if (missing !== undefined) console.log(`skipped: ${missing}`)
  test.skip(missing !== undefined, missing)
}

test.setTimeout(240_000)

const change = (document: string, from: string | RegExp, to: string): string => {
  const changed = document.replace(from, () => to)
  if (changed === document) throw new RangeError(`the document has no ${String(from)}`)
  return changed
}
const object = (contents: string): string =>
  `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${contents}</ds:Object></ds:Signature>`
const otherRequest = requestFor(other.challenge)
const signature = /<ds:Signature .*<\/ds:Signature>/s

/** The time of signing, as EU DSS writes it: to the second. */
const signedAt = (timestamp: number): string =>
  new Date(timestamp - 60_000).toISOString().slice(0, 19)

/** What is forged from a document that EU DSS signed with XPath Filter 2.0. */
const forgedOf = (
  fresh: string,
  timestamp: number,
): Readonly<Record<string, (document: string) => string>> => ({
  'another challenge': (text) => change(text, fresh, other.challenge),
  'another context': (text) => change(text, nip, other.nip),
  'another subject type': (text) => change(text, 'certificateSubject', 'certificateFingerprint'),
  'an attribute added': (text) => change(text, '<AuthTokenRequest ', '<AuthTokenRequest a="1" '),
  'another signing time': (text) => change(text, signedAt(timestamp), signedAt(timestamp + 1_000)),
  'another request in the signature': (text) =>
    change(text, '</ds:Signature>', object(otherRequest)),
  'another request around the signature': (text) =>
    change(otherRequest, '</AuthTokenRequest>', `${signature.exec(text)?.[0]}</AuthTokenRequest>`),
  'the filter adds': (text) => change(text, 'Filter="subtract"', 'Filter="union"'),
  'the filter takes all': (text) => change(text, '/descendant::ds:Signature<', '/*<'),
  'the filter replaced': (text) =>
    change(
      text,
      /<ds:Transform Algorithm="http:\/\/www.w3.org\/2002\/06\/xmldsig-filter2">.*?<\/ds:Transform>/s,
      '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>',
    ),
  'no transforms': (text) => change(text, /<ds:Transforms>.*?<\/ds:Transforms>/s, ''),
  'the properties not covered': (text) =>
    change(text, /<ds:Reference Type="http:\/\/uri.etsi.org.*?<\/ds:Reference>/s, ''),
  'the signature twice': (text) =>
    change(text, '</AuthTokenRequest>', `${signature.exec(text)?.[0]}</AuthTokenRequest>`),
})

test('EU DSS: its signatures are accepted and log in, forged ones are rejected', async ({
  folder,
}) => {
  // EU DSS starts a Java virtual machine, which takes seconds.
  needs(dssMissing())
  const server = await startServer({ dialect: 'ksef', limits: 'off', seed: 1, startAt: now })
  const sender = createSend()
  const api = createClient({
    send: sender.send,
    baseUrl: server.url,
    dialect: ksef,
    codec: nodeCodec,
  })
  try {
    const login = await loginWithDocument(api, {
      sign: async (fresh, timestamp) => {
        prepare(folder, remarked(requestFor(fresh)), nip, timestamp)
        signWithDss(folder, timestamp)
        const documents = signedIn(folder)
        expect(Object.keys(documents).length).toBeGreaterThan(30)
        for (const [way, document] of Object.entries(documents)) {
          const { request: read } = verify(document, timestamp)
          expect(read, way).toMatchObject({ challenge: fresh, context: { value: nip } })
        }
        const { filter2 = '', default: own = '' } = documents
        for (const document of [filter2, own])
          expect(document).toContain('http://www.w3.org/2002/06/xmldsig-filter2')
        for (const [what, forge] of Object.entries(forgedOf(fresh, timestamp)))
          expect(() => verify(forge(filter2), timestamp), what).toThrow(Refused)
        return own
      },
    })
    expect(login.accessToken).toMatch(/\S/)
  } finally {
    sender.close()
    await server.close()
  }
})

test('signxml: its signatures are accepted', ({ folder }) => {
  needs(signxmlMissing())
  prepare(folder, request, nip, Date.now())
  signWithSignxml(folder)
  const documents = signedIn(folder)
  expect(Object.keys(documents).length).toBeGreaterThan(6)
  for (const [way, document] of Object.entries(documents)) {
    expect(verify(document, Date.now()).request, way).toMatchObject({ challenge })
    expect(() => verify(change(document, nip, other.nip), Date.now()), way).toThrow(Refused)
  }
})

for (const way of ways) {
  const credentials = makeCertificate({ subject: sealSubject(nip), now })
  const document = signedBy(way, {
    challenge,
    context: { type: 'Nip', value: nip },
    credentials,
    signingTime: now - 60_000,
  })

  test(`xmlsec1: ${way.name}, as we sign it, verifies`, ({ folder }) => {
    needs(xmlsecMissing())
    expect(verifyWithXmlsec(folder, document, toPem(credentials.certificate))).toBe(true)
  })

  test(`xmlsec1: ${way.name}, as it signs it, is accepted`, ({ folder }) => {
    needs(xmlsecMissing())
    const key = credentials.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const signed = signWithXmlsec(folder, document, key)
    expect(verify(signed).request).toMatchObject({ challenge, context: { value: nip } })
  })
}
