import type { OperationId } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import { sha256 } from '../../../lib/crypto.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import type { CallOptions } from '../../../lib/request.ts'
import { fetchChallenge, readStarted, settleAuthentication } from '../../../lib/flows/login.ts'
import { retrieveStored } from '../../../lib/flows/retrieve.ts'
import {
  closeOnline,
  settleInvoice,
  settleSession,
  submissionBody,
  submit,
} from '../../../lib/flows/session.ts'
import type { OnlineSession, Submission } from '../../../lib/flows/session.ts'
import type { Settled, Status } from '../../../lib/flows/settle.ts'
import { settle, statusOf } from '../../../lib/flows/settle.ts'
import { Inconclusive, expectOk, expectText } from '../../../lib/outcome.ts'
import { poll } from '../../../lib/poll.ts'
import type { DocumentOptions, OwnContext } from '../service/contexts.ts'
import { expect, isRefused, outcomeOfCode } from '../judging/matchers.ts'
import type { WorkOutcome, Reported } from '../judging/matchers.ts'
import { noteMade } from '../run/own-work.ts'

/** Steps that many checks share: each does one thing and returns its outcome, whether immediate or later. */

const failed = (exchange: Exchange): boolean => exchange.status < 200 || exchange.status > 299

/**
 * The outcome of an authentication: an immediate refusal, or the final status. An empty answer starts nothing to await,
 * but is no refusal either.
 */
export const outcomeOfAuthentication = async (
  api: Client,
  exchange: Exchange,
): Promise<Exchange | Settled> =>
  failed(exchange) || exchange.text === ''
    ? exchange
    : settleAuthentication(api, readStarted(exchange, 'authenticate'))

/** Sends a signed document and returns the outcome of the authentication. */
export const authenticate = async (
  api: Client,
  document: string | Uint8Array,
): Promise<Exchange | Settled> =>
  outcomeOfAuthentication(api, await api.call('auth.xades', { body: document }))

/** Signs a fresh challenge with the credentials of a context and returns the outcome of the authentication. */
export const authenticateAs = async (
  api: Client,
  context: OwnContext,
  options: DocumentOptions = {},
): Promise<Exchange | Settled> => {
  const { challenge } = await fetchChallenge(api)
  return authenticate(api, await context.document(challenge, options))
}

/** A client with an open interactive session: most checks of invoices work with one. */
export interface Desk {
  readonly api: Client
  readonly session: OnlineSession
}

/** Sends a submission unmodified, within the rate limits or not, and returns the outcome of the invoice. */
export const outcomeOfSubmission = async (
  { api, session }: Desk,
  body: Submission | Readonly<Record<string, unknown>>,
  { pace = true, ...more }: Pick<CallOptions, 'pace' | 'alias'> = {},
): Promise<Exchange | Settled> => {
  const path = { referenceNumber: session.referenceNumber }
  const exchange = await api.call('invoices.submit', { path, body, pace, ...more })
  // An answer that is empty begins nothing to await, and is no refusal either.
  if (failed(exchange) || exchange.text === '') return exchange
  const { referenceNumber } = (exchange.body ?? {}) as { referenceNumber?: string }
  if (referenceNumber === undefined)
    throw new Inconclusive('submit an invoice', 'a reference number', exchange)
  return settleInvoice(api, session, referenceNumber)
}

