import {
  fetchChallenge,
  finishLogin,
  loginWithDocument,
  refreshAccess,
  settleAuthentication,
  startWithDocument,
} from '../../../lib/flows/login.ts'
import { freshKey, makeCertificate, personSubject, sealSubject } from '../../../lib/node/pki.ts'
import type { Credentials } from '../../../lib/node/pki.ts'
import { euAdministrator, headOfUnit } from '../../support/callers/administrators.ts'
import { createContexts } from '../../support/service/context-source.ts'
import { contextWith } from '../../support/service/contexts.ts'
import type { Me, OwnContext } from '../../support/service/contexts.ts'
import { obtainCertificate } from '../../support/callers/enrolment.ts'
import type { Fixtures as All } from '../../support/harness/fixtures.ts'
import { euGrant, grantBy, grantPerson } from '../../support/callers/grants.ts'
import { heldAlone } from '../../support/coverage/matrices.ts'
import { pagesByToken } from '../../support/answers/paged-lists.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { nameIn, nameless, unvouched } from '../../support/steps/seals.ts'
import { enterByToken, mintToken } from '../../support/callers/service-token.ts'
import { authenticateAs, fields, outcomeOfAuthentication } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { inTwoContexts } from '../../support/scenes/two-contexts.ts'

/** Who may sign in where: each kind of context, certificate and environment. */

type Fixtures = Pick<All, 'api' | 'own' | 'login' | 'another' | 'rng' | 'target'>

const kinds = ['Nip', 'InternalId', 'NipVatUe'] as const

for (const granted of kinds)
  test(
    ...familyRule('auth.xades.context-kinds', 'permissions of one context', granted),
    async ({ api, login, rng, target }) => {
      const me = await login()
      const scene = { me, login, rng, target }
      const managers: Readonly<Record<(typeof kinds)[number], Me>> = {
        Nip: me,
        InternalId: await headOfUnit(scene),
        NipVatUe: await euAdministrator(scene),
      }
      const { api: manager, context } = managers[granted]
      const { subject, context: visitor } = personAt(context, rng, target, 'Fingerprint')
      if (granted === 'NipVatUe')
        await grantBy(manager, 'permissions.grantEu', euGrant(subject.value, ['InvoiceRead']))
      else await grantPerson(manager, subject, ['InvoiceRead'])
      for (const kind of kinds) {
        const { type, value } = managers[kind].context
        const outcome = await authenticateAs(api, visitor, { context: { type, value } })
        if (kind === granted) expect(outcome, `in the ${kind}`).toHaveSucceeded('authentication')
        else expect(outcome, `in the ${kind}`).toBeRejected('subject-without-permission')
      }
    },
  )

/** What a permission of a person allows is another matter: any one of them is enough to sign in. */
for (const [rule, kind] of [
  ['auth.xades.fingerprint', 'Fingerprint'],
  ['auth.xades.accepted', 'Nip'],
  ['auth.xades.accepted', 'Pesel'],
] as const)
  test(
    ...familyRule(rule, 'permissions of one context', `each permission alone, ${kind}`),
    async ({ api, login, rng, target }) => {
      const me = await login()
      for (const permission of heldAlone) {
        const { subject, context } = personAt(me.context, rng, target, kind)
        const before = await authenticateAs(api, context)
        expect(before, `without ${permission}`).toBeRejected('subject-without-permission')
        await grantPerson(me.api, subject, [permission])
        const after = await authenticateAs(api, context)
        expect(after, `with ${permission} alone`).toHaveSucceeded('authentication')
      }
    },
  )

/** The certificates that a subject signs in with, and how such a login is named. */
const certificates: Readonly<
  Record<
    string,
    {
      readonly make: (fixtures: Fixtures, signer: OwnContext) => Promise<Credentials>
      /** Names of other methods, which must not be reported. */
      readonly not: readonly string[]
    }
  >
