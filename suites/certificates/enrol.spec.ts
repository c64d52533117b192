import { X509Certificate, generateKeyPairSync } from 'node:crypto'
import type { Client } from '../../lib/client.ts'
import { statusOf } from '../../lib/flows/settle.ts'
import { readCertificate } from '../../lib/node/certificate.ts'
import { makeCsr } from '../../lib/node/csr.ts'
import { freshKey, personSubject, sealSubject } from '../../lib/node/pki.ts'
import { expectText } from '../../lib/outcome.ts'
import { poll } from '../../lib/poll.ts'
import {
  applyFor,
  attributesOf,
  certificateKey,
  listCertificates,
  listedAs,
  obtainCertificate,
  outcomeOfApplication,
  requireCertificate,
} from '../support/callers/enrolment.ts'
import { swapCase } from '../../lib/node/digests.ts'
import { grantInTest } from '../support/callers/grants.ts'
import { contextWith } from '../support/service/contexts.ts'
import { ownCertificate } from '../support/steps/seals.ts'
import { statedIn } from '../support/answers/meaning.ts'
import { personAt } from '../support/callers/people.ts'
import { rule } from '../support/checks/rule.ts'
import { fields, reported, authenticateAs } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('certificates.enrol', 'issued'), async ({ login }) => {
  const { api } = await login()
  requireCertificate(api)
  expect(await api.call('certificates.data'), 'the attributes of the caller').toBeOk()
  const started = await applyFor(api)
  expect(started).toBeOk()
  const path = { referenceNumber: expectText(started, 'apply', 'referenceNumber') }
  const { seen, last, done } = await poll(
    () => api.call('certificates.enrollment', { path }),
    ({ body }) => (statusOf(body)?.code ?? 200) >= 200,
    { ...api.polling, sleep: api.sleep },
  )
  expect(done, 'a final state of the application').toBe(true)
  expect(seen.map(({ body }) => statusOf(body)?.code ?? 0)).toMoveAlong('application')
  expect(reported(last)).toHaveSucceeded('application')
  const serialNumber = String(fields(last)['certificateSerialNumber'])
  const later = await (await login()).api.call('certificates.enrollment', { path })
  expect(later, 'asked by another login').toBeOk()
  expect(statedIn(later, 'ask'), 'asked by another login').toEqual(statedIn(last, 'ask'))
  expect(await listedAs(api, serialNumber), 'the certificate in the list').toMatchObject({
    status: 'Active',
    name: 'conformance check',
  })
  const retrieved = await api.call('certificates.retrieve', {
    body: { certificateSerialNumbers: [serialNumber] },
  })
  expect(fields(retrieved)['certificates'], 'the certificate that is retrieved').toMatchObject([
    { certificateSerialNumber: serialNumber },
  ])
})

test(...rule('certificates.enrol', 'requested content'), async ({ login }) => {
  const { api } = await login()
  const privateKey = certificateKey()
  const { credentials, serialNumber } = await obtainCertificate(api, { privateKey })
  const certificate = new X509Certificate(credentials.certificate)
  expect(certificate.checkPrivateKey(privateKey), 'the certificate contains the key').toBe(true)
  const { commonName = '' } = await attributesOf(api)
  expect(certificate.subject, 'the subject of the certificate').toContain(commonName)
  expect(BigInt(`0x${certificate.serialNumber}`), 'the serial number in it').toBe(
    BigInt(`0x${serialNumber}`),
  )
})

for (const [type, usage] of [
  ['Authentication', 'digitalSignature'],
  ['Offline', 'nonRepudiation'],
] as const)
  test(...rule('certificates.enrol', `usage, ${type}`), async ({ login }) => {
    const { api } = await login()
    const { credentials } = await obtainCertificate(api, { type })
    const { keyUsage } = readCertificate(credentials.certificate.toString('base64'))
    expect(keyUsage, 'its key usage').toEqual([usage])
  })

for (const kind of ['p256', 'rsa'] as const)
  test(...rule('certificates.enrol', `authenticates, ${kind}`), async ({ login, own, api }) => {
    const me = await login()
    const privateKey = freshKey(kind)
    const { credentials } = await obtainCertificate(me.api, { privateKey })
    expect(await authenticateAs(api, own, { credentials })).toHaveSucceeded('authentication')
  })

test(...rule('certificates.enrol', 'offline'), async ({ login, own, api }) => {
  const me = await login()
  const { credentials } = await obtainCertificate(me.api, { type: 'Offline' })
  expect(await authenticateAs(api, own, { credentials })).toBeRejected('certificate-refused')
})

