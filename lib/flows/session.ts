import type { Client } from '../client.ts'
import { encryptAes, ivBytes, keyBytes, randomBytes, sha256 } from '../crypto.ts'
import type { Exchange } from '../exchange.ts'
import { expectOk, expectText } from '../outcome.ts'
import type { FormCode } from '../../contract/environments.ts'
import { encryptFor } from './keys.ts'
import type { PublicKey } from './keys.ts'
import { settle } from './settle.ts'
import type { Settled } from './settle.ts'

/** What encrypts the invoices of one session or export. */
export interface Secret {
  /** The plain AES-256 key. */
  readonly key: Uint8Array
  readonly iv: Uint8Array
}

export interface OnlineSession extends Secret {
  readonly referenceNumber: string
  readonly exchange: Exchange
}

export interface OpenOptions {
  /** The parts of the form code, or its label, for example `FA (3)`. */
  readonly formCode: FormCode | string
  readonly keys?: readonly PublicKey[]
  /** Fresh random ones when absent. */
  readonly secret?: Secret
}

/** A fresh key and initialization vector. */
export const drawSecret = (): Secret => ({ key: randomBytes(keyBytes), iv: randomBytes(ivBytes) })

/** The fields that hand a secret to the service. Source: specification, Session. */
export async function encryptionFields(
  client: Client,
  secret: Secret,
  keys?: readonly PublicKey[],
): Promise<{ readonly encryptedSymmetricKey: string; readonly initVector: string }> {
  const { encrypted } = await encryptFor(client, 'SymmetricKeyEncryption', secret.key, keys)
  return { encryptedSymmetricKey: encrypted, initVector: client.codec.base64(secret.iv) }
}

/**
 * Opens an interactive session with a fresh secret.
 * @throws {Inconclusive} when it is not opened
 */
export async function openOnline(
  client: Client,
  { formCode, keys, secret = drawSecret() }: OpenOptions,
): Promise<OnlineSession> {
  const body = { formCode, ...(await encryptionFields(client, secret, keys)) }
  const exchange = await client.call('sessions.openOnline', { body })
  const referenceNumber = expectText(exchange, 'open an interactive session', 'referenceNumber')
  return { referenceNumber, exchange, ...secret }
}

/** The body of a submission. Source: specification, Invoice submission. */
export interface Submission {
  readonly invoiceHash: string
  readonly invoiceSize: number
  readonly encryptedInvoiceHash: string
  readonly encryptedInvoiceSize: number
  readonly encryptedInvoiceContent: string
}

/** The body that submits an invoice: its bytes, encrypted and described. */
export async function submissionBody(
  client: Client,
  secret: Secret,
  xml: Uint8Array,
): Promise<Submission> {
  return describeSubmission(client, xml, await encryptAes(xml, secret.key, secret.iv))
}

/** The body for an invoice that is encrypted already, rightly or wrongly. */
export async function describeSubmission(
  client: Client,
  xml: Uint8Array,
  encrypted: Uint8Array,
): Promise<Submission> {
  const base64 = (bytes: Uint8Array) => client.codec.base64(bytes)
  return {
    invoiceHash: base64(await sha256(xml)),
    invoiceSize: xml.length,
    encryptedInvoiceHash: base64(await sha256(encrypted)),
    encryptedInvoiceSize: encrypted.length,
    encryptedInvoiceContent: base64(encrypted),
  }
}

export interface Submitted {
  readonly referenceNumber: string
  readonly exchange: Exchange
}

/**
 * Submits an invoice; its processing is not awaited. `overrides` replace or add fields of the body.
 * @throws {Inconclusive} when it is not taken in
 */
export async function submit(
  client: Client,
  session: OnlineSession,
  xml: Uint8Array,
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<Submitted> {
  const body = { ...(await submissionBody(client, session, xml)), ...overrides }
  const exchange = await client.call('invoices.submit', {
    path: { referenceNumber: session.referenceNumber },
    body,
  })
  return { referenceNumber: expectText(exchange, 'submit an invoice', 'referenceNumber'), exchange }
}

/**
 * Awaits the outcome of an invoice within its session, good or bad.
 * @throws {Inconclusive} when it does not settle
 */
export const settleInvoice = (
  client: Client,
  session: { readonly referenceNumber: string },
  invoiceReferenceNumber: string,
): Promise<Settled> =>
  settle(client, 'invoice', 'await the invoice', () =>
    client.call('invoices.inSession', {
      path: { referenceNumber: session.referenceNumber, invoiceReferenceNumber },
    }),
  )

/**
 * Closes an interactive session; its processing is not awaited.
 * @throws {Inconclusive} when it is not closed
 */
export async function closeOnline(
  client: Client,
  session: { readonly referenceNumber: string },
): Promise<Exchange> {
  const path = { referenceNumber: session.referenceNumber }
  return expectOk(
    await client.call('sessions.closeOnline', { path }),
    'close the interactive session',
  )
}

/**
 * Awaits the outcome of a closed session, good or bad.
 * @throws {Inconclusive} when it does not settle
 */
export const settleSession = (
  client: Client,
  session: { readonly referenceNumber: string },
  kind: 'onlineSession' | 'batchSession' = 'onlineSession',
): Promise<Settled> =>
  settle(client, kind, 'await the session', () =>
    client.call('sessions.status', { path: { referenceNumber: session.referenceNumber } }),
  )
