import { lifecycles } from '../../contract/lifecycles.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { State } from '../../contract/types.ts'
import { closeBatch, openBatch, uploadParts } from '../../lib/flows/batch.ts'
import { createExport, settleExport } from '../../lib/flows/export.ts'
import {
  fetchChallenge,
  settleAuthentication,
  startWithDocument,
  tokenLoginBody,
} from '../../lib/flows/login.ts'
import { settleInvoice, settleSession, submit } from '../../lib/flows/session.ts'
import type { Settled } from '../../lib/flows/settle.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { Inconclusive, expectOk, expectText } from '../../lib/outcome.ts'
import {
  applyFor,
  listedAs,
  obtainCertificate,
  outcomeOfApplication,
} from '../support/enrolment.ts'
import { issuedAround } from '../support/filters.ts'
import type { Fixtures } from '../support/fixtures.ts'
import { formCodes } from '../support/forms.ts'
import { byNip, listGranted, personGrant, settleOperation } from '../support/grants.ts'
import { covering } from '../support/matrices.ts'
import { listInvoices, packed, sendBatch } from '../support/packages.ts'
import { familyRule } from '../support/rule.ts'
import { statesUntil } from '../support/service-token.ts'
import {
  authenticateAs,
  finish,
  outcomeOfAuthentication,
  outcomeOfInvoice,
} from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/**
 * Every state of failure of asynchronous work, most of which no caller can bring about: the work reports it with a
 * description, stays in it, and has none of its effects.
 */

interface Work {
  readonly rule: RuleId
  /** Starts the work once it is set to fail; returns how it ended, and checks that it had no effect. */
  readonly run: (
    fixtures: Fixtures,
    fail: () => Promise<void>,
  ) => Promise<{ readonly ended: Settled; readonly look: () => Promise<Settled> }>
}

const works = {
  authentication: {
    rule: 'auth.status.failure-is-final',
    async run({ api, own }, fail) {
      await fail()
      const started = await startWithDocument(api, { sign: (text) => own.document(text) })
      const look = () => settleAuthentication(api, started)
      const ended = await look()
      const redeemed = await api.call('auth.redeem', { bearer: started.authenticationToken })
      expect(redeemed).toBeRefused('redeem-refused')
      return { ended, look }
    },
  },
  batchSession: {
    rule: 'sessions.status.moves-forward',
    async run({ login, invoice }, fail) {
      const { api } = await login()
      const batch = await packed([invoice()])
      const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
      await uploadParts(api, session, batch.parts)
      await fail()
      await closeBatch(api, session)
      const look = () => settleSession(api, session, 'batchSession')
      const ended = await look()
      const accepted = (await listInvoices(api, session.referenceNumber)).filter(
        ({ svcNumber }) => svcNumber !== undefined,
      )
      expect(accepted, 'accepted invoices of a failed package').toEqual([])
      return { ended, look }
    },
  },
  invoice: {
    rule: 'invoices.rejected.may-be-resent',
    async run({ open, invoice }, fail) {
      const desk = await open()
      const { bytes } = invoice()
      await fail()
      const { referenceNumber } = await submit(desk.api, desk.session, bytes)
      const look = () => settleInvoice(desk.api, desk.session, referenceNumber)
      const ended = await look()
      expect(ended.body['svcNumber'] ?? undefined, 'a service number').toBeUndefined()
      expect(await outcomeOfInvoice(desk, bytes), 'sent once more').toHaveSucceeded('invoice')
      const { body } = await finish(desk)
      expect(body, 'the counts of the session').toMatchObject({
        invoiceCount: 2,
        successfulInvoiceCount: 1,
        failedInvoiceCount: 1,
      })
      const path = desk.session.referenceNumber
      const failed = await listInvoices(desk.api, path, 'sessions.failed')
      expect(
        failed.map((row) => row.referenceNumber),
        'incorrectly processed invoices',
      ).toEqual([referenceNumber])
      return { ended, look }
    },
  },
  export: {
    rule: 'exports.status.moves-forward',
    async run({ open, invoice, target }, fail) {
      const desk = await open()
      await outcomeOfInvoice(desk, invoice().bytes)
      await fail()
      const started = await createExport(desk.api, { filters: issuedAround(target.now()) })
      const look = () => settleExport(desk.api, started)
      const ended = await look()
      expect(ended.body['package'] ?? undefined, 'a package').toBeUndefined()
      return { ended, look }
    },
  },
  operation: {
    rule: 'operations.status.reports',
    async run({ login, rng }, fail) {
      const { api } = await login()
      const value = drawNip(rng)
      await fail()
      const body = personGrant(byNip(value), ['InvoiceRead'])
      const started = await api.call('permissions.grantPerson', { body })
      const reference = expectText(started, 'grant', 'referenceNumber')
      const look = () => settleOperation(api, reference)
      const ended = await look()
      const given = (await listGranted(api)).filter(
        ({ authorizedIdentifier }) => authorizedIdentifier.value === value,
      )
      expect(given, 'permissions after a failed grant').toEqual([])
      return { ended, look }
    },
  },
  application: {
    rule: 'certificates.enrol',
    async run({ login }, fail) {
      const { api } = await login()
      await fail()
      const started = await applyFor(api)
      const look = async () => {
        const outcome = await outcomeOfApplication(api, started)
        if ('request' in outcome) throw new Inconclusive('apply', 'an application', outcome)
        return outcome
      }
      const ended = await look()
      expect(ended.body['certificateSerialNumber'] ?? undefined, 'a serial number').toBeUndefined()
      return { ended, look }
    },
  },
} as const satisfies Readonly<Partial<Record<keyof typeof lifecycles, Work>>>