const serialsOf = async (api: Client): Promise<readonly string[]> =>
  (await listCertificates(api)).map(({ certificateSerialNumber }) => certificateSerialNumber)

/**
 * Notes the certificates that there are. The returned function expects that no other is issued later either: processing
 * an application takes a moment.
 */
const watchIssued = async (api: Client): Promise<() => Promise<void>> => {
  const before = await serialsOf(api)
  return async () => {
    await api.sleep(2_000)
    expect(await serialsOf(api), 'certificates after the rejection').toEqual(before)
  }
}

const faults = [
  ['missing', { csr: 'AAAA' }, 'csr-malformed'],
  ['not Base64', { csr: '<csr>' }, 'invalid-input'],
  ['short name', { name: 'abc' }, 'invalid-input'],
] as const

for (const [what, fault, refused] of faults) {
  test(...rule('certificates.enrol', `invalid request, ${what}`), async ({ login }) => {
    const { api } = await login()
    const expectNoneIssued = await watchIssued(api)
    const answer = await applyFor(api, fault)
    if (refused === 'invalid-input') expect(answer).toBeClientError()
    else expect(answer).toBeRefused(refused)
    await expectNoneIssued()
  })
}

test(...rule('certificates.enrol', 'issued, twice for one key'), async ({ login }) => {
  const { api } = await login()
  const privateKey = certificateKey()
  for (const which of ['first', 'second']) {
    const outcome = await outcomeOfApplication(api, await applyFor(api, { privateKey }))
    expect(outcome, `the ${which} application of one subject`).toHaveSucceeded('application')
  }
})

test(...rule('certificates.enrol', 'invalid request, other attributes'), async ({ login }) => {
  const { api } = await login()
  const expectNoneIssued = await watchIssued(api)
  const attributes = await attributesOf(api)
  const { commonName = '' } = attributes
  for (const other of ['Somebody Else', swapCase(commonName), `${commonName} II`]) {
    const subject = { ...attributes, commonName: other }
    expect(await applyFor(api, { subject }), other).toBeRefused('enrollment-data-differ')
  }
  await expectNoneIssued()
})

test(...rule('certificates.enrol', 'invalid request, extra attribute'), async ({ login }) => {
  const { api } = await login()
  for (const extra of ['uniqueIdentifier', 'organizationalUnitName']) {
    const subject = { ...(await attributesOf(api)), [extra]: 'one more' }
    expect(await applyFor(api, { subject }), extra).toBeRefused('enrollment-data-differ')
  }
})

test(...rule('certificates.enrol', 'invalid request, missing attribute'), async ({ login }) => {
  const { api } = await login()
  const attributes = await attributesOf(api)
  for (const missing of Object.keys(attributes)) {
    const subject = { ...attributes, [missing]: undefined } as typeof attributes
    expect(await applyFor(api, { subject }), missing).toBeRefused('enrollment-data-differ')
  }
})

test(...rule('certificates.enrol', 'invalid request, attribute twice'), async ({ login }) => {
  const { api } = await login()
  const subject = await attributesOf(api)
  for (const [name, value] of Object.entries(subject)) {
    const again = { [name]: name === 'countryName' ? 'DE' : `${value} II` }
    for (const more of [{ before: again }, { after: again }])
      expect(await applyFor(api, { subject, ...more }), name).toBeRefused('enrollment-data-differ')
  }
})

test(...rule('certificates.enrol', 'invalid request, signed by another key'), async ({ login }) => {
  const { api } = await login()
  const answer = await applyFor(api, { privateKey: certificateKey(), signer: certificateKey() })
  expect(answer).toBeRefused('csr-malformed')
})

