import { environments } from '../../contract/environments.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import type { Client } from '../../lib/client.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { callPart, createExport, exportParts, settleExport } from '../../lib/flows/export.ts'
import { fetchChallenge, settleAuthentication, startWithDocument } from '../../lib/flows/login.ts'
import { openOnline } from '../../lib/flows/session.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { drawPesel } from '../../lib/identifiers/pesel.ts'
import { makeCertificate, personSubject } from '../../lib/node/pki.ts'
import { expectText } from '../../lib/outcome.ts'
import { calls, perform } from '../support/calls.ts'
import { contextWith } from '../support/contexts.ts'
import { applyFor, listedAs, outcomeOfApplication } from '../support/enrolment.ts'
import type { Fixtures } from '../support/fixtures.ts'
import { formCodes } from '../support/forms.ts'
import { byNip, grantOperations, outcomeOfOperation, unitGrant } from '../support/grants.ts'
import { spoilt } from '../support/malformed.ts'
import { meaningOfRow, statedIn } from '../support/meaning.ts'
import { expectUntouched, orLost } from '../support/neighbours.ts'
import type { Kind } from '../support/neighbours.ts'
import { pagesByToken, sessionsOf } from '../support/paged-lists.ts'
import type { Row } from '../support/paged-lists.ts'
import { familyRule } from '../support/rule.ts'
import { findAll } from '../support/searches.ts'
import { enterByToken, mintToken } from '../support/service-token.ts'
import type { Stage } from '../support/stage.ts'
import { accept, authenticate, fields, outcomeOfInvoice } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** What happens to one thing does not affect another of its kind, of the same owner or of another. */

/** What a list says about a reference number. */
const saidOf = (
  [operation, list]: readonly [OperationId, string],
  rows: readonly Row[],
  referenceNumber: string,
) =>
  rows
    .filter((row) => row['referenceNumber'] === referenceNumber)
    .map((row) => meaningOfRow(operation, list, row))

const begun = async ({ api, me }: Stage) => {
  const started = await startWithDocument(api, { sign: (text) => me.context.document(text) })
  await settleAuthentication(api, started)
  return started
}

const statusOfLogin = (
  { api }: Stage,
  started: { readonly referenceNumber: string; readonly authenticationToken: string },
) => {
  const path = { referenceNumber: started.referenceNumber }
  const bearer = started.authenticationToken
  return async () => statedIn(await api.call('auth.status', { path, bearer }), 'look')
}

const logins: Readonly<Record<string, Kind>> = {
  challenge: {
    rule: 'auth.challenge.individual',
    acts: ['auth.challenge', 'auth.xades', 'auth.token'],
    async make({ api, me }) {
      const { challenge } = await fetchChallenge(api)
      return {
        async use() {
          const outcome = await authenticate(api, await me.context.document(challenge))
          expect(outcome, 'a login with an earlier challenge').toHaveSucceeded('authentication')
        },
      }
    },
  },
  login: {
    rule: 'auth.sessions.described',
    acts: ['auth.xades', 'auth.token', 'auth.redeem', 'auth.refresh', 'auth.revoke'],
    async make({ login }) {
      const { api, referenceNumber, refreshToken } = await login()
      return {
        async look() {
          const pages = await pagesByToken(api, 'auth.sessions', 'items', { pageSize: 100 })
          return saidOf(['auth.sessions', 'items'], pages.flat(), referenceNumber)
        },
        async use() {
          expect(await api.call('auth.refresh', { bearer: refreshToken }), 'its refresh').toBeOk()
        },
      }
    },
  },
  'login to be redeemed': {
    rule: 'auth.redeem.issues-pair',
    acts: ['auth.xades', 'auth.token', 'auth.redeem', 'auth.revoke', 'auth.revokeCurrent'],
    async make(stage) {
      const started = await begun(stage)
      const bearer = started.authenticationToken
      return {
        look: statusOfLogin(stage, started),
        async use() {
          expect(await stage.api.call('auth.redeem', { bearer }), 'its redemption').toBeOk()
        },
      }
    },
  },
  'failed login': {
    rule: 'auth.status.moves-forward',
    acts: ['auth.xades', 'auth.token'],
    async make(stage) {
      const { api, me, rng, target } = stage
      const subject = personSubject({ pesel: drawPesel(rng) })
      const { type, value } = me.context
      const stranger = contextWith(
        { type, value },
        makeCertificate({ subject, now: target.now() }),
        target.now,
      )
      const started = await startWithDocument(api, { sign: (text) => stranger.document(text) })
      const settled = await settleAuthentication(api, started)
      const { selfSigned } = environments[target.environment]
      expect(settled).toBeRejected(
        selfSigned ? 'subject-without-permission' : 'certificate-refused',
      )
      return { look: statusOfLogin(stage, started) }
    },
  },
  token: {
    rule: 'tokens.status.described',
    acts: ['tokens.create', 'tokens.revoke'],
    async make({ api, me }) {
      const { context, token, referenceNumber = '' } = await mintToken(me)
      const path = { referenceNumber }
      return {
        look: async () => statedIn(await me.api.call('tokens.status', { path }), 'look'),
        async use() {
          const outcome = await enterByToken(api, context, token)
          expect(outcome, 'a login by it').toHaveSucceeded('authentication')
        },
      }
    },
  },
}