/** Failure states that follow directly on a pending state. */
const failuresOf = (lifecycle: keyof typeof works): State[] => {
  const next = new Set(
    lifecycles[lifecycle].flatMap((state) => (state.outcome === 'pending' ? state.next : [])),
  )
  return lifecycles[lifecycle].filter(
    ({ code, outcome }) => outcome === 'failure' && next.has(code),
  )
}

for (const lifecycle of Object.keys(works) as (keyof typeof works)[]) {
  const { rule, run }: Work = works[lifecycle]
  for (const { code, name } of failuresOf(lifecycle))
    test(
      ...familyRule(
        rule,
        'state of failure',
        `${lifecycle} ${code} (${name})`,
        covering('state', { rows: [`${lifecycle} ${code}`] }),
      ),
      async ({ api, own, login, open, invoice, rng, target }) => {
        const fail = async () => target.management?.endNext(lifecycle, code)
        const fixtures = { api, own, login, open, invoice, rng, target } as Fixtures
        const { ended, look } = await run(fixtures, fail)
        expect(ended, 'the state that it ended in').toBeInState(lifecycle, code)
        expect(ended.status.description, 'a description').toMatch(/\S/)
        expect((await look()).status.code, 'the same state later').toBe(ended.status.code)
      },
    )
}

test(
  ...familyRule(
    'tokens.status.moves-forward',
    'state of failure',
    'token 400 (Failed)',
    covering('state', { rows: ['token 400'] }),
  ),
  async ({ api, login, target }) => {
    const me = await login()
    await target.management?.endNext('token', 400)
    const body = { permissions: ['InvoiceRead'], description: 'one that fails' }
    const made = await me.api.call('tokens.create', { body })
    const referenceNumber = expectText(made, 'create a token', 'referenceNumber')
    const seen = await statesUntil(me.api, referenceNumber, 'Failed')
    expect(seen.at(-1), 'the state of the token').toBe('Failed')
    const { type, value } = me.context
    const request = { context: { type, value }, token: expectText(made, 'create', 'token') }
    const started = await api.call('auth.token', {
      body: await tokenLoginBody(api, request, await fetchChallenge(api)),
    })
    expect(await outcomeOfAuthentication(api, started)).toBeRejected('token-refused')
  },
)

test(
  ...familyRule(
    'certificates.two-years',
    'state of failure',
    'certificate 200 (Expired)',
    covering('state', { rows: ['certificate 200'] }),
  ),
  async ({ api, own, login, clock }) => {
    const me = await login()
    const { serialNumber, credentials } = await obtainCertificate(me.api)
    const end = new Date(clock.now() + 3_600_000).toISOString()
    const path = { serialNumber }
    const body = { validTo: end }
    expectOk(
      await me.api.call('testdata.updateCertificate', { path, body }),
      'shorten its validity',
    )
    const prolonged = { validTo: new Date(Date.parse(end) + 3_600_000).toISOString() }
    const asked = await me.api.call('testdata.updateCertificate', { path, body: prolonged })
    expect(asked, 'a later end').toBeRefused('invalid-input')
    await clock.set(Date.parse(end) + 60_000)
    const later = await login()
    const listed = await listedAs(later.api, serialNumber)
    expect(listed?.status, 'the listed state').toBe('Expired')
    expect(await authenticateAs(api, own, { credentials })).toBeRejected('certificate-refused')
  },
)

for (const code of [500, 550])
  test(
    ...familyRule('sessions.batch.failed-list', 'state of failure', `invoice ${code} of a package`),
    async ({ login, invoice, target }) => {
      const { api } = await login()
      await target.management?.endNext('invoice', code)
      const { referenceNumber } = await sendBatch(api, await packed([invoice(), invoice()]))
      const failed = await listInvoices(api, referenceNumber, 'sessions.failed')
      expect(
        failed.map(({ status }) => status.code),
        'the codes of the incorrectly processed invoices',
      ).toEqual([code])
    },
  )
