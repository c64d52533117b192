import { environments } from '../../../contract/environments.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { callPart, createExport, exportParts, settleExport } from '../../../lib/flows/export.ts'
import {
  fetchChallenge,
  settleAuthentication,
  startWithDocument,
} from '../../../lib/flows/login.ts'
import { openOnline, settleSession } from '../../../lib/flows/session.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import { makeCertificate, personSubject } from '../../../lib/node/pki.ts'
import { expectText } from '../../../lib/outcome.ts'
import { calls, perform } from './calls.ts'
import { contextWith } from '../service/contexts.ts'
import { applyFor, listedAs, outcomeOfApplication } from '../callers/enrolment.ts'
import { formCodes } from '../checks/forms.ts'
import { byNip, grantOperations, outcomeOfOperation, unitGrant } from '../callers/grants.ts'
import { spoilt } from '../documents/malformed.ts'
import { meaningOfRow, statedIn } from '../answers/meaning.ts'
import { orLost } from './neighbours.ts'
import type { Kind } from './neighbours.ts'
import { pagesByToken, sessionsOf } from '../answers/paged-lists.ts'
import type { Row } from '../answers/paged-lists.ts'
import { findAll } from '../steps/searches.ts'
import { enterByToken, mintToken } from '../callers/service-token.ts'
import type { Stage } from '../callers/stage.ts'
import { accept, authenticate, fields, outcomeOfInvoice } from '../steps/steps.ts'
import { expect } from '../judging/matchers.ts'

/** Kinds of things, and what is done to another of the kind: none of it affects the first. */

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

const logins = {
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
} as const satisfies Readonly<Record<string, Kind>>

/** What is done to sessions of both kinds. */
const onSessions = [
  'sessions.openOnline',
  'sessions.openBatch',
  'sessions.uploadPart',
  'sessions.closeBatch',
  'sessions.closeOnline',
] as const

const documents = {
  session: {
    rule: 'sessions.list.complete',
    ofOthers: 'sessions.online.side-by-side',
    acts: [...onSessions, 'invoices.submit', 'invoices.send'],
    async make({ me: { api }, invoice, target }) {
      const since = target.now() - 60_000
      const session = await openOnline(api, { formCode: formCodes.fa3 })
      const { referenceNumber } = session
      const listed = async () =>
        saidOf(
          ['sessions.list', 'sessions'],
          await sessionsOf(api, 'Online', since),
          referenceNumber,
        )
      return {
        look: async () => [
          statedIn(await api.call('sessions.status', { path: { referenceNumber } }), 'look'),
          await listed(),
        ],
        async use() {
          const outcome = await outcomeOfInvoice({ api, session }, invoice().bytes)
          expect(outcome, 'an invoice in it').toHaveSucceeded('invoice')
        },
      }
    },
  },
  package: {
    rule: 'sessions.batch.close',
    acts: onSessions,
    async make({ me: { api }, uploadedBatch }) {
      const { referenceNumber } = await uploadedBatch()
      const path = { referenceNumber }
      return {
        look: async () => statedIn(await api.call('sessions.status', { path }), 'look'),
        async use() {
          expect(await api.call('sessions.closeBatch', { path }), 'its close').toBeOk()
          const settled = await settleSession(api, { referenceNumber }, 'batchSession')
          expect(settled).toHaveSucceeded('batchSession')
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
} as const satisfies Readonly<Record<string, Kind>>

const others = {
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
} as const satisfies Readonly<Record<string, Kind>>

/** Every kind of thing whose neighbours something can be done to. */
export const neighbourKinds = { ...logins, ...documents, ...others }
