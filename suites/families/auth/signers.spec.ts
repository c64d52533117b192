import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import {
  fetchChallenge,
  readToken,
  settleAuthentication,
  startWithDocument,
  startWithToken,
} from '../../../lib/flows/login.ts'
import type { Started } from '../../../lib/flows/login.ts'
import { makeCertificate } from '../../../lib/node/pki.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { poll } from '../../../lib/poll.ts'
import type { Me } from '../../support/service/contexts.ts'
import {
  applyFor,
  listedAs,
  obtainCertificate,
  outcomeOfApplication,
} from '../../support/callers/enrolment.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import {
  grantPerson,
  listGranted,
  outcomeOfOperation,
  revoke,
} from '../../support/callers/grants.ts'
import { kin } from '../../support/callers/kin.ts'
import { pagesByToken } from '../../support/answers/paged-lists.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { enterByToken, mintToken } from '../../support/callers/service-token.ts'
import { signersOf, signingWith } from '../../support/scenes/signers.ts'
import { authenticateAs, fields, outcomeOfAuthentication } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What holds for everybody who signs, with whatever certificate and in whatever kind of context. */

for (const form of ['enveloped', 'enveloping'] as const)
  test(
    ...familyRule(`auth.xades.${form}`, 'every signer', form),
    async ({ api, own, login, rng, target }) => {
      const signers = await signersOf({ api, own, login, rng, target })
      for (const [who, context] of Object.entries(signers))
        expect
          .soft(await authenticateAs(api, context, { form }), who)
          .toHaveSucceeded('authentication')
      const { challenge } = await fetchChallenge(api)
      const byService = signers['a certificate of the service'] ?? own
      const answer = await api.call('auth.xades', {
        body: await byService.document(challenge, { form }),
        query: { verifyCertificateChain: true },
      })
      const verified = await outcomeOfAuthentication(api, answer)
      expect(verified, 'with its chain verified').toHaveSucceeded('authentication')
      const allowedIps = { addresses: [], ranges: ['0.0.0.0-255.255.255.255'], masks: [] }
      const restricted = await authenticateAs(api, own, { form, allowedIps })
      expect(restricted, 'restricted to all addresses').toHaveSucceeded('authentication')
      const subject = { commonName: 'An authority', countryName: 'PL' }
      const { certificate } = makeCertificate({ subject, now: target.now(), keys: 'p256' })
      const inChain = await authenticateAs(api, own, { form, chain: [certificate] })
      expect(inChain, 'with further certificates in KeyInfo').toHaveSucceeded('authentication')
    },
  )

/** A signer who has signed in: what is redeemed, and with which token. */
interface Entered {
  readonly redeem: () => ReturnType<Client['call']>
  readonly referenceNumber: string
}

const enter = async (api: Client, started: Started): Promise<Entered> => {
  await settleAuthentication(api, started)
  const { referenceNumber, authenticationToken: bearer } = started
  return { referenceNumber, redeem: () => api.call('auth.redeem', { bearer }) }
}

const pairIn = (answer: Exchange) => {
  const { accessToken, refreshToken } = fields(answer)
  return {
    access: readToken(accessToken)?.token ?? '',
    refresh: readToken(refreshToken)?.token ?? '',
  }
}

const redeemed = async ({ redeem }: Entered) => pairIn(await redeem())

const listed = async (api: Client, bearer: string) => {
  const query = { pageSize: 100 }
  const rows = await pagesByToken(api.with({ bearer }), 'auth.sessions', 'items', query)
  return rows.flat().map((row) => row['referenceNumber'])
}

/** How a certificate is listed after its revocation for a reason; the call itself has to succeed. */
const revoked = async (api: Client, serialNumber: string, revocationReason: string) => {
  const path = { certificateSerialNumber: serialNumber }
  const answer = await api.call('certificates.revoke', { path, body: { revocationReason } })
  expect.soft(answer, 'the revocation').toBeOk()
  const { last } = await poll(
    async () => (await listedAs(api, serialNumber))?.status,
    (status) => status === 'Revoked',
    { ...api.polling, times: 20, sleep: api.sleep },
  )
  return last
}

interface Row {
  readonly rule: RuleId
  /** It holds for a login by a service token too. */
  readonly byToken?: boolean
  readonly look: (api: Client, entered: Entered, who: string) => Promise<void>
}

