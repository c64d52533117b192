import type { OperationId } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import type { CallOptions } from '../../../lib/request.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { exportBody } from '../../../lib/flows/export.ts'
import {
  fetchChallenge,
  settleAuthentication,
  startWithDocument,
  tokenLoginBody,
} from '../../../lib/flows/login.ts'
import { drawSecret, encryptionFields, submissionBody } from '../../../lib/flows/session.ts'
import { Inconclusive, expectText } from '../../../lib/outcome.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { permissionCalls } from './calls/permissions.ts'
import { nothing, unfiltered } from './calls/ready-call.ts'
import type { ReadyCall } from './calls/ready-call.ts'
import { testdataCalls } from './calls/testdata.ts'
import { applyFor, outcomeOfApplication, requireCertificate } from '../callers/enrolment.ts'
import { outcomeOfOperation } from '../callers/grants.ts'
import { formCodes } from '../checks/forms.ts'
import { ifOffered } from '../run/not-offered.ts'
import type { Stage } from '../callers/stage.ts'
import { fields } from '../steps/steps.ts'

const description = 'made by a conformance check'

const submitted = async ({ shared }: Stage) => {
  const { session, referenceNumber } = await shared.accepted()
  return { path: { referenceNumber: session, invoiceReferenceNumber: referenceNumber } }
}
const numbered = async ({ shared }: Stage) => {
  const { svcNumber } = await shared.accepted()
  return { path: { svcNumber } }
}
const inSession = async ({ shared }: Stage) => ({
  path: { referenceNumber: (await shared.accepted()).session },
})
const operationOf = ({ body }: Exchange) => ({
  path: { referenceNumber: String(fields({ body })['referenceNumber']) },
})

