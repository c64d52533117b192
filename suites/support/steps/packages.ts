import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { closeBatch, openBatch, readBatchOpened, uploadParts } from '../../../lib/flows/batch.ts'
import type { BatchPackage, BatchSession } from '../../../lib/flows/batch.ts'
import { settleSession } from '../../../lib/flows/session.ts'
import type { Settled } from '../../../lib/flows/settle.ts'
import { packBatch } from '../../../lib/node/archive.ts'
import type { Files, PackageOptions } from '../../../lib/node/archive.ts'
import { sha256 } from '../../../lib/crypto.ts'
import { Inconclusive, expectOk } from '../../../lib/outcome.ts'
import { formCodes } from '../checks/forms.ts'
import { oneWay } from '../run/habits.ts'
import { manyInvoices } from '../documents/invoice-source.ts'
import { spoilt } from '../documents/malformed.ts'
import { expect, outcomeOfCode } from '../judging/matchers.ts'
import type { WorkOutcome } from '../judging/matchers.ts'
import { noteMade } from '../run/own-work.ts'
import { pagesByToken } from '../answers/paged-lists.ts'
import { reported } from './steps.ts'

/** Batch packages and their outcomes. */

interface Document {
  readonly bytes: Uint8Array
}

/** The name of a document inside its package. */
export const nameOf = (place: number): string => `invoice-${String(place + 1).padStart(5, '0')}.xml`

/** Documents as the files of an archive. */
export const filesOf = (documents: readonly Document[]): Files =>
  Object.fromEntries(documents.map(({ bytes }, place) => [nameOf(place), bytes]))

/** The files of a package in two folders with an entry of their own. */
export const inFolders = (files: Files): Files =>
  Object.fromEntries([
    ...['0/', '1/'].map((name) => [name, new Uint8Array()] as const),
    ...Object.entries(files).map(
      ([name, bytes], place) => [`${place % 2}/${name}`, bytes] as const,
    ),
  ])

/** Keeps a package whole. */
export const inOnePart = { parts: 1 } as const

/** A package of documents, in as many parts as the check happens to cut it into, unless it says how many or how large. */
export const packed = (
  documents: readonly Document[],
  options: PackageOptions = {},
): Promise<BatchPackage> =>
  packBatch(filesOf(documents), { parts: oneWay([1, 1, 2, 3]), ...options })

/**
 * The outcome of opening a batch session: an immediate refusal, or the final state after the package was uploaded and
 * the session closed, where the service looks at the key only then.
 */
export const outcomeOfBatchOpening = async (
  api: Client,
  batch: BatchPackage,
  exchange: Exchange,
): Promise<WorkOutcome> => {
  // An answer that is empty opens nothing, and is no refusal either.
  if (exchange.status >= 300 || exchange.text === '') return exchange
  const session = readBatchOpened(exchange)
  const path = { referenceNumber: session.referenceNumber }
  const opened = reported(await api.call('sessions.status', { path }))
  if (outcomeOfCode(opened.status.code) !== 'pending') return opened
  await uploadParts(api, session, batch.parts)
  await closeBatch(api, session)
  return settleSession(api, session, 'batchSession')
}

export interface SentBatch {
  readonly referenceNumber: string
  readonly settled: Settled
}

/**
 * Opens, uploads and closes, and awaits how the session ends, well or badly.
 * @throws {Inconclusive} when a step before the processing is refused
 */