> = {
  'a seal': {
    make: ({ target }, { nip }) =>
      Promise.resolve(makeCertificate({ subject: sealSubject(nip), now: target.now() })),
    not: ['QualifiedSignature', 'PersonalSignature', 'InternalCertificate', 'Token'],
  },
  'a person': {
    make: ({ target }, { nip }) =>
      Promise.resolve(makeCertificate({ subject: personSubject({ nip }), now: target.now() })),
    not: ['QualifiedSeal', 'InternalCertificate', 'Token'],
  },
  'a certificate of the service': {
    make: async ({ login }, signer) =>
      (await obtainCertificate((await login({ context: signer })).api)).credentials,
    not: ['QualifiedSeal', 'QualifiedSignature', 'PersonalSignature', 'TrustedProfile', 'Token'],
  },
}

for (const [what, { make, not }] of Object.entries(certificates)) {
  test(
    ...familyRule('auth.xades.accepted', 'kind of certificate', `${what}, without permissions`),
    async ({ api, own, login, another, rng, target }) => {
      const signer = await another()
      const credentials = await make({ api, own, login, another, rng, target }, signer)
      const { type, value } = own
      expect(
        await authenticateAs(api, signer, { credentials }),
        'in its own context',
      ).toHaveSucceeded('authentication')
      const elsewhere = await authenticateAs(api, signer, { credentials, context: { type, value } })
      expect(elsewhere, 'in the context of another').toBeRejected('subject-without-permission')
    },
  )

  test(
    ...familyRule('auth.sessions.described', 'kind of certificate', what),
    async ({ api, own, login, another, rng, target }) => {
      const credentials = await make({ api, own, login, another, rng, target }, own)
      const context = contextWith({ type: own.type, value: own.value }, credentials, target.now)
      const me = await login({ context })
      const path = { referenceNumber: me.referenceNumber }
      const bearer = me.authenticationToken
      const rows = (await pagesByToken(me.api, 'auth.sessions', 'items', { pageSize: 100 })).flat()
      for (const [where, record] of [
        ['in its status', fields(await api.call('auth.status', { path, bearer }))],
        ['in the list', rows.find((row) => row['referenceNumber'] === me.referenceNumber)],
      ] as const) {
        const named = record?.['authenticationMethod']
        if (named !== undefined && named !== null)
          expect(not, `other methods than that of the login, ${where}`).not.toContain(named)
      }
    },
  )
}

for (const environment of ['demo', 'production'] as const)
  test(
    ...familyRule('auth.xades.service-certificate', 'certificate of the service', environment),
    async ({ inEnvironment, ledger, rng }) => {
      const target = await inEnvironment(environment)
      const api = target.client(ledger.record)
      const own = await createContexts(target, rng)()
      expect(await authenticateAs(api, own)).toHaveSucceeded('authentication')
    },
  )

test(
  ...familyRule(
    'auth.refresh.repeatable',
    'permissions of two contexts',
    'after a dozen later logins, here and in another',
  ),
  async ({ api, login, own, another, rng, target }) => {
    const { here, there } = await inTwoContexts({ api, login, own, another, rng, target })
    for (let later = 0; later < 12; later += 1) await login({ context: here.context })
    await login({ context: there.context })
    for (const [where, { refreshToken: bearer, accessToken }] of [
      ['here', here],
      ['in another context', there],
    ] as const) {
      const answer = await api.call('auth.refresh', { bearer })
      expect(answer, `a refresh of the first login ${where}`).toBeOk()
      const call = await api.call('limits.context', { bearer: accessToken })
      expect(call, `a call of the first login ${where}`).toBeOk()
    }
  },
)

test(
  ...familyRule(
    'auth.token.other-context-refused',
    'permissions of one context',
    'a service token of somebody who works in two',
  ),
  async ({ api, login, own, another, rng, target }) => {
    const { here, there } = await inTwoContexts({ api, login, own, another, rng, target })
    for (const [mine, other] of [
      [here, there],
      [there, here],
    ] as const) {
      const { token } = await mintToken(mine, ['InvoiceRead'])
      const elsewhere = await enterByToken(api, other.context, token)
      expect(elsewhere, 'in the other context').toBeRejected('token-refused')
      const outcome = await enterByToken(api, mine.context, token)
      expect(outcome, 'in its own context').toHaveSucceeded('authentication')
    }
  },
)