/** Operation -> a call of it that the owner of a context may make, and that succeeds. */
export const calls: Readonly<Record<OperationId, (stage: Stage) => Promise<ReadyCall>>> = {
  'transport.health': nothing,
  'transport.openapi': nothing,

  'auth.challenge': nothing,
  'auth.xades': async ({ api, me }) => ({
    body: await me.context.document((await fetchChallenge(api)).challenge),
  }),
  'auth.token': async ({ api, token }) => {
    const { context, token: value } = await token()
    const { type, value: whose } = context
    const login = { context: { type, value: whose }, token: value }
    return { body: await tokenLoginBody(api, login, await fetchChallenge(api)) }
  },
  'auth.status': ({ me }) =>
    Promise.resolve({
      path: { referenceNumber: me.referenceNumber },
      bearer: me.authenticationToken,
    }),
  'auth.redeem': async ({ api, me }) => {
    const sign = (challenge: string) => me.context.document(challenge)
    const started = await startWithDocument(api, { sign })
    await settleAuthentication(api, started)
    return { bearer: started.authenticationToken }
  },
  'auth.refresh': ({ me }) => Promise.resolve({ bearer: me.refreshToken }),
  'auth.sessions': nothing,
  'auth.revokeCurrent': async ({ login }) => ({ bearer: (await login()).accessToken }),
  'auth.revoke': async ({ login }) => ({
    path: { referenceNumber: (await login()).referenceNumber },
  }),

  'tokens.create': () =>
    Promise.resolve({ body: { permissions: ['InvoiceRead', 'InvoiceWrite'], description } }),
  'tokens.list': nothing,
  'tokens.status': async ({ token }) => ({
    path: { referenceNumber: (await token()).referenceNumber ?? '' },
  }),
  'tokens.revoke': async ({ token }) => ({
    path: { referenceNumber: (await token()).referenceNumber ?? '' },
  }),

  'keys.list': nothing,

  'sessions.openOnline': async ({ me }) => ({
    body: { formCode: formCodes.fa3, ...(await encryptionFields(me.api, drawSecret())) },
  }),
  'sessions.closeOnline': async ({ session }) => ({
    path: { referenceNumber: (await session()).referenceNumber },
  }),
  'sessions.openBatch': async ({ batchBody }) => ({ body: await batchBody() }),
  'sessions.uploadPart': async ({ batch }) => {
    const { batch: made, session } = await batch()
    const [upload] = session.uploads
    const [part] = made.parts
    if (upload === undefined || part === undefined)
      throw new Inconclusive('open a batch session', 'an address for its part')
    const { url: address, method, headers } = upload
    return { address, method, headers, body: part.bytes, media: 'application/octet-stream' }
  },
  'sessions.closeBatch': async ({ uploadedBatch }) => ({
    path: { referenceNumber: (await uploadedBatch()).referenceNumber },
  }),
  'sessions.list': () => Promise.resolve({ query: { sessionType: 'Online' } }),
  'sessions.status': inSession,
  'sessions.invoices': inSession,
  'sessions.failed': inSession,

  'invoices.submit': async ({ me, invoice, shared }) => {
    const session = await shared.open()
    return {
      path: { referenceNumber: session.referenceNumber },
      body: await submissionBody(me.api, session, invoice().bytes),
    }
  },
  'invoices.inSession': submitted,
  'invoices.send': ({ invoice }) => Promise.resolve({ body: invoice().bytes }),
  'invoices.byNumber': async ({ shared }) => ({
    path: { invoiceNumber: (await shared.stored()).made.number },
  }),
  'invoices.bySvcNumber': async ({ shared }) => ({
    path: { svcNumber: (await shared.stored()).svcNumber },
  }),
  'invoices.status': async ({ shared }) => ({
    path: { invoiceId: (await shared.accepted()).referenceNumber },
  }),
  'invoices.statusBySvcNumber': numbered,
  'invoices.createCollective': async ({ shared }) => {
    const { svcNumber } = await shared.accepted()
    return { body: { invoices: [{ svcNumber }] } }
  },
  'invoices.queryCollectives': ({ me }) => {
    const day = 24 * 3600 * 1000
    const [dateCreatedFrom, dateCreatedTo] = [-day, day].map((by) =>
      new Date(me.api.now() + by).toISOString(),
    )
    return Promise.resolve({ body: { dateCreatedFrom, dateCreatedTo } })
  },
  'invoices.ofCollective': async ({ me, shared }) => {
    const { svcNumber } = await shared.accepted()
    const body = { invoices: [{ svcNumber }] }
    const answer = await me.api.call('invoices.createCollective', { body })
    const step = 'create a collective identifier'
    const collectiveIdentifierNumber = expectText(answer, step, 'collectiveIdentifierNumber')
    return { path: { collectiveIdentifierNumber } }
  },
  'invoices.collectivesOf': numbered,
  'queries.providers': nothing,

  'receipts.session': async ({ shared }) => {
    const { session, page } = await shared.accepted()
    return { path: { referenceNumber: session, upoReferenceNumber: page.referenceNumber } }
  },
  'receipts.invoice': submitted,
  'receipts.invoiceBySvcNumber': async ({ shared }) => {
    const { session, svcNumber } = await shared.accepted()
    return { path: { referenceNumber: session, svcNumber } }
  },
  'receipts.link': async ({ shared }) => {
    const { receiptUrl } = await shared.accepted()
    if (receiptUrl === undefined)
      throw new Inconclusive('read the status of an accepted invoice', 'a receipt link')
    return { address: receiptUrl, method: 'GET' }
  },

  'queries.metadata': ({ filters }) => Promise.resolve({ body: filters() }),
  'queries.general': ({ filters }) => Promise.resolve({ body: filters() }),

  'exports.create': async ({ me, filters }) => ({
    body: await exportBody(me.api, { filters: filters() }, drawSecret()),
  }),
  'exports.status': async ({ shared }) => ({
    path: { referenceNumber: (await shared.exported()).referenceNumber },
  }),
  'exports.part': async ({ shared }) => {
    await shared.accepted()
    const { part } = await shared.exported()
    if (part === undefined) throw new Inconclusive('find the package', 'a part')
    return { address: part.url, method: part.method }
  },

  'operations.status': async ({ me, personGrant }) => {
    const started = await me.api.call('permissions.grantPerson', { body: personGrant() })
    await outcomeOfOperation(me.api, started)
    return operationOf(started)
  },

  ...permissionCalls,

  'certificates.limits': nothing,
  'certificates.data': ({ me }) => {
    requireCertificate(me.api)
    return Promise.resolve({})
  },
  'certificates.enroll': async ({ me }) => {
    const { request } = await applyFor(me.api)
    return { body: String(request.body) }
  },
  'certificates.enrollment': async ({ me }) => {
    const started = await applyFor(me.api)
    await outcomeOfApplication(me.api, started)
    return operationOf(started)
  },
  'certificates.retrieve': async ({ certificate }) => ({
    body: { certificateSerialNumbers: [(await certificate()).serialNumber] },
  }),
  'certificates.revoke': async ({ certificate }) => ({
    path: { certificateSerialNumber: (await certificate()).serialNumber },
    body: { revocationReason: 'Superseded' },
  }),
  'certificates.query': unfiltered,

  'limits.context': nothing,
  'limits.subject': nothing,
  'limits.rates': nothing,

  ...testdataCalls,
}

/** Makes a call that is ready; `more` replaces what it would send. */
export const perform = (
  api: Client,
  operation: OperationId,
  { address, by = api, ...ready }: ReadyCall,
  more: CallOptions = {},
): Promise<Exchange> => {
  if (address === undefined) return by.call(operation, { ...ready, ...more })
  const { method = 'GET' } = ready
  // A signed address takes no bearer; in other dialects it is called like any other operation.
  const { bearer: kind } = wireOperation(operation, api.dialect)
  const bearer = kind === 'access' ? (api.identity.bearer ?? null) : null
  return api.request(method, address, { bearer, ...ready, ...more, operation })
}

/**
 * Ready calls of some operations, all prepared before the first one is sent: preparing has effects of its own. An
 * operation for which the target lacks something is left out, so that the others are tried all the same.
 * @throws {NotOffered} when none is left
 */
export const readyCalls = async (
  stage: Stage,
  operations: readonly OperationId[],
): Promise<ReadonlyMap<OperationId, ReadyCall>> => {
  const ready = new Map<OperationId, ReadyCall>()
  for (const operation of operations) {
    const call = await ifOffered(async () => calls[operation](stage))
    if (call !== undefined) ready.set(operation, call)
  }
  // Made again for its reason.
  const [first] = operations
  if (ready.size === 0 && first !== undefined) ready.set(first, await calls[first](stage))
  return ready
}