/** Submits bytes, correctly encrypted and described, and returns the invoice's outcome; `overrides` replace fields. */
export const outcomeOfInvoice = async (
  desk: Desk,
  bytes: Uint8Array,
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<Exchange | Settled> =>
  outcomeOfSubmission(desk, {
    ...(await submissionBody(desk.api, desk.session, bytes)),
    ...overrides,
  })

/** What declares a submission the technical correction of a document. */
export const correctionOf = async ({ codec }: Pick<Client, 'codec'>, document: Uint8Array) => ({
  offlineMode: true,
  hashOfCorrectedInvoice: codec.base64(await sha256(document)),
})

/**
 * Awaits the outcome of an invoice by its reference number, without its session.
 * @throws {Inconclusive} when it does not settle
 */
export const settleById = (api: Client, invoiceId: string): Promise<Settled> =>
  settle(api, 'invoice', 'await the invoice', () =>
    api.call('invoices.status', { path: { invoiceId } }),
  )

/** The outcome of an invoice by its reference number; expects each answer to be a status. */
export const expectStatusById = async (
  api: Client,
  invoiceId: string,
  what: string,
): Promise<Reported> => {
  const look = async () => {
    const answer = await api.call('invoices.status', { path: { invoiceId } })
    expect(answer, what).toBeOk()
    return reported(answer)
  }
  const isFinal = ({ status }: Reported) => outcomeOfCode(status.code) !== 'pending'
  const { last } = await poll(look, isFinal, { ...api.polling, sleep: api.sleep })
  return last
}

/** The outcome of an invoice that is sent without a session: an immediate refusal, or its final state. */
export const outcomeOfSending = async (
  api: Client,
  body: Uint8Array | string,
): Promise<Exchange | Settled> => {
  const sent = await api.call('invoices.send', { body })
  if (failed(sent)) return sent
  return settleById(api, expectText(sent, 'send an invoice', 'referenceNumber'))
}

/** The status of an accepted invoice. */
export interface Accepted {
  readonly referenceNumber: string
  readonly svcNumber: string
  readonly receiptUrl: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/**
 * Submits an invoice and awaits its acceptance.
 * @throws {Inconclusive} when it is not accepted
 */
export const accept = async (
  desk: Desk,
  bytes: Uint8Array,
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<Accepted> => {
  const { referenceNumber } = await submit(desk.api, desk.session, bytes, overrides)
  const settled = await settleInvoice(desk.api, desk.session, referenceNumber)
  return acceptedOf(settled, referenceNumber)
}

/**
 * Reads the acceptance from a status.
 * @throws {Inconclusive} when it was not accepted
 */
export const acceptedOf = (settled: Settled, referenceNumber: string): Accepted => {
  const svcNumber = textOf(settled.body['svcNumber'])
  if (!settled.succeeded || svcNumber === undefined)
    throw new Inconclusive('have an invoice accepted', 'acceptance', settled.exchanges.at(-1))
  noteMade(svcNumber)
  const receiptUrl = textOf(settled.body['upoDownloadUrl'])
  return { referenceNumber, svcNumber, receiptUrl, body: settled.body }
}

/** The answer of a call that retrieves an accepted invoice, once the service has stored it. */
export const retrieve = (
  api: Client,
  operation: OperationId,
  path: Readonly<Record<string, string>>,
): Promise<Exchange> => retrieveStored(api, operation, path, isRefused)

/**
 * Closes the session and awaits its end.
 * @throws {Inconclusive} when it is not closed or does not settle
 */
export const finish = async ({ api, session }: Desk): Promise<Settled> => {
  await closeOnline(api, session)
  return settleSession(api, session)
}

/** The fields of an answer, for assertions; an empty object when there is no JSON object. */
export const fields = ({ body }: { readonly body: unknown }): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? (body as Record<string, unknown>)
    : {}

/**
 * The status record in the body of an answer.
 * @throws {Inconclusive} when the body has no status record
 */
export const reported = (exchange: Exchange): Reported => {
  const status = statusOf(exchange.body)
  if (status === undefined)
    throw new Inconclusive('read a status', 'a body with `status.code`', exchange)
  return { status }
}

/** The status record of an outcome, for assertions; empty after an immediate refusal. */
export const recordOf = (outcome: WorkOutcome): Readonly<Record<string, unknown>> =>
  'body' in outcome ? fields(outcome) : {}

/**
 * The outcome of opening a session: an immediate refusal, the state that the session reaches automatically, or that of
 * an open session when its state does not change.
 */
export const outcomeOfOpening = async (api: Client, exchange: Exchange): Promise<WorkOutcome> => {
  if (failed(exchange) || exchange.text === '') return exchange
  const path = { referenceNumber: expectText(exchange, 'open a session', 'referenceNumber') }
  const look = async () => {
    const { body } = expectOk(await api.call('sessions.status', { path }), 'look at the session')
    return statusOf(body)
  }
  const pending = (status: Status | undefined) => outcomeOfCode(status?.code ?? 0) === 'pending'
  const { last } = await poll(look, (status) => !pending(status), {
    everyMs: api.polling.everyMs,
    times: 10,
    sleep: api.sleep,
  })
  if (last === undefined) throw new Inconclusive('look at the session', 'a status', exchange)
  return { status: last }
}
