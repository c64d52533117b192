import {
  fetchChallenge,
  readStarted,
  settleAuthentication,
  startWithDocument,
} from '../../lib/flows/login.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { forgeries } from '../../lib/node/forgeries.ts'
import { anonymousSubject, freshKey, sealSubject } from '../../lib/node/pki.ts'
import { euAdministrator, headOfUnit } from '../support/callers/administrators.ts'
import { createContexts } from '../support/service/context-source.ts'
import { selfSigned } from '../support/service/contexts.ts'
import { obtainCertificate } from '../support/callers/enrolment.ts'
import { observe } from '../support/run/explain.ts'
import { expectNoFetches, undeclared } from '../support/steps/fetches.ts'
import { expectRefusal, forgeriesOf } from '../support/scenes/forged.ts'
import { newProvider } from '../support/scenes/further-forms.ts'
import { grantInTest } from '../support/callers/grants.ts'
import { rule } from '../support/checks/rule.ts'
import { namelessCertificate, ownCertificate, sealOf, unvouched } from '../support/steps/seals.ts'
import { authenticate, authenticateAs } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

/** A service may read both forms of a signature separately. */
const forms = ['enveloped', 'enveloping'] as const

for (const environment of ['test', 'demo', 'production'] as const) {
  test(
    ...rule('auth.xades.self-signed-by-environment', environment),
    async ({ inEnvironment, ledger, rng }) => {
      const target = await inEnvironment(environment)
      const api = target.client(ledger.record)
      const own = selfSigned(drawNip(rng), target.now)
      for (const credentials of [own.credentials, ...unvouched(own.nip, target)]) {
        const outcome = await authenticateAs(api, own, { credentials })
        if (environment === 'test') expect(outcome).toHaveSucceeded('authentication')
        else expect(outcome).toBeRejected('certificate-refused')
      }
    },
  )
}

test(...rule('auth.xades.certificate-check-delay'), async ({ inEnvironment, ledger, rng }) => {
  const target = await inEnvironment('demo')
  const api = target.client(ledger.record)
  const own = await createContexts(target, rng)()
  const started = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
  const settled = await settleAuthentication(api, started)
  observe(
    `state ${settled.status.code} after ${settled.exchanges.length} looks, in ${target.environment}`,
  )
  expect(settled).toHaveSucceeded('authentication')
})

test(...rule('auth.xades.service-certificate'), async ({ login, own, api }) => {
  const me = await login()
  const { credentials } = await obtainCertificate(me.api)
  expect(await authenticateAs(api, own, { credentials })).toHaveSucceeded('authentication')
})

test(...rule('auth.xades.fingerprint', 'before a grant'), async ({ api, own, target, rng }) => {
  const { credentials } = namelessCertificate(target, rng)
  expect(
    await authenticateAs(api, own, {
      credentials,
      subjectIdentifierType: 'certificateFingerprint',
    }),
  ).toBeRejected('subject-without-permission')
})

test(...rule('auth.xades.fingerprint', 'after a grant'), async ({ api, own, target, rng }) => {
  const { credentials, identifier } = namelessCertificate(target, rng)
  await grantInTest(api, own, identifier, ['InvoiceRead'])
  expect(
    await authenticateAs(api, own, {
      credentials,
      subjectIdentifierType: 'certificateFingerprint',
    }),
  ).toHaveSucceeded('authentication')
})

test(
  ...rule('auth.xades.fingerprint', 'in another context'),
  async ({ api, own, another, target, rng }) => {
    const { credentials, identifier } = namelessCertificate(target, rng)
    const granting = await another()
    await grantInTest(api, granting, identifier, ['InvoiceRead'])
    const options = { credentials, subjectIdentifierType: 'certificateFingerprint' } as const
    const outcome = await authenticateAs(api, granting, options)
    expect(outcome, 'where it was granted').toHaveSucceeded('authentication')
    expect(await authenticateAs(api, own, options)).toBeRejected('subject-without-permission')
  },
)

test(...rule('auth.xades.fingerprint', 'identified by subject'), async ({ api, own, target }) => {
  const credentials = ownCertificate(target, { subject: anonymousSubject('Nowak') })
  expect(await authenticateAs(api, own, { credentials })).toBeRejected(
    'certificate-without-identifier',
  )
})

