import { fetchChallenge, readStarted } from '../../lib/flows/login.ts'
import { internalId } from '../../lib/identifiers/internal-id.ts'
import { freshKey, makeCertificate, sealSubject } from '../../lib/node/pki.ts'
import { rule } from '../support/rule.ts'
import { authenticate } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

const day = 24 * 3600 * 1000

test(...rule('auth.xades.accepted'), async ({ api, own, target }) => {
  const { challenge } = await fetchChallenge(api)
  const answer = await api.call('auth.xades', { body: await own.document(challenge) })
  expect(answer).toBeOk()
  const { authenticationToken, referenceNumber, validUntil } = readStarted(answer, 'authenticate')
  expect(authenticationToken, 'an authentication token').toMatch(/\S/)
  expect(referenceNumber, 'a reference').toMatch(/\S/)
  expect(Date.parse(validUntil ?? ''), 'an expiry in the future').toBeGreaterThan(target.now())
})

for (const [keys, name] of [
  ['rsa', 'RSA'],
  ['p256', 'P-256'],
] as const) {
  test(...rule('auth.xades.enveloped', name), async ({ api, own, target }) => {
    const { challenge } = await fetchChallenge(api)
    const subject = sealSubject(own.nip)
    const credentials = makeCertificate({ subject, now: target.now(), keys })
    const document = await own.document(challenge, { form: 'enveloped', credentials })
    expect(await authenticate(api, document)).toHaveSucceeded('authentication')
  })

  test(...rule('auth.xades.enveloping', name), async ({ api, own, target }) => {
    const { challenge } = await fetchChallenge(api)
    const subject = sealSubject(own.nip)
    const credentials = makeCertificate({ subject, now: target.now(), keys })
    const document = await own.document(challenge, { form: 'enveloping', credentials })
    expect(await authenticate(api, document)).toHaveSucceeded('authentication')
  })
}

test(...rule('auth.xades.weak-key-refused'), async ({ api, own, target }) => {
  const { challenge } = await fetchChallenge(api)
  const subject = sealSubject(own.nip)
  const privateKey = freshKey('rsa', 1024)
  const credentials = makeCertificate({ subject, now: target.now(), privateKey })
  const document = await own.document(challenge, { credentials })
  expect(await authenticate(api, document)).toBeRejected('signature-invalid')
})

test(...rule('auth.xades.context-kinds', 'nip'), async ({ api, own }) => {
  const { challenge } = await fetchChallenge(api)
  expect(await authenticate(api, await own.document(challenge))).toHaveSucceeded('authentication')
})

test(...rule('auth.xades.context-kinds', 'internal-id'), async ({ api, own }) => {
  const context = { type: 'InternalId', value: internalId(own.nip, '1234') } as const
  const { challenge } = await fetchChallenge(api)
  const answer = await api.call('auth.xades', { body: await own.document(challenge, { context }) })
  // Whether the subject holds permissions there is another question: the kind is taken.
  expect(answer).toBeOk()
})

test(...rule('auth.xades.context-kinds', 'nip-vat-ue'), async ({ api, own }) => {
  const context = { type: 'NipVatUe', value: `${own.nip}-DE123456789` } as const
  const { challenge } = await fetchChallenge(api)
  const answer = await api.call('auth.xades', { body: await own.document(challenge, { context }) })
  expect(answer).toBeOk()
})

test(...rule('auth.xades.context-kinds', 'other'), async ({ api, own }) => {
  const context = { type: 'Regon', value: '123456785' }
  const { challenge } = await fetchChallenge(api)
  const fate = await authenticate(api, await own.document(challenge, { context }))
  expect(fate).toBeRejected('document-schema')
})

test(...rule('auth.xades.context-kinds', 'none'), async ({ api, own, sign }) => {
  const { challenge } = await fetchChallenge(api)
  const request = own
    .request(challenge)
    .replace(/<ContextIdentifier>.*<\/ContextIdentifier>/, '<ContextIdentifier/>')
  expect(await authenticate(api, sign(request))).toBeRejected('document-schema')
})

test(...rule('auth.xades.subject-type', 'missing'), async ({ api, own, sign }) => {
  const { challenge } = await fetchChallenge(api)
  const request = own
    .request(challenge)
    .replace(/<SubjectIdentifierType>.*<\/SubjectIdentifierType>/, '')
  expect(await authenticate(api, sign(request))).toBeRejected('document-schema')
})

test(...rule('auth.xades.subject-type', 'unknown'), async ({ api, own }) => {
  const { challenge } = await fetchChallenge(api)
  const document = await own.document(challenge, { subjectIdentifierType: 'certificateColour' })
  expect(await authenticate(api, document)).toBeRejected('document-schema')
})

for (const [what, dates] of [
  ['not yet', { notBefore: day, notAfter: 30 * day }],
  ['no longer', { notBefore: -30 * day, notAfter: -day }],
] as const) {
  test(...rule('auth.xades.certificate-dates', what), async ({ api, own, target }) => {
    const subject = sealSubject(own.nip)
    const credentials = makeCertificate({ subject, now: target.now(), ...dates })
    const { challenge } = await fetchChallenge(api)
    const fate = await authenticate(api, await own.document(challenge, { credentials }))
    expect(fate).toBeRejected('certificate-refused')
  })
}