const rows: readonly Row[] = [
  {
    rule: 'auth.redeem.issues-pair',
    byToken: true,
    async look(api, entered, who) {
      const answer = await entered.redeem()
      expect.soft(answer, `the redemption of ${who}`).toBeOk()
      const { access, refresh } = pairIn(answer)
      const call = await api.call('limits.context', { bearer: access })
      expect.soft(call, `a call of ${who}`).toBeOk()
      expect.soft(refresh, `the refresh token of ${who}`).toMatch(/\S/)
    },
  },
  {
    rule: 'auth.refresh.repeatable',
    byToken: true,
    async look(api, entered, who) {
      const { refresh } = await redeemed(entered)
      for (const which of ['first', 'second']) {
        const answer = await api.call('auth.refresh', { bearer: refresh })
        expect.soft(answer, `the ${which} refresh of ${who}`).toBeOk()
        const bearer = readToken(fields(answer)['accessToken'])?.token ?? ''
        expect.soft(await api.call('limits.context', { bearer }), `a call of ${who}`).toBeOk()
      }
    },
  },
  {
    rule: 'auth.sessions.listed',
    byToken: true,
    async look(api, entered, who) {
      const { access: bearer } = await redeemed(entered)
      expect(await api.call('auth.sessions', { bearer }), `a look of ${who}`).toBeOk()
      const seen = await listed(api, bearer)
      expect.soft(seen, `the logins of ${who}`).toContain(entered.referenceNumber)
    },
  },
  {
    rule: 'auth.sessions.ended',
    byToken: true,
    async look(api, entered, who) {
      const { access, refresh } = await redeemed(entered)
      expect.soft(await api.call('auth.revokeCurrent', { bearer: access }), who).toBeOk()
      const answer = await api.call('auth.refresh', { bearer: refresh })
      expect.soft(answer, `a refresh of ${who}`).toBeRefused('refresh-refused')
    },
  },
  {
    rule: 'certificates.enrol',
    async look(api, entered, who) {
      const { access: bearer } = await redeemed(entered)
      const mine = api.with({ bearer })
      for (const type of ['Authentication', 'Offline'] as const) {
        const outcome = await outcomeOfApplication(mine, await applyFor(mine, { type }))
        expect.soft(outcome, `an application of ${who}, ${type}`).toHaveSucceeded('application')
      }
    },
  },
  {
    rule: 'certificates.revoke',
    async look(api, entered, who) {
      const { access: bearer } = await redeemed(entered)
      const mine = api.with({ bearer })
      const later = new Date(api.now() + 30 * 24 * 3_600_000).toISOString()
      for (const [application, revocationReason] of [
        [{ type: 'Offline' }, 'KeyCompromise'],
        [{ validFrom: later }, 'Unspecified'],
      ] as const) {
        const { serialNumber } = await obtainCertificate(mine, application)
        const what = `${Object.values(application).join()}, ${revocationReason}, of ${who}`
        expect.soft(await revoked(mine, serialNumber, revocationReason), what).toBe('Revoked')
      }
    },
  },
]

for (const { rule, byToken = false, look } of rows) {
  test(
    ...familyRule(rule, 'every signer', 'enveloped'),
    async ({ api, own, login, rng, target }) => {
      const signers = await signersOf({ api, own, login, rng, target })
      for (const [who, context] of Object.entries(signers)) {
        const sign = (challenge: string) => context.document(challenge)
        await look(api, await enter(api, await startWithDocument(api, { sign })), who)
      }
    },
  )
  if (byToken)
    test(
      ...familyRule(rule, 'every signer', 'none: a service token of a unit'),
      async ({ api, login, rng, target }) => {
        const unit = await kin.InternalId({ me: await login(), login, rng, target })
        const { token, context } = await mintToken(unit, ['InvoiceRead'])
        const { type, value } = context
        const started = await startWithToken(api, { context: { type, value }, token })
        await look(api, await enter(api, started), 'a service token of a unit')
      },
    )
}

test(
  ...familyRule('testdata.blocks', 'every signer', 'in a blocked context'),
  async ({ api, own, login, rng, target }) => {
    const signers = await signersOf({ api, own, login, rng, target })
    const here = Object.entries(signers).filter(([, { value }]) => value === own.value)
    const { credentials } = await obtainCertificate((await login()).api)
    const verified = async () => {
      const { challenge } = await fetchChallenge(api)
      const document = await own.document(challenge, { credentials })
      const query = { verifyCertificateChain: true }
      const answer = await api.call('auth.xades', { body: document, query })
      return outcomeOfAuthentication(api, answer)
    }
    const body = { contextIdentifier: { type: own.type, value: own.value } }
    expectOk(await api.call('testdata.blockContext', { body }), 'block the context')
    for (const [who, context] of here)
      expect.soft(await authenticateAs(api, context), who).toBeRejected('context-blocked')
    expect.soft(await verified(), 'with its chain verified').toBeRejected('context-blocked')
    expectOk(await api.call('testdata.unblockContext', { body }), 'unblock the context')
    for (const [who, context] of here)
      expect.soft(await authenticateAs(api, context), who).toHaveSucceeded('authentication')
    expect(await verified(), 'with its chain verified').toHaveSucceeded('authentication')
  },
)

/** A login by a certificate of the service. */
const holder = async ({ own, login }: Pick<Fixtures, 'own' | 'login'>): Promise<Me> => {
  const { credentials } = await obtainCertificate((await login()).api)
  return login({ context: signingWith(own, credentials) })
}

test(
  ...familyRule('permissions.revoke.effective', 'every signer', 'by a certificate of the service'),
  async ({ api, own, login, rng, target }) => {
    const me = await holder({ own, login })
    const { subject, context } = personAt(own, rng, target)
    await grantPerson(me.api, subject, ['InvoiceRead'])
    expect(await authenticateAs(api, context), 'with it').toHaveSucceeded('authentication')
    for (const { id } of await listGranted(me.api)) {
      const outcome = await outcomeOfOperation(me.api, await revoke(me.api, id))
      expect(outcome, 'the revocation').toHaveSucceeded('operation')
    }
    expect(await listGranted(me.api), 'permissions afterwards').toEqual([])
    const later = await authenticateAs(api, context)
    expect(later, 'without it').not.toHaveSucceeded('authentication')
  },
)

test(
  ...familyRule('tokens.create.within-rights', 'every signer', 'by a certificate of the service'),
  async ({ api, own, login }) => {
    const me = await holder({ own, login })
    for (const permissions of [['InvoiceRead'], ['InvoiceWrite', 'CredentialsManage']]) {
      const made = await me.api.call('tokens.create', {
        body: { permissions, description: 'conformance check' },
      })
      expect(made, `a token for ${permissions.join(', ')}`).toBeOk()
    }
    const { token } = await mintToken(me)
    const entered = await enterByToken(api, own, token)
    expect(entered, 'a login by the token').toHaveSucceeded('authentication')
  },
)
