import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { refusals } from '../../contract/errors.ts'
import { rules } from '../../contract/rules.ts'
import { schemaJudge } from '../../lib/node/schema.ts'
import { readZip } from '../../lib/node/archive.ts'
import { authRequestXml } from '../../lib/node/auth-request.ts'
import { svc } from '../../contract/dialects/svc.ts'
import { authRequest } from '../../generators/requests/auth-request.ts'
import { batchPackage } from '../../generators/requests/batch-package.ts'
import { malformedInvoice } from '../../generators/faults/malformed-invoice.ts'
import { signedRequests } from '../../generators/faults/signed-request.ts'
import { malformedSubmission } from '../../generators/faults/malformed-submission.ts'
import { submission as drawnSubmission } from '../../generators/requests/submission.ts'
import { allocator } from '../../generators/invoice/numbers.ts'
import { asRead } from '../../generators/schema/as-read.ts'
import { invoiceSchema } from '../../generators/schema/contract.ts'
import { validate } from '../../generators/schema/validate.ts'
import { seededDraw, drawBytes } from '../../generators/draw/draw.ts'
import { seedFrom } from '../../lib/random.ts'
import { makeInvoice } from '../../generators/invoice/invoice.ts'
import { archives } from '../../generators/faults/archive.ts'
import { goodArchive, goodPackage } from '../../generators/requests/package.ts'
import { authRequests, isValidAuthRequest } from '../../generators/faults/auth-request.ts'
import { batches } from '../../generators/faults/batch.ts'
import { catalogue, submissionMalformations } from '../../generators/faults/catalogue.ts'
import { headerMalformations } from '../../generators/faults/headers.ts'
import { jsonMalformations } from '../../generators/faults/json.ts'
import { decrypted, hash64, submission } from '../../generators/requests/payload.ts'
import { opening } from '../../generators/requests/opening.ts'
import { sessionKeys } from '../../generators/faults/session-key.ts'
import { tokenEnvelope } from '../../generators/requests/token-envelope.ts'
import { tokenEnvelopes } from '../../generators/faults/token-envelope.ts'
import { XmlError } from '../../generators/schema/read-document.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'

/** Faults between the document and the service: each class breaks what it says, and the valid ones are valid. */

const { seed } = runOptions
const draw = (id: string) => seededDraw(seedFrom(seed, id))
const xml = makeInvoice({ seller: '5265877635', number: 'P/1', issueDate: '2026-03-02' }, seed)
const secret = { key: drawBytes(draw('key'), 32), iv: drawBytes(draw('iv'), 16) }
const draft = { xml, ...secret, wrappedKey: drawBytes(draw('wrapped'), 256) }
const publicKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
    type: 'spki',
    format: 'der',
  })

test.beforeAll(() => {
  console.log(`seed ${seed}`)
})

test('payload arbitraries: valid and malformed ones are what they claim, and both shrink', () => {
  const options = {
    seller: '5265877635',
    number: 'P/1',
    issueDate: '2026-03-02',
    profile: 'services',
  } as const
  const runs = { seed, numRuns: 40 } as const
  for (const each of fc.sample(drawnSubmission(options), runs)) {
    const content = Buffer.from(each.body.encryptedInvoiceContent, 'base64')
    expect(Buffer.from(decrypted(content, each)!).equals(each.xml)).toBe(true)
  }
  for (const { draft: own, body } of fc.sample(malformedSubmission(options), runs)) {
    expect(body).not.toEqual({ ...submission(own) })
  }
  const schema = invoiceSchema('fa3')
  for (const { before, malformation } of fc.sample(malformedInvoice(options), runs)) {
    expect(validate(schema, asRead(before)), malformation.id).toEqual([])
  }
  const source = allocator({ seed, namespace: 'batch' })
  const { issueDate, profile } = options
  for (const each of fc.sample(
    batchPackage({ allocator: source, maxInvoices: 4, issueDate, profile }),
    runs,
  )) {
    const plain = Buffer.concat(each.parts.map((part) => decrypted(part!, each)!))
    expect(hash64(plain)).toBe(each.batchFile.fileHash)
    expect(Object.keys(readZip(plain))).toEqual(Object.keys(each.documents))
  }
  for (const each of fc.sample(authRequest('20260615-CR-20F5EE4000-DA48AE4124-46'), runs)) {
    expect(isValidAuthRequest(authRequestXml(each)), authRequestXml(each)).toBe(true)
  }
  const found: string[] = []
  const property = fc.property(malformedInvoice(options), ({ malformation }) => {
    found.push(malformation.id)
    return false
  })
  expect(fc.check(property, { seed, numRuns: 1 }).failed).toBe(true)
  expect(found.at(-1), 'the simplest class').toBe('bytes:bom')
})