const documents: Readonly<Record<string, Kind>> = {
  session: {
    rule: 'sessions.list.complete',
    acts: [
      'sessions.openOnline',
      'sessions.openBatch',
      'sessions.uploadPart',
      'sessions.closeBatch',
      'sessions.closeOnline',
      'invoices.submit',
      'invoices.send',
    ],
    async make({ me: { api }, invoice }) {
      const session = await openOnline(api, { formCode: formCodes.fa3 })
      const { referenceNumber } = session
      return {
        look: async () => [
          statedIn(await api.call('sessions.status', { path: { referenceNumber } }), 'look'),
          saidOf(['sessions.list', 'sessions'], await sessionsOf(api, 'Online'), referenceNumber),
        ],
        async use() {
          const outcome = await outcomeOfInvoice({ api, session }, invoice().bytes)
          expect(outcome, 'an invoice in it').toHaveSucceeded('invoice')
        },
      }
    },
  },
  'rejected invoice': {
    rule: 'invoices.status.outcome',
    acts: ['invoices.submit', 'invoices.send', 'sessions.closeOnline'],
    async make({ me: { api }, shared }) {
      const session = await shared.open()
      const outcome = await outcomeOfInvoice({ api, session }, spoilt)
      expect(outcome).toBeRejected('invoice-invalid')
      const { referenceNumber } = session
      const path = { referenceNumber }
      return { look: async () => statedIn(await api.call('sessions.failed', { path }), 'look') }
    },
  },
  'accepted invoice': {
    rule: 'queries.metadata.described',
    acts: ['invoices.submit', 'invoices.send', 'sessions.closeBatch'],
    async make({ me: { api }, shared, invoice, filters }) {
      const { svcNumber } = await accept({ api, session: await shared.open() }, invoice().bytes)
      const look = async () => {
        const rows = await findAll(api, { ...filters(), svcNumber }, [svcNumber])
        return rows.map((row) => meaningOfRow('queries.metadata', 'invoices', row))
      }
      await look()
      return { look }
    },
  },
  export: {
    rule: 'exports.status.moves-forward',
    acts: ['exports.create'],
    async make({ me: { api }, filters }) {
      const started = await createExport(api, { filters: filters() })
      const settled = await settleExport(api, started)
      const [part] = exportParts(settled)
      const path = { referenceNumber: started.referenceNumber }
      const look = async () => statedIn(await api.call('exports.status', { path }), 'look')
      return {
        look,
        async use() {
          expect(await callPart(api, part!), 'its part').toBeOk()
        },
      }
    },
  },
}

const others: Readonly<Record<string, Kind>> = {
  operation: {
    rule: 'operations.status.reports',
    acts: [...grantOperations, 'permissions.revoke', 'permissions.revokeAuthorization'],
    async make(stage, { operation, by }) {
      const statusOf = (client: Client, answer: Exchange) => async () => {
        const path = { referenceNumber: expectText(answer, 'begin', 'referenceNumber') }
        return statedIn(await client.call('operations.status', { path }), 'look')
      }
      const started = await perform(by, operation, { ...(await calls[operation](stage)), by })
      expect(await outcomeOfOperation(by, started)).toHaveSucceeded('operation')
      const lookAtStarted = statusOf(by, started)
      const before = await lookAtStarted()
      const { api } = stage.me
      const unit = { type: 'Nip', value: drawNip(stage.rng) }
      const body = unitGrant(byNip(drawNip(stage.rng)), unit, 'no unit of this caller')
      const failing = await api.call('permissions.grantSubunit', { body })
      expect(await outcomeOfOperation(api, failing)).toBeRejected('grant-refused')
      const after = await lookAtStarted().catch(orLost)
      expect(after, 'after a grant that failed').toEqual(before)
      // What is refused at once is no operation that could fail.
      const looks = [lookAtStarted, ...(failing.status < 300 ? [statusOf(api, failing)] : [])]
      const look = () => Promise.all(looks.map((one) => one()))
      return { look }
    },
  },
  application: {
    rule: 'certificates.enrol',
    acts: ['certificates.enroll', 'certificates.revoke'],
    async make({ me: { api } }) {
      const started = await applyFor(api)
      expect(await outcomeOfApplication(api, started)).toHaveSucceeded('application')
      const path = { referenceNumber: expectText(started, 'apply', 'referenceNumber') }
      const look = async () => {
        const state = await api.call('certificates.enrollment', { path })
        const listed = await listedAs(api, String(fields(state)['certificateSerialNumber']))
        return [
          statedIn(state, 'look'),
          meaningOfRow('certificates.query', 'certificates', listed ?? {}),
        ]
      }
      return { look }
    },
  },
}

for (const [what, kind] of Object.entries({ ...logins, ...documents, ...others }))
  test(
    ...familyRule(kind.rule, 'neighbour', what),
    async ({ api, login, another, invoice, rng, target }) =>
      expectUntouched(kind, { api, login, another, invoice, rng, target } as Fixtures),
  )