export const sendBatch = async (
  api: Client,
  batch: BatchPackage,
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<SentBatch> => {
  const session = await openBatch(api, batch, { formCode: formCodes.fa3, overrides })
  await uploadParts(api, session, batch.parts)
  await closeBatch(api, session)
  const settled = await settleSession(api, session, 'batchSession')
  return { referenceNumber: session.referenceNumber, settled }
}

/** A row of the list of a session's invoices. */
export interface ListedInvoice {
  readonly referenceNumber: string
  readonly invoiceNumber?: string
  readonly invoiceFileName?: string
  readonly svcNumber?: string
  readonly status: { readonly code: number; readonly description?: string }
  readonly [more: string]: unknown
}

/**
 * Every invoice of a session, over all pages.
 * @param operation the list of all, or of those that failed
 * @throws {Inconclusive} when a page cannot be had
 */
export const listInvoices = async (
  api: Client,
  referenceNumber: string,
  operation: 'sessions.invoices' | 'sessions.failed' = 'sessions.invoices',
  pageSize = 1000,
): Promise<ListedInvoice[]> => {
  const more = { path: { referenceNumber } }
  const pages = await pagesByToken(api, operation, 'invoices', { pageSize }, more)
  const rows = pages.flat() as unknown as ListedInvoice[]
  for (const { svcNumber } of rows) if (svcNumber !== undefined) noteMade(svcNumber)
  return rows
}

/**
 * The single entry of a list that must have one.
 * @throws {Inconclusive} when it has none, or several: they may be in any order
 */
export const only = <T>(entries: readonly T[]): T => {
  const [entry] = entries
  if (entry === undefined || entries.length > 1)
    throw new Inconclusive('read a list', `one entry, and not ${entries.length}`)
  return entry
}

/** The row of a document among those of a session, by its hash. */
export const rowOfDocument = async (
  { codec }: Pick<Client, 'codec'>,
  rows: readonly ListedInvoice[],
  bytes: Uint8Array,
): Promise<ListedInvoice> => {
  const hash = codec.base64(await sha256(bytes))
  return only(rows.filter(({ invoiceHash }) => invoiceHash === hash))
}

/** How many documents of `manyDocuments` are valid. */
export const validOfMany = 20

/** Many documents: some are valid invoices, the rest are invalid, but count and are fast to process. */
export const manyDocuments = (count: number, invoice: () => Document): Document[] => {
  const nothing = { bytes: new TextEncoder().encode('<a/>') }
  return Array.from({ length: count }, (_, place) => (place < validOfMany ? invoice() : nothing))
}

/** How many of each outcome a package of hundreds has: more than a byte counts. */
export const hundreds = 257

/** Sends a package of hundreds of accepted and of rejected invoices in turn. */
export const sendHundreds = async (
  api: Client,
  invoice: Parameters<typeof manyInvoices>[0],
): Promise<SentBatch> => {
  const documents = manyInvoices(invoice, hundreds).flatMap((valid) => [valid, { bytes: spoilt }])
  return sendBatch(api, await packed(documents))
}

/** Gives the consent of a seller to attachments. */
export const allowAttachments = async (api: Client, nip: string): Promise<void> => {
  const answer = await api.call('testdata.allowAttachments', { body: { nip } })
  expectOk(answer, 'enable attachments')
}

/** The outcome of one document in a separate package. */
export const sendAlone = async (api: Client, bytes: Uint8Array) => {
  const { referenceNumber } = await sendBatch(api, await packed([{ bytes }]))
  return only(await listInvoices(api, referenceNumber))
}

/** The outcomes of several documents in one package. */
export const sendTogether = async (
  api: Client,
  documents: readonly Document[],
): Promise<ListedInvoice[]> => {
  const { referenceNumber } = await sendBatch(api, await packed(documents))
  const rows = await listInvoices(api, referenceNumber)
  return Promise.all(documents.map(({ bytes }) => rowOfDocument(api, rows, bytes)))
}

/** Expects a close without all parts to be refused, or the session to fail for it; whether it was refused. */
export const expectIncomplete = async (
  api: Client,
  session: BatchSession,
  answer: Exchange,
): Promise<boolean> => {
  if (answer.status >= 300) {
    expect(answer, 'the close without all parts').toBeRejected('part-missing')
    return true
  }
  const { referenceNumber } = session
  const { status } = reported(await api.call('sessions.status', { path: { referenceNumber } }))
  expect(status.code, 'the state after a close that was accepted').not.toBe(100)
  const settled = await settleSession(api, session, 'batchSession')
  expect(settled, 'the session without all parts').toBeRejected('part-missing')
  return false
}