test(
  ...familyRule(
    'auth.xades.self-signed-by-environment',
    'certificate of the service',
    'imitated in production',
  ),
  async ({ inEnvironment, ledger, rng }) => {
    const target = await inEnvironment('production')
    const api = target.client(ledger.record)
    const own = await createContexts(target, rng)()
    const subject = sealSubject(own.nip)
    const now = target.now()
    const imitation = makeCertificate({
      subject,
      issuer: nameIn(own.credentials, 'issuer'),
      issuerKey: freshKey('p256'),
      now,
    })
    for (const [what, credentials] of [
      ['self-signed', makeCertificate({ subject, now })],
      ['with the name of its issuer', imitation],
    ] as const)
      for (const verifyCertificateChain of [undefined, false]) {
        const { challenge } = await fetchChallenge(api)
        const body = await own.document(challenge, { credentials })
        const query = verifyCertificateChain === undefined ? {} : { verifyCertificateChain }
        const answer = await api.call('auth.xades', { body, query })
        const outcome = await outcomeOfAuthentication(api, answer)
        expect(outcome, what).toBeRejected('certificate-refused')
      }
  },
)

test(
  ...familyRule(
    'auth.xades.self-signed-by-environment',
    'certificate of the service',
    'self-signed, with permissions of its fingerprint in demo',
  ),
  async ({ inEnvironment, ledger, rng }) => {
    const target = await inEnvironment('demo')
    const api = target.client(ledger.record)
    const owner = await createContexts(target, rng)()
    const sign = (challenge: string) => owner.document(challenge)
    const { accessToken: bearer } = await loginWithDocument(api, { sign })
    const { credentials, identifier } = nameless(target, rng)
    await grantPerson(api.with({ bearer, by: 'document' }), identifier, ['InvoiceRead'])
    const as = { credentials, subjectIdentifierType: 'certificateFingerprint' } as const
    expect(await authenticateAs(api, owner, as)).toBeRejected('certificate-refused')
  },
)

for (const environment of ['demo', 'production'] as const)
  test(
    ...familyRule(
      'auth.xades.self-signed-by-environment',
      'certificate of the service',
      `self-signed after a login with an issued one, ${environment}`,
    ),
    async ({ inEnvironment, ledger, rng }) => {
      const target = await inEnvironment(environment)
      const api = target.client(ledger.record)
      const own = await createContexts(target, rng)()
      const { privateKey } = own.credentials
      const named = { subject: nameIn(own.credentials, 'subject'), now: target.now() }
      const untrusted = [
        makeCertificate({ ...named, subject: sealSubject(own.nip), keys: 'p256' }),
        makeCertificate({ ...named, keys: 'p256' }),
        makeCertificate({ ...named, privateKey }),
        ...unvouched(own.nip, target),
      ]
      const expectRefused = async (when: string) => {
        for (const [place, credentials] of untrusted.entries()) {
          const outcome = await authenticateAs(api, own, { credentials })
          expect(outcome, `certificate ${place + 1}, ${when}`).toBeRejected('certificate-refused')
        }
      }
      const sign = (challenge: string) => own.document(challenge)
      const started = await startWithDocument(api, { sign })
      const settled = await settleAuthentication(api, started)
      expect(settled, 'with the issued one').toHaveSucceeded('authentication')
      await expectRefused('after the authentication')
      const { refreshToken } = await finishLogin(api, started)
      await expectRefused('after the redemption')
      await refreshAccess(api, refreshToken)
      await expectRefused('after a refresh')
      const last = await authenticateAs(api, own)
      expect(last, 'with the issued one again').toHaveSucceeded('authentication')
    },
  )
