import { X509Certificate, createPublicKey } from 'node:crypto'
import { operationIds } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import { createExport } from '../../../lib/flows/export.ts'
import {
  finishLogin,
  refreshAccess,
  startWithDocument,
  startWithToken,
} from '../../../lib/flows/login.ts'
import type { Started } from '../../../lib/flows/login.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { expectText } from '../../../lib/outcome.ts'
import { perform, readyCalls } from '../../support/scenes/calls.ts'
import type { ReadyCall } from '../../support/scenes/calls/ready-call.ts'
import type { Me } from '../../support/service/contexts.ts'
import { wrongDecisions } from '../../support/callers/decisions.ts'
import { hold } from '../../support/scenes/delayed.ts'
import { applyFor, certificateKey, listedAs } from '../../support/callers/enrolment.ts'
import { documentsIn, fetchFiles } from '../../support/steps/export-parts.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { byNip, grantPerson, settleOperation, unitGrant } from '../../support/callers/grants.ts'
import { offered } from '../../support/service/offered.ts'
import { listInvoices, packed } from '../../support/steps/packages.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { findAll } from '../../support/steps/searches.ts'
import { mintToken } from '../../support/callers/service-token.ts'
import { createStage } from '../../support/callers/stage.ts'
import { accept, fields } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Work of one context that overlaps: each answer belongs to its own request, and so does what becomes of it. */

/** A piece of work that was started. */
interface Begun {
  readonly referenceNumber: string
  /** Goes on with it when all are begun. */
  readonly proceed?: () => Promise<void>
  /** Its status, by the reference in its own answer. */
  readonly look: () => Promise<Exchange>
  /** What became of it. */
  readonly result: () => Promise<unknown>
  readonly wanted: unknown
}

interface Row {
  readonly rule: RuleId
  /** The kind of work that takes time meanwhile. */
  readonly kind: string
  /** Prepares the pieces of work, each different from the others, in the order in which they are started. */
  readonly prepare: (fixtures: Fixtures) => Promise<readonly (() => Promise<Begun | undefined>)[]>
}

const telling = ['queries.metadata', 'sessions.closeOnline', 'permissions.queryEntities'] as const

/** What becomes of a sign-in: the first access token, or one that its refresh token brings. */
type Entry = (api: Client, started: Started) => Promise<string>

const redeemed: Entry = async (api, started) => (await finishLogin(api, started)).accessToken

const refreshed: Entry = async (api, started) =>
  (await refreshAccess(api, (await finishLogin(api, started)).refreshToken)).accessToken

/** A sign-in of a caller who holds one permission. */
const signIn =
  (api: Client, start: () => Promise<Started>, held: string) =>
  (enter: Entry) =>
  async (): Promise<Begun> => {
    const started = await start()
    const path = { referenceNumber: started.referenceNumber }
    const look = () => api.call('auth.status', { path, bearer: started.authenticationToken })
    const result = async () => {
      const entered = api.with({ ...api.identity, bearer: await enter(api, started) })
      return wrongDecisions(entered, [held], telling)
    }
    return { referenceNumber: started.referenceNumber, look, result, wanted: [] }
  }

const permissions = ['InvoiceRead', 'InvoiceWrite', 'CredentialsRead'] as const

/** Sign-ins of both forms in turn, of callers of whom each may do something else. */
const signIns =
  (enter: Entry) =>
  async ({ api, login, own, rng, target }: Fixtures) => {
    const me = await login()
    const starts: (() => Promise<Begun>)[] = []
    for (const permission of permissions.slice(0, 2)) {
      const { subject, context: person } = personAt(own, rng, target)
      await grantPerson(me.api, subject, [permission])
      const sign = (challenge: string) => person.document(challenge)
      starts.push(signIn(api, () => startWithDocument(api, { sign }), permission)(enter))
      const { context, token } = await mintToken(me, [permission])
      const entry = { context: { type: context.type, value: context.value }, token }
      starts.push(signIn(api, () => startWithToken(api, entry), permission)(enter))
    }
    return starts
  }