test(
  ...rule('auth.xades.fingerprint', 'identified by subject, after a grant'),
  async ({ api, own, target, rng }) => {
    const { credentials, identifier } = namelessCertificate(target, rng)
    await grantInTest(api, own, identifier, ['InvoiceRead'])
    const outcome = await authenticateAs(api, own, { credentials })
    expect(outcome).toBeRejected('certificate-without-identifier')
  },
)

for (const forgery of forgeriesOf(forgeries, 'auth.xades.detached-refused'))
  test(...rule('auth.xades.detached-refused', forgery.variant), ({ api, own, another }) =>
    expectRefusal(forgery, { api, own, another }),
  )

for (const forgery of forgeriesOf(forgeries, 'auth.xades.tampered-refused'))
  test(...rule('auth.xades.tampered-refused', forgery.variant), ({ api, own, another }) =>
    expectRefusal(forgery, { api, own, another }),
  )

for (const forgery of forgeriesOf(forgeries, 'auth.xades.incomplete-signature-refused'))
  test(
    ...rule('auth.xades.incomplete-signature-refused', forgery.variant),
    ({ api, own, another }) => expectRefusal(forgery, { api, own, another }),
  )

for (const forgery of forgeriesOf(forgeries, 'auth.xades.wrapping-refused'))
  test(...rule('auth.xades.wrapping-refused', forgery.variant), ({ api, own, another }) =>
    expectRefusal(forgery, { api, own, another }),
  )

for (const forgery of forgeriesOf(forgeries, 'auth.xades.hostile-xml'))
  test(...rule('auth.xades.hostile-xml', forgery.variant), ({ api, own, another }) =>
    expectRefusal(forgery, { api, own, another }),
  )

for (const [what, subset, reference, before = ''] of [
  ['external entity, network address', '<!ENTITY own SYSTEM "http://127.0.0.1:9/own">', '&own;'],
  ['external entity, password file', '<!ENTITY own SYSTEM "file:///etc/passwd">', '&own;'],
  ['parameter entity', '<!ENTITY % own SYSTEM "file:///etc/passwd"> %own;', undefined],
  ['dtd, behind a comment', '', undefined, '<!-- a comment -->'],
] as const) {
  test(...rule('auth.xades.hostile-xml', what), async ({ api, own }) => {
    const { challenge } = await fetchChallenge(api)
    const signed = await own.document(challenge)
    const pointed = reference === undefined ? signed : signed.replace(challenge, reference)
    const outcome = await authenticate(
      api,
      `${before}<!DOCTYPE AuthTokenRequest [${subset}]>${pointed}`,
    )
    expect(outcome).toBeRejected('document-unreadable')
    const said = 'text' in outcome ? outcome.text : JSON.stringify(outcome.body)
    expect(said, 'a response without content of a file').not.toMatch(/root:.*:0:0/)
  })
}

for (const [what, body] of [
  ['thousands of nested elements', '<a>'.repeat(20_000) + '</a>'.repeat(20_000)],
  [
    'thousands of attributes',
    `<a ${Array.from({ length: 20_000 }, (_, n) => `a${n}=""`).join(' ')}/>`,
  ],
] as const) {
  test(...rule('auth.xades.hostile-xml', what), async ({ api }) => {
    const document = `<AuthTokenRequest>${body}</AuthTokenRequest>`
    const answer = await api.call('auth.xades', { body: document, timeoutMs: 10_000 })
    expect(answer).toBeClientError()
    expect(await api.call('auth.challenge'), 'the service still responds').toBeOk()
  })
}

const day = 24 * 3600 * 1000

test(...rule('auth.xades.accepted'), async ({ api, own, target }) => {
  const { challenge } = await fetchChallenge(api)
  const answer = await api.call('auth.xades', { body: await own.document(challenge) })
  expect(answer).toBeOk()
  const { authenticationToken, referenceNumber, validUntil } = readStarted(answer, 'authenticate')
  expect(authenticationToken, 'an authentication token').toMatch(/\S/)
  expect(referenceNumber, 'a reference number').toMatch(/\S/)
  expect(Date.parse(validUntil ?? ''), 'an expiry in the future').toBeGreaterThan(target.now())
  const look = await api.call('auth.status', {
    path: { referenceNumber },
    bearer: authenticationToken,
  })
  expect(look, 'the status by the reference number and the token').toBeOk()
})

for (const [keys, name] of [
  ['rsa', 'RSA'],
  ['p256', 'P-256'],
] as const) {
  for (const form of ['enveloped', 'enveloping'] as const)
    test(...rule(`auth.xades.${form}`, name), async ({ api, own, target }) => {
      const { challenge } = await fetchChallenge(api)
      const credentials = sealOf(target, own, keys)
      const document = await own.document(challenge, { form, credentials })
      expect(await authenticate(api, document)).toHaveSucceeded('authentication')
    })
}

