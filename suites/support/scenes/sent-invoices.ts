import { schema } from '../../../contract/schemas.ts'
import { sha256 } from '../../../lib/crypto.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import type { Me } from '../service/contexts.ts'
import { issuedAround } from '../steps/filters.ts'
import { formCodes } from '../checks/forms.ts'
import { isoDay } from '../../../lib/local-time.ts'
import type { MadeInvoice } from '../documents/invoice-source.ts'
import { spoilt } from '../documents/malformed.ts'
import { meaningOf } from '../answers/meaning.ts'
import { offered } from '../service/offered.ts'
import { listInvoices, nameOf, packed, rowOfDocument, sendBatch } from '../steps/packages.ts'
import { findAll } from '../steps/searches.ts'
import { accept, outcomeOfInvoice, recordOf } from '../steps/steps.ts'

/** Sessions with an invoice of each outcome, with what every status of these has to report. */

type Fields = Readonly<Record<string, unknown>>

export interface SentInvoice {
  /** The reference number: from the submission, or for a package from the list of its invoices. */
  readonly referenceNumber: string
  readonly svcNumber: string | undefined
  /** What follows from what was sent. */
  readonly expected: Fields
  /** A valid one, as it was made. */
  readonly made?: MadeInvoice
}

export interface SentInvoices {
  readonly session: string
  readonly all: readonly SentInvoice[]
}

export const sentKinds = ['interactive', 'batch'] as const
export type SentKind = (typeof sentKinds)[number]

const ofTheLink = new Set(['upoDownloadUrl', 'upoDownloadUrlExpirationDate'])
const names = Object.keys(
  (schema('InvoiceStatus')?.['properties'] ?? {}) as Readonly<Record<string, unknown>>,
).filter((name) => !ofTheLink.has(name))

/**
 * What a status or a row of a list reports, but for its receipt link, which not every answer has to have. What is
 * absent is undefined.
 */
export const comparable = (status: Fields): Fields => {
  const stated = meaningOf('invoices.inSession', status) as Fields
  return Object.fromEntries(names.map((name) => [name, stated[name]]))
}

/** What a rejected invoice does not have. */
const neverIssued: Fields = {
  svcNumber: undefined,
  acquisitionDate: undefined,
  permanentStorageDate: undefined,
}

interface Document {
  readonly bytes: Uint8Array
  /** Whether it is declared as issued offline; a package is declared as a whole. */
  readonly offlineMode: boolean
  readonly expected: Fields
  readonly made?: MadeInvoice
}

const sendEach = async ({ api }: Me, documents: readonly Document[]) => {
  const session = await openOnline(api, { formCode: formCodes.fa3 })
  const found: Fields[] = []
  for (const { bytes, offlineMode } of documents) {
    const outcome = await outcomeOfInvoice({ api, session }, bytes, { offlineMode })
    found.push(recordOf(outcome))
  }
  return { session: session.referenceNumber, found }
}

const sendPackage = async ({ api }: Me, documents: readonly Document[]) => {
  const { referenceNumber: session } = await sendBatch(api, await packed(documents))
  const rows = await listInvoices(api, session)
  const found = await Promise.all(documents.map(({ bytes }) => rowOfDocument(api, rows, bytes)))
  return { session, found }
}

/**
 * Sends three valid invoices, one of which was issued days before, an invalid document, and a duplicate of an invoice
 * of another session.
 * @throws {Inconclusive} when the valid ones are not accepted, or do not become searchable
 */
export const sendInvoices = async (
  me: Me,
  kind: SentKind,
  invoice: (options?: { readonly issueDate: string }) => MadeInvoice,
  now: number,
): Promise<SentInvoices> => {
  const { api } = me
  const first = invoice()
  const earlier = await openOnline(api, { formCode: formCodes.fa3 })
  const original = await accept({ api, session: earlier }, first.bytes)
  const issuedBefore = { issueDate: isoDay(now - 3 * 24 * 3_600_000) }
  const valid = [
    { made: invoice(), offlineMode: kind === 'interactive' },
    { made: invoice(), offlineMode: false },
    { made: invoice(issuedBefore), offlineMode: false },
  ].map(({ made, offlineMode }) => {
    const isOffline = offlineMode || made.issueDate === issuedBefore.issueDate
    const expected = {
      invoiceNumber: made.number,
      invoicingMode: isOffline ? 'Offline' : 'Online',
    }
    return { bytes: made.bytes, made, offlineMode, expected }
  })
  const originals = {
    ...neverIssued,
    invoiceNumber: first.number,
    originalSessionReferenceNumber: earlier.referenceNumber,
    originalSvcNumber: original.svcNumber,
  }
  const documents: readonly Document[] = [
    ...valid,
    { bytes: spoilt, offlineMode: true, expected: neverIssued },
    { bytes: first.bytes, offlineMode: false, expected: originals },
  ]
  const { session, found } = await (kind === 'batch' ? sendPackage : sendEach)(me, documents)
  const all = await Promise.all(
    documents.map(async ({ bytes, expected, made }, place) => {
      const referenceNumber = String(found[place]?.['referenceNumber'])
      const svcNumber = place < valid.length ? found[place]?.['svcNumber'] : undefined
      return {
        referenceNumber,
        svcNumber: typeof svcNumber === 'string' ? svcNumber : undefined,
        ...(made !== undefined && { made }),
        expected: {
          ...expected,
          referenceNumber,
          invoiceHash: api.codec.base64(await sha256(bytes)),
          ...(kind === 'batch' ? { invoiceFileName: nameOf(place) } : { ordinalNumber: place + 1 }),
        },
      }
    }),
  )
  const numbers = all.flatMap(({ svcNumber }) => svcNumber ?? [])
  if (numbers.length !== valid.length)
    throw new Inconclusive('send invoices', `${valid.length} accepted, got ${numbers.length}`)
  // By date of storage: in a busy context only the newest few hundred are searched; one was issued days before.
  await findAll(api, issuedAround(now, 'subject1', 'permanentStorage'), numbers)
  return { session, all }
}

/** Asks for the status of an invoice in every way that its sender has. */
export const askEachWay = async (
  { api }: Me,
  session: string,
  { referenceNumber, svcNumber }: Pick<SentInvoice, 'referenceNumber' | 'svcNumber'>,
): Promise<readonly [inSession: Exchange, ...others: Exchange[]]> => {
  const path = {
    referenceNumber: session,
    invoiceReferenceNumber: referenceNumber,
    invoiceId: referenceNumber,
    svcNumber: svcNumber ?? '',
  }
  const others: Exchange[] = []
  for (const operation of offered('invoices.status', 'invoices.statusBySvcNumber'))
    if (svcNumber !== undefined || operation === 'invoices.status')
      others.push(await api.call(operation, { path }))
  return [await api.call('invoices.inSession', { path }), ...others]
}
