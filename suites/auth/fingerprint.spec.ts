import { fetchChallenge } from '../../lib/flows/login.ts'
import { fingerprint } from '../../lib/node/certificate.ts'
import { anonymousSubject, makeCertificate } from '../../lib/node/pki.ts'
import { grantInTest } from '../support/grants.ts'
import { rule } from '../support/rule.ts'
import { authenticate } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test(...rule('auth.xades.fingerprint', 'before'), async ({ api, own, target, rng }) => {
  const subject = anonymousSubject(`Bezimienna ${rng.digits(6)}`)
  const credentials = makeCertificate({ subject, now: target.now() })
  const { challenge } = await fetchChallenge(api)
  const document = await own.document(challenge, {
    credentials,
    subjectIdentifierType: 'certificateFingerprint',
  })
  expect(await authenticate(api, document)).toBeRejected('subject-without-permission')
})

test(...rule('auth.xades.fingerprint', 'after'), async ({ api, own, target, rng }) => {
  const subject = anonymousSubject(`Bezimienna ${rng.digits(6)}`)
  const credentials = makeCertificate({ subject, now: target.now() })
  const identifier = { type: 'Fingerprint', value: fingerprint(credentials.certificate) }
  await grantInTest(api, own, identifier, ['InvoiceRead'])
  const { challenge } = await fetchChallenge(api)
  const document = await own.document(challenge, {
    credentials,
    subjectIdentifierType: 'certificateFingerprint',
  })
  expect(await authenticate(api, document)).toHaveSucceeded('authentication')
})

test(...rule('auth.xades.fingerprint', 'named as a subject'), async ({ api, own, target }) => {
  const credentials = makeCertificate({ subject: anonymousSubject('Nowak'), now: target.now() })
  const { challenge } = await fetchChallenge(api)
  const document = await own.document(challenge, { credentials })
  expect(await authenticate(api, document)).toBeRejected('certificate-without-identifier')
})