/** The owner of a context, a login by a service token of it, and the owner again. */
const both = async (login: Fixtures['login'], held: string): Promise<readonly Me[]> => {
  const me = await login()
  return [me, await login({ token: (await mintToken(me, [held])).token }), me]
}

const changes = operationIds.filter((id) => /^permissions\.(grant|revoke)/.test(id))

const rows: Readonly<Record<string, Row>> = {
  'sign-ins by document': {
    rule: 'auth.xades.accepted',
    kind: 'authentication',
    prepare: signIns(redeemed),
  },
  'sign-ins by service token': {
    rule: 'auth.token.accepted',
    kind: 'authentication',
    prepare: async (fixtures) => (await signIns(redeemed)(fixtures)).toReversed(),
  },
  'sign-ins that are redeemed': {
    rule: 'auth.redeem.issues-pair',
    kind: 'authentication',
    prepare: signIns(redeemed),
  },
  'sign-ins that are refreshed': {
    rule: 'auth.refresh.repeatable',
    kind: 'authentication',
    prepare: signIns(refreshed),
  },
  exports: {
    rule: 'exports.create.accepted',
    kind: 'export',
    async prepare({ login, open, invoice, clock }) {
      const callers = await both(login, 'InvoiceRead')
      const desk = await open({ me: callers[0]! })
      const starts: (() => Promise<Begun>)[] = []
      for (const { api } of callers) {
        const { svcNumber } = await accept(desk, invoice().bytes)
        const filters = { ...issuedAround(clock.now()), svcNumber }
        await findAll(api, filters, [svcNumber])
        starts.push(async () => {
          const started = await createExport(api, { filters })
          const path = { referenceNumber: started.referenceNumber }
          const look = () => api.call('exports.status', { path })
          const result = async () => documentsIn(await fetchFiles(api, started))
          return { ...path, look, result, wanted: [svcNumber] }
        })
      }
      return starts
    },
  },
  'grants and revocations, and one that fails': {
    rule: 'operations.status.reports',
    kind: 'operation',
    async prepare({ api, login, another, invoice, rng, target }) {
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const ready = [...(await readyCalls(stage, offered(...changes)))]
      ready.push(...(await readyCalls(stage, offered('permissions.grantPerson'))))
      const unit = { type: 'Nip', value: drawNip(rng) }
      const wrong: ReadyCall = {
        body: unitGrant(byNip(drawNip(rng)), unit, 'no unit of the caller'),
      }
      const failing: (typeof ready)[number] = ['permissions.grantSubunit', wrong]
      return ready.toSpliced(2, 0, failing).map(([operation, call]) => async () => {
        const by = call.by ?? me.api
        const answer = await perform(me.api, operation, call)
        // A service may refuse it at once: nothing is begun then.
        if (call === wrong && answer.status > 299) return undefined
        const referenceNumber = expectText(answer, operation, 'referenceNumber')
        const look = () => by.call('operations.status', { path: { referenceNumber } })
        const result = async () => (await settleOperation(by, referenceNumber)).succeeded
        return { referenceNumber, look, result, wanted: call !== wrong }
      })
    },
  },
  'applications for certificates': {
    rule: 'certificates.enrol',
    kind: 'enrollment',
    async prepare({ login }) {
      const { api } = await login()
      return ['the first', 'the second', 'the third'].map((name) => async () => {
        const privateKey = certificateKey()
        const started = await applyFor(api, { name, privateKey })
        const referenceNumber = expectText(started, 'apply', 'referenceNumber')
        const look = () => api.call('certificates.enrollment', { path: { referenceNumber } })
        const result = async () => {
          const serialNumber = String(fields(await look())['certificateSerialNumber'])
          const body = { certificateSerialNumbers: [serialNumber] }
          const answer = await api.call('certificates.retrieve', { body })
          const [found] = fields(answer)['certificates'] as readonly { certificate: string }[]
          const { publicKey } = new X509Certificate(Buffer.from(found!.certificate, 'base64'))
          const listed = await listedAs(api, serialNumber)
          return [listed?.name, publicKey.export({ type: 'spki', format: 'pem' })]
        }
        const key = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' })
        return { referenceNumber, look, result, wanted: [name, key] }
      })
    },
  },
  'service tokens': {
    rule: 'tokens.status.described',
    kind: 'token',
    async prepare({ login }) {
      const { api } = await login()
      return permissions.map((permission) => async () => {
        const description = `a token for ${permission}`
        const body = { permissions: [permission], description }
        const made = await api.call('tokens.create', { body })
        const referenceNumber = expectText(made, 'create a service token', 'referenceNumber')
        const token = expectText(made, 'create a service token', 'token')
        const look = () => api.call('tokens.status', { path: { referenceNumber } })
        const result = async () => {
          const seen = fields(await look())
          const { api: within } = await login({ token })
          const wrong = await wrongDecisions(within, [permission], telling)
          return [seen['description'], seen['requestedPermissions'], wrong]
        }
        return { referenceNumber, look, result, wanted: [description, [permission], []] }
      })
    },
  },
  'invoices without a session': {
    rule: 'invoices.send.alternative',
    kind: 'invoice',
    async prepare({ login, invoice }) {
      const callers = await both(login, 'InvoiceWrite')
      return callers.map(({ api }) => async () => {
        const { bytes, number } = invoice()
        const sent = await api.call('invoices.send', { body: bytes })
        const referenceNumber = expectText(sent, 'send an invoice', 'referenceNumber')
        const path = { invoiceId: referenceNumber }
        const look = () => api.call('invoices.status', { path })
        const result = async () => fields(await look())['invoiceNumber']
        return { referenceNumber, look, result, wanted: number }
      })
    },
  },
  'batch sessions': {
    rule: 'sessions.batch.opens',
    kind: 'batch',
    async prepare({ login, invoice }) {
      const callers = await both(login, 'InvoiceWrite')
      return callers.map(({ api }) => async () => {
        const { bytes, number } = invoice()
        const made = await packed([{ bytes }])
        const session = await openBatch(api, made, { formCode: formCodes.fa3 })
        const { referenceNumber } = session
        const proceed = async () => {
          await uploadParts(api, session, made.parts)
          await closeBatch(api, session)
        }
        const look = () => api.call('sessions.status', { path: { referenceNumber } })
        const result = async () =>
          (await listInvoices(api, referenceNumber)).map(({ invoiceNumber }) => invoiceNumber)
        return { referenceNumber, proceed, look, result, wanted: [number] }
      })
    },
  },
}

for (const [name, { rule, kind, prepare }] of Object.entries(rows))
  test(
    ...familyRule(rule, 'answer of its own', name),
    async ({ api, own, login, another, open, invoice, target, clock, rng }) => {
      const fixtures = { api, own, login, another, open, invoice, target, clock, rng } as Fixtures
      const starts = await prepare(fixtures)
      const done = await hold(fixtures, kind)
      const begun: Begun[] = []
      for (const start of starts) begun.push(...[await start()].flatMap((one) => one ?? []))
      const references = begun.map(({ referenceNumber }) => referenceNumber)
      expect(new Set(references).size, 'reference numbers that differ').toBe(begun.length)
      // The last one first: none may rely on the order of the others.
      for (const { proceed } of begun.toReversed()) await proceed?.()
      for (const [place, { look }] of begun.entries())
        expect(await look(), `the status of piece ${place + 1} while all are pending`).toBeOk()
      await done()
      const results: unknown[] = []
      for (const { result } of begun) results.push(await result())
      expect(results, 'what became of them, in the order in which they started').toEqual(
        begun.map(({ wanted }) => wanted),
      )
    },
  )