for (const [what, privateKey] of [
  ['short key', () => freshKey('rsa', 1024)],
  ['long key', () => freshKey('rsa', 2304)],
  ['another curve', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
] as const)
  test(...rule('certificates.enrol', `invalid request, ${what}`), async ({ login }) => {
    const { api } = await login()
    const expectNoneIssued = await watchIssued(api)
    const answer = await applyFor(api, { privateKey: privateKey() })
    expect(answer).toBeRefused('csr-key-refused')
    await expectNoneIssued()
  })

test(...rule('certificates.enrol', 'invalid request, weak hash'), async ({ login }) => {
  const { api } = await login()
  const expectNoneIssued = await watchIssued(api)
  const answer = await applyFor(api, { privateKey: freshKey('rsa'), hash: 'md5' })
  expect(answer, 'a request signed with MD5').toBeRefused('csr-algorithm-refused')
  await expectNoneIssued()
})

test(
  ...rule('certificates.enrol', 'after a login by token'),
  async ({ serviceToken, login, own }) => {
    const { token, context } = await serviceToken()
    const { api } = await login({ token, context })
    const csr = makeCsr({ subject: personSubject({ nip: own.nip }), privateKey: certificateKey() })
    const expectNoneIssued = await watchIssued((await login()).api)
    for (const answer of [
      await api.call('certificates.data'),
      await applyFor(api, { csr: csr.toString('base64') }),
    ])
      expect(answer, answer.operation).toBeRefused('enrollment-method-unfit')
    await expectNoneIssued()
    const { canRequest } = fields(await api.call('certificates.limits'))
    expect(canRequest, 'whether an application is possible').toBe(false)
  },
)

test(...rule('certificates.enrol', 'of another subject'), async ({ login, another, unissued }) => {
  const { api } = await login()
  const started = await applyFor(api)
  const path = { referenceNumber: expectText(started, 'apply', 'referenceNumber') }
  const { serialNumber } = await obtainCertificate(api)
  const stranger = await login({ context: await another() })
  const application = await stranger.api.call('certificates.enrollment', { path })
  expect(application, 'the application of another subject').toBeRefused('enrollment-unknown')
  const missing = { referenceNumber: unissued('export') }
  const unknown = await stranger.api.call('certificates.enrollment', { path: missing })
  expect(unknown, 'an application that does not exist').toBeRefused('enrollment-unknown')
  const certificateSerialNumbers = [serialNumber]
  const retrieved = await stranger.api.call('certificates.retrieve', {
    body: { certificateSerialNumbers },
  })
  expect(retrieved.text, 'certificates that another subject retrieves').not.toContain(serialNumber)
  expect(
    await listedAs(stranger.api, serialNumber),
    'certificates in the list of another subject',
  ).toBeUndefined()
  const revoked = await stranger.api.call('certificates.revoke', {
    path: { certificateSerialNumber: serialNumber },
    body: {},
  })
  expect(revoked, 'a revocation by another subject').toBeRefused('certificate-unknown')
  expect(await listedAs(api, serialNumber), 'the certificate of its owner').toMatchObject({
    status: 'Active',
  })
})

test(
  ...rule('certificates.enrol', 'content of a person'),
  async ({ api, login, own, rng, target }) => {
    const person = personAt(own, rng, target, 'Pesel')
    await grantInTest(api, own, person.subject, ['InvoiceRead'])
    const me = await login({ context: person.context })
    const attributes = personSubject({ pesel: person.subject.value })
    expect(await attributesOf(me.api), 'the attributes of the login').toMatchObject({
      ...attributes,
    })
    const { credentials } = await obtainCertificate(me.api)
    const { subject } = new X509Certificate(credentials.certificate)
    for (const value of Object.values(attributes))
      expect(subject, 'the subject of the certificate').toContain(value)
  },
)

test(
  ...rule('certificates.enrol', 'requested content, of a seal with a unique identifier'),
  async ({ login, own, target }) => {
    const uniqueIdentifier = 'SEAL-7'
    const subject = { ...sealSubject(own.nip), uniqueIdentifier }
    const credentials = ownCertificate(target, { subject })
    const seal = contextWith({ type: own.type, value: own.value }, credentials, target.now)
    const { api } = await login({ context: seal })
    const attributes = await attributesOf(api)
    expect(attributes, 'the attributes of the login').toMatchObject({ uniqueIdentifier })
    const { credentials: issued } = await obtainCertificate(api)
    const named = new X509Certificate(issued.certificate).subject
    expect(named, 'the subject of the certificate').toContain(uniqueIdentifier)
  },
)

test(
  ...rule('certificates.enrol', 'invalid request, key of another subject'),
  async ({ login, another }) => {
    const { api } = await login()
    const privateKey = certificateKey()
    await obtainCertificate(api, { privateKey })
    const other = await login({ context: await another() })
    const before = await serialsOf(other.api)
    const asked = await applyFor(other.api, { privateKey })
    const outcome = await outcomeOfApplication(other.api, asked)
    const code = 'request' in outcome ? outcome.status : outcome.status.code
    expect(code, 'how the application of another subject with the same key ends').toBe(400)
    expect(await serialsOf(other.api), 'certificates of the other subject').toEqual(before)
  },
)