test('every class of the catalogue has its own id, a rule and a refusal', () => {
  const seen = new Set<string>()
  const faults: string[] = []
  for (const { id, rule, refusedAs } of [...catalogue(), ...signedRequests]) {
    if (seen.has(id)) faults.push(`${id} stands twice`)
    seen.add(id)
    if (!Object.hasOwn(rules, rule)) faults.push(`${id}: no rule ${rule}`)
    if (!Object.hasOwn(refusals, refusedAs)) faults.push(`${id}: no refusal ${refusedAs}`)
  }
  expect(faults).toEqual([])
})

test('a valid submission matches its metadata', () => {
  const body = submission(draft)
  const content = Buffer.from(body.encryptedInvoiceContent, 'base64')
  expect(Buffer.from(decrypted(content, draft)!).equals(xml)).toBe(true)
  expect(body).toMatchObject({
    invoiceHash: hash64(xml),
    invoiceSize: xml.length,
    encryptedInvoiceHash: hash64(content),
    encryptedInvoiceSize: content.length,
  })
})

test('every malformed submission differs from the valid one in the declared place', () => {
  const good: Record<string, unknown> = { ...submission(draft) }
  for (const entry of submissionMalformations()) {
    const { body, fault, refusedAs } = entry.apply(draft, draw(entry.id))
    expect(Object.hasOwn(refusals, refusedAs), `${entry.id}: ${refusedAs}`).toBe(true)
    const field = fault.path.slice(1)
    // The class that counts characters uses a longer document than the valid submission.
    const valid = entry.id.endsWith('/characters') ? Number(fault.old) : good[field]
    expect(body[field], entry.id).not.toEqual(valid)
    const other = Object.keys(good).filter((key) => body[key] !== good[key])
    // What describes the content must follow it, or two things would be wrong at once.
    // A document that would need no padding is lengthened, so that there is padding to omit.
    const own = entry.id.endsWith('/characters') || entry.id === 'base64:unpadded'
    if (entry.layer !== 'encryption' && !own) {
      expect(other, entry.id).toEqual([field])
    }
  }
})

test('no wrong encryption decrypts to the document', () => {
  for (const entry of submissionMalformations().filter(({ layer }) => layer === 'encryption')) {
    const { body } = entry.apply(draft, draw(entry.id))
    const content = Buffer.from(body['encryptedInvoiceContent'] as string, 'base64')
    const plain = decrypted(content, draft)
    expect(plain !== undefined && Buffer.from(plain).equals(xml), entry.id).toBe(false)
    expect(body['encryptedInvoiceHash'], entry.id).toBe(hash64(content))
  }
})

test('malformed keys, vectors and form codes differ from the valid ones', () => {
  const keys = { sessionSpki: publicKey(), tokenSpki: publicKey(), strangerSpki: publicKey() }
  const formCode = { systemCode: 'FA (3)', schemaVersion: '1-0E', value: 'FA' }
  const good = opening({ ...secret, ...keys, formCode })
  for (const entry of sessionKeys()) {
    const { body, fault } = entry.apply({ ...secret, ...keys, formCode }, draw(entry.id))
    const field = fault.path.slice(1)
    expect(Object.keys(body), entry.id).toEqual(Object.keys(good))
    // The class that counts characters uses a longer document than the valid submission.
    const valid = entry.id.endsWith('/characters') ? Number(fault.old) : good[field]
    expect(body[field], entry.id).not.toEqual(valid)
  }
})

