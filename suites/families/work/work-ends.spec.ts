import type { RuleId } from '../../../contract/rules.ts'
import { limits } from '../../../contract/limits.ts'
import type { Lifecycle } from '../../../contract/types.ts'
import { stateOf } from '../../../contract/lifecycles.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import { createExport } from '../../../lib/flows/export.ts'
import {
  fetchChallenge,
  readStarted,
  startWithDocument,
  tokenLoginBody,
} from '../../../lib/flows/login.ts'
import {
  closeOnline,
  openOnline,
  settleSession,
  submissionBody,
  submit,
} from '../../../lib/flows/session.ts'
import { statusOf } from '../../../lib/flows/settle.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { expectOk, expectText } from '../../../lib/outcome.ts'
import { poll } from '../../../lib/poll.ts'
import { slowDown } from '../../support/scenes/delayed.ts'
import { applyFor } from '../../support/callers/enrolment.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import {
  byNip,
  grantPerson,
  listGranted,
  personGrant,
  revoke,
} from '../../support/callers/grants.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import { only, packed } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { receivedNumbers } from '../../support/steps/received.ts'
import { accept, outcomeOfInvoice, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Every kind of asynchronous work ends, however it started: ten minutes later its status is the expected final one. */

interface Work {
  readonly rule: RuleId
  readonly of: Lifecycle
  /** The state in which it ends. */
  readonly ends: number
  /** Starts the work; looks at its status. */
  readonly start: (fixtures: Fixtures) => Promise<() => Promise<Exchange>>
}

/** An interactive session with some documents, closed. */
const online =
  (documents: (invoice: Fixtures['invoice']) => readonly Uint8Array[]): Work['start'] =>
  async ({ login, invoice }) => {
    const { api } = await login()
    const session = await openOnline(api, { formCode: formCodes.fa3 })
    for (const bytes of documents(invoice)) await submit(api, session, bytes)
    await closeOnline(api, session)
    const path = { referenceNumber: session.referenceNumber }
    return () => api.call('sessions.status', { path })
  }

const batch =
  (
    documents: (invoice: Fixtures['invoice']) => readonly Uint8Array[],
    partBytes?: number,
  ): Work['start'] =>
  async ({ login, invoice }) => {
    const { api } = await login()
    const files = documents(invoice).map((bytes) => ({ bytes }))
    const made = await packed(files, partBytes === undefined ? {} : { partBytes })
    const session = await openBatch(api, made, { formCode: formCodes.fa3 })
    await uploadParts(api, session, made.parts)
    await closeBatch(api, session)
    const path = { referenceNumber: session.referenceNumber }
    return () => api.call('sessions.status', { path })
  }

const submitted =
  (bytesOf: (invoice: Fixtures['invoice']) => Uint8Array): Work['start'] =>
  async ({ open, invoice }) => {
    const { api, session } = await open()
    const { referenceNumber } = await submit(api, session, bytesOf(invoice))
    const path = {
      referenceNumber: session.referenceNumber,
      invoiceReferenceNumber: referenceNumber,
    }
    return () => api.call('invoices.inSession', { path })
  }

const authentication = ({ api }: Fixtures, started: ReturnType<typeof readStarted>) => {
  const path = { referenceNumber: started.referenceNumber }
  return () => api.call('auth.status', { path, bearer: started.authenticationToken })
}

const valid = (invoice: Fixtures['invoice']) => invoice().bytes

const works: Readonly<Record<string, Work>> = {
  'authentication by document': {
    rule: 'auth.status.moves-forward',
    of: 'authentication',
    ends: 200,
    start: async (fixtures) =>
      authentication(
        fixtures,
        await startWithDocument(fixtures.api, { sign: (text) => fixtures.own.document(text) }),
      ),
  },
  'authentication by service token': {
    rule: 'auth.token.accepted',
    of: 'authentication',
    ends: 200,
    async start(fixtures) {
      const { api, serviceToken } = fixtures
      const { context, token } = await serviceToken()
      const login = { context: { type: context.type, value: context.value }, token }
      const body = await tokenLoginBody(api, login, await fetchChallenge(api))
      return authentication(fixtures, readStarted(await api.call('auth.token', { body }), 'log in'))
    },
  },
  'interactive session': {
    rule: 'sessions.status.moves-forward',
    of: 'onlineSession',
    ends: 200,
    start: online((invoice) => [valid(invoice), spoilt, valid(invoice)]),
  },
  'interactive session without a valid invoice': {
    rule: 'sessions.status.moves-forward',
    of: 'onlineSession',
    ends: 445,
    start: online(() => [spoilt]),
  },
  'interactive session without invoices': {
    rule: 'sessions.status.moves-forward',
    of: 'onlineSession',
    ends: 440,
    start: online(() => []),
  },
  'batch session': {
    rule: 'sessions.batch.close',
    of: 'batchSession',
    ends: 200,
    start: batch((invoice) => [valid(invoice), spoilt, valid(invoice)]),
  },
  'batch session of several parts': {
    rule: 'sessions.batch.close',
    of: 'batchSession',
    ends: 200,
    start: batch((invoice) => [valid(invoice), valid(invoice)], 400),
  },
  'batch session without a valid invoice': {
    rule: 'sessions.batch.close',
    of: 'batchSession',
    ends: 445,
    start: batch(() => [spoilt]),
  },
  'valid invoice': {
    rule: 'invoices.submit.accepted',
    of: 'invoice',
    ends: 200,
    start: submitted(valid),
  },
  'invalid invoice': {
    rule: 'invoices.content.invalid-rejected',
    of: 'invoice',
    ends: 450,
    start: submitted(() => spoilt),
  },
  'invoice without a session': {
    rule: 'invoices.send.alternative',
    of: 'invoice',
    ends: 200,
    async start({ login, invoice }) {
      const { api } = await login()
      const sent = await api.call('invoices.send', { body: invoice().bytes })
      const invoiceId = expectText(sent, 'send an invoice', 'referenceNumber')
      return () => api.call('invoices.status', { path: { invoiceId } })
    },
  },
  export: {
    rule: 'exports.status.moves-forward',
    of: 'export',
    ends: 200,
    async start({ login, clock }) {
      const { api } = await login()
      const { referenceNumber } = await createExport(api, { filters: issuedAround(clock.now()) })
      return () => api.call('exports.status', { path: { referenceNumber } })
    },
  },
  grant: {
    rule: 'operations.status.reports',
    of: 'operation',
    ends: 200,
    async start({ login, rng }) {
      const { api } = await login()
      const body = personGrant(byNip(drawNip(rng)), ['InvoiceRead'])
      const started = await api.call('permissions.grantPerson', { body })
      const referenceNumber = expectText(started, 'grant', 'referenceNumber')
      return () => api.call('operations.status', { path: { referenceNumber } })
    },
  },
  revocation: {
    rule: 'operations.status.reports',
    of: 'operation',
    ends: 200,
    async start({ login, rng }) {
      const { api } = await login()
      await grantPerson(api, byNip(drawNip(rng)), ['InvoiceRead'])
      const started = await revoke(api, only(await listGranted(api)).id)
      const referenceNumber = expectText(started, 'revoke', 'referenceNumber')
      return () => api.call('operations.status', { path: { referenceNumber } })
    },
  },
  'application for a certificate': {
    rule: 'certificates.enrol',
    of: 'application',
    ends: 200,
    async start({ login }) {
      const { api } = await login()
      const referenceNumber = expectText(await applyFor(api), 'apply', 'referenceNumber')
      return () => api.call('certificates.enrollment', { path: { referenceNumber } })
    },
  },
}

const tenMinutes = 600_000

for (const [name, { rule, of, ends, start }] of Object.entries(works))
  test(
    ...familyRule(rule, name.includes('token') ? 'work by a service token' : 'work', name),
    async ({ api, own, login, open, invoice, serviceToken, clock, rng, target }) => {
      const fixtures = { api, own, login, open, invoice, serviceToken, clock, rng } as Fixtures
      await slowDown(target, of)
      const look = await start(fixtures)
      const codeOf = (exchange: Exchange): number =>
        statusOf(expectOk(exchange, 'look at the work').body)?.code ?? 0
      const atFirst = codeOf(await look())
      await clock.advance(tenMinutes)
      const isPending = (code: number): boolean =>
        stateOf(of, code)?.outcome === 'pending' || code < 200
      const polling = { everyMs: 100, times: 20, sleep: api.sleep }
      const { last, done } = await poll(look, (seen) => !isPending(codeOf(seen)), polling)
      const { code, description } = reported(last).status
      expect(done, `a final state after ten minutes, not ${code} (${description})`).toBe(true)
      expect([atFirst, code, codeOf(await look())], 'its states').toMoveAlong(of)
      expect(reported(last), 'the state that it ended in').toBeInState(of, ends)
    },
  )

test(
  ...familyRule(
    'sessions.online.receipt-after-close',
    'work',
    'receipt of a session that is left open',
  ),
  async ({ open, invoice, login, clock }) => {
    const desk = await open()
    const { svcNumber } = await accept(desk, invoice().bytes)
    await outcomeOfInvoice(desk, spoilt)
    await clock.advance(limits['session.onlineLifetime'].value * 1000 + tenMinutes)
    const { api } = await login()
    const settled = await settleSession(api, desk.session)
    expect(settled).toHaveSucceeded('onlineSession')
    expect(await receivedNumbers(api, settled), 'what its receipt lists').toEqual([svcNumber])
  },
)

test(
  ...familyRule('sessions.online.close', 'work', 'interactive sessions that are left open'),
  async ({ login, invoice, clock }) => {
    const before = await login()
    const left = async (...documents: readonly Uint8Array[]) => {
      const session = await openOnline(before.api, { formCode: formCodes.fa3 })
      for (const bytes of documents) await submit(before.api, session, bytes)
      return session
    }
    const [used, invalid, empty] = [await left(invoice().bytes), await left(spoilt), await left()]
    await clock.advance(limits['session.onlineLifetime'].value * 1000 + tenMinutes)
    const { api } = await login()
    for (const { referenceNumber } of [used, invalid, empty]) {
      const look = await api.call('sessions.status', { path: { referenceNumber } })
      expect(reported(look).status.code, 'the state of a session past its end').not.toBe(100)
    }
    expect(await settleSession(api, used), 'with a valid invoice').toHaveSucceeded('onlineSession')
    for (const session of [invalid, empty])
      expect(await settleSession(api, session)).not.toHaveSucceeded('onlineSession')
    const path = { referenceNumber: used.referenceNumber }
    const body = await submissionBody(api, used, invoice().bytes)
    expect(await api.call('invoices.submit', { path, body })).toBeClientError()
  },
)