test(...rule('auth.xades.weak-key-refused'), async ({ api, own, target }) => {
  const subject = sealSubject(own.nip)
  for (const bits of [1024, 2040]) {
    const credentials = ownCertificate(target, { subject, privateKey: freshKey('rsa', bits) })
    for (const method of ['rsa-sha256', 'rsa-sha512', 'rsa-pss-sha256'] as const) {
      const outcome = await authenticateAs(api, own, { credentials, method })
      expect(outcome, `of ${bits} bits, ${method}`).toBeRejected('signature-invalid')
    }
  }
})

test(...rule('auth.xades.context-kinds', 'nip'), async ({ api, own }) => {
  expect(await authenticateAs(api, own)).toHaveSucceeded('authentication')
})

for (const [what, kind, loginOf] of [
  ['internal-id', 'InternalId', headOfUnit],
  ['nip-vat-ue', 'NipVatUe', euAdministrator],
] as const)
  test(...rule('auth.xades.context-kinds', what), async ({ api: open, login, rng, target }) => {
    const accepted: typeof login = async (options) => {
      if (options?.context !== undefined)
        expect(await authenticateAs(open, options.context), 'a login').toHaveSucceeded(
          'authentication',
        )
      return login(options)
    }
    const scene = { me: await login(), login: accepted, rng, target }
    const { accessToken, api, context } = await loginOf(scene)
    expect(context.type, 'the type of the context').toBe(kind)
    expect(accessToken, 'an access token').toMatch(/\S/)
    expect(await api.call('limits.context'), 'a call in that context').toBeOk()
  })

test(...rule('auth.xades.hostile-xml', 'nothing fetched'), ({ api, own, sign }) =>
  expectNoFetches('AuthTokenRequest', async (typed) => {
    const { challenge } = await fetchChallenge(api)
    const document = typed(undeclared(sign(own.request(challenge))))
    expect.soft(await authenticate(api, document)).toBeRejected('document-unreadable')
  }),
)

for (const [what, context, refusal] of [
  ['unknown', { type: 'Regon', value: '123456785' }, 'document-schema'],
  ['not of this service', { type: 'PeppolId', value: 'PPL123456' }, 'subject-context-mismatch'],
] as const)
  test(...rule('auth.xades.context-kinds', what), async ({ api, own }) => {
    expect(await authenticateAs(api, own, { context })).toBeRejected(refusal)
  })

test(
  ...rule('auth.xades.context-kinds', 'not of this service, by its seal'),
  async ({ api, rng, target }) => {
    const outcome = await authenticateAs(api, newProvider(rng, target))
    expect(outcome).toBeRejected('subject-context-mismatch')
  },
)

test(...rule('auth.xades.context-kinds', 'missing'), async ({ api, own, sign }) => {
  const { challenge } = await fetchChallenge(api)
  const request = own
    .request(challenge)
    .replace(/<ContextIdentifier>.*<\/ContextIdentifier>/, '<ContextIdentifier/>')
  for (const form of forms)
    expect(await authenticate(api, sign(request, { form })), form).toBeRejected('document-schema')
})

test(...rule('auth.xades.subject-type', 'missing'), async ({ api, own, sign }) => {
  const { challenge } = await fetchChallenge(api)
  const request = own
    .request(challenge)
    .replace(/<SubjectIdentifierType>.*<\/SubjectIdentifierType>/, '')
  for (const form of forms)
    expect(await authenticate(api, sign(request, { form })), form).toBeRejected('document-schema')
})

test(...rule('auth.xades.subject-type', 'unknown'), async ({ api, own }) => {
  for (const form of forms) {
    const options = { subjectIdentifierType: 'certificateColour', form } as const
    expect(await authenticateAs(api, own, options), form).toBeRejected('document-schema')
  }
})

for (const [what, dates] of [
  ['not yet valid', { notBefore: day, notAfter: 30 * day }],
  ['expired', { notBefore: -30 * day, notAfter: -day }],
] as const) {
  test(...rule('auth.xades.certificate-dates', what), async ({ api, own, target }) => {
    const subject = sealSubject(own.nip)
    const credentials = ownCertificate(target, { subject, ...dates })
    const outcome = await authenticateAs(api, own, { credentials })
    expect(outcome).toBeRejected('certificate-refused')
  })
}