test('creates a token envelope for every class', () => {
  const keys = { sessionSpki: publicKey(), tokenSpki: publicKey(), strangerSpki: publicKey() }
  const token = '20260615-EC-2F6A9B0C1D-0E3F4A5B6C-7D|nip-5265877635|0123456789abcdef'
  const tokenDraft = { token, timestamp: Date.UTC(2026, 5, 15), ...keys }
  expect(Buffer.from(tokenEnvelope(tokenDraft), 'base64')).toHaveLength(256)
  for (const entry of tokenEnvelopes()) {
    expect(entry.apply(tokenDraft, draw(entry.id)).encryptedToken.length, entry.id).toBeGreaterThan(
      0,
    )
  }
})

test('another reader reads the valid archive; the malformed ones differ from it', () => {
  const documents = { 'a.xml': xml, 'b/ż.xml': xml.slice(0, 100) }
  const good = goodArchive(documents)
  expect(Object.keys(readZip(good)).toSorted()).toEqual(['a.xml', 'b/ż.xml'])
  expect(Buffer.from(readZip(good)['a.xml']!).equals(xml)).toBe(true)
  for (const entry of archives()) {
    const { archive } = entry.apply(documents, draw(entry.id))
    expect(Buffer.from(archive).equals(good), entry.id).toBe(false)
  }
})

test('packages: the valid one matches its description, the malformed ones differ from it', () => {
  const batch = { archive: goodArchive({ 'a.xml': xml }), ...secret, partBytes: 700 }
  const good = goodPackage(batch)
  const plain = Buffer.concat(good.parts.map((part) => decrypted(part!, secret)!))
  expect(hash64(plain)).toBe(good.batchFile.fileHash)
  for (const entry of batches()) {
    const { batchFile, parts } = entry.apply(batch, draw(entry.id))
    const same =
      JSON.stringify(batchFile) === JSON.stringify(good.batchFile) &&
      parts.every((part, i) => part !== undefined && Buffer.from(part).equals(good.parts[i]!))
    expect(same, entry.id).toBe(false)
  }
})

test('a package under another key has no part that decrypts', () => {
  const archive = goodArchive({ 'a.xml': xml.slice(0, 300) })
  const otherKey = batches().find(({ id }) => id.endsWith('other-key'))
  for (let place = 0; place < 600; place += 1) {
    const { parts } = otherKey!.apply({ archive, ...secret, partBytes: 100 }, draw(`key ${place}`))
    expect(parts.length).toBeGreaterThan(1)
    expect(
      parts.filter((part) => decrypted(part!, secret) !== undefined),
      `draw ${place}`,
    ).toEqual([])
  }
})

test('every malformed authentication request violates its schema or fails before it', () => {
  const request = authRequestXml({
    challenge: '20260615-CR-20F5EE4000-DA48AE4124-46',
    context: { type: 'Nip', value: '5265877635' },
    subjectIdentifierType: 'certificateSubject',
  })
  expect(isValidAuthRequest(request)).toBe(true)
  for (const entry of authRequests()) {
    const broken = entry.apply(request, draw(entry.id)).xml
    if (entry.seenBy === 'schema') expect(isValidAuthRequest(broken), entry.id).toBe(false)
    else expect(() => isValidAuthRequest(broken), entry.id).toThrow(XmlError)
  }
})

test('every malformed body violates the schema of its operation in one place', () => {
  const judge = schemaJudge(svc)
  const seen = new Set<string>()
  const faults: string[] = []
  for (const { id, operation, schema, example, pointer, keyword, apply } of jsonMalformations()) {
    seen.add(operation)
    const before = judge.problems(schema, example)
    if (before.length > 0) faults.push(`${id}: the example: ${before.join('; ')}`)
    const problems = judge.problems(schema, apply(example)!.body)
    const parent = keyword === 'required' ? pointer.slice(0, pointer.lastIndexOf('/')) : pointer
    const place = parent === '' ? 'the body' : parent
    if (!problems.some((problem) => problem.startsWith(place))) {
      faults.push(`${id}: ${problems.join('; ') || 'valid'}`)
    }
  }
  expect(faults).toEqual([])
  expect(seen.size).toBeGreaterThan(20)
})

test('every malformed header differs from the valid ones', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const jwt = [part({ alg: 'ES256' }), part({ sub: 'x', exp: 1_800_000_000 }), 'A'.repeat(86)].join(
    '.',
  )
  const good = { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' }
  for (const entry of headerMalformations()) {
    expect(entry.apply(good), entry.id).not.toEqual(good)
  }
})
