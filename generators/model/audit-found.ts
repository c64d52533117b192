import { sha256 } from '../../lib/crypto.ts'
import { isoDay } from '../../lib/local-time.ts'
import { expectOk } from '../../lib/outcome.ts'
import { callReceipt } from '../../lib/flows/receipt.ts'
import { poll } from '../../lib/poll.ts'
import type { Client } from '../../lib/client.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { compareReceipt } from './commands/close-session.ts'
import { isParty } from './commands/retrieve-invoice.ts'
import { agree, agreeOk, agreeRefused } from './divergence.ts'
import { agreeRetrieved } from './retrieval.ts'
import { agreeOriginal } from './settling.ts'
import { invoicesFor, isClosed, isRecent } from './state.ts'
import type { InvoiceState, Model, Role } from './state.ts'
import { codeOf } from './world.ts'
import type { World } from './world.ts'

/**
 * What each context sees of everything that the sequence made: searches, lists, documents, receipts and statuses,
 * compared with the model as a whole. Whatever the steps before did, nothing may be missing, doubled, changed or shown to
 * a stranger.
 */

/** Rows of a list that an answer contains. */
type Row = Readonly<Record<string, unknown>>

const rowsIn = (exchange: Exchange, field: string): readonly Row[] => {
  const { [field]: rows } = expectOk(exchange, `read ${field}`).body as Record<string, unknown>
  return Array.isArray(rows) ? (rows as Row[]) : []
}

const pageSize = 100
const maxPages = 20

/** Every row of a search, over all pages. */
const searchAll = async (api: Client, body: object): Promise<readonly Row[]> => {
  const rows: Row[] = []
  for (let pageOffset = 0; pageOffset < maxPages; pageOffset += 1) {
    const page = await api.call('queries.metadata', { body, query: { pageSize, pageOffset } })
    rows.push(...rowsIn(page, 'invoices'))
    if ((page.body as { readonly hasMore?: unknown }).hasMore !== true) break
  }
  return rows
}

const day = 24 * 3600 * 1000

const issuedSince = (model: Model, subjectType: string) => ({
  subjectType,
  dateRange: {
    dateType: 'issue',
    from: new Date(model.began - 2 * day).toISOString(),
    to: new Date(model.began + 2 * day).toISOString(),
  },
})

const numbersOf = (rows: readonly Row[]): string =>
  rows
    .map(({ svcNumber }) => String(svcNumber))
    .toSorted()
    .join(', ')

const nipIn = (party: unknown): unknown => (party as { readonly nip?: unknown } | undefined)?.nip

/** A row of a search says what the document says, and how it was sent. */
const compareRow = async (world: World, invoice: InvoiceState, row: Row): Promise<void> => {
  const { bytes = new Uint8Array() } = world.handles.invoices.get(invoice) ?? {}
  const wanted = {
    invoiceNumber: invoice.number,
    invoiceType: invoice.kind === 'VAT' ? 'Vat' : 'Upr',
    issueDate: world.day,
    invoiceHash: world.client.codec.base64(await sha256(bytes)),
    seller: world.owners[invoice.seller]?.nip,
  }
  const { invoiceNumber, invoiceType, issueDate, invoiceHash, seller } = row
  const found = { invoiceNumber, invoiceType, issueDate, invoiceHash, seller: nipIn(seller) }
  const [expected, actual] = [JSON.stringify(wanted), JSON.stringify(found)]
  agree(world, 'queries.metadata.described', actual === expected, expected, actual)
  const mode = isoDay(invoice.sentAt) > world.day ? 'Offline' : 'Online'
  const { invoicingMode } = row
  agree(world, 'invoices.mode', invoicingMode === mode, `sent ${mode}`, invoicingMode)
}

/** A context finds the invoices in which it has a role, each once, and no others. */
const auditRole = async (
  model: Model,
  world: World,
  { context, role }: { readonly context: number; readonly role: Role },
): Promise<void> => {
  const held = invoicesFor(model, { context, role })
  const observer = await world.observer(context)
  const search = () => searchAll(observer, issuedSince(model, role))
  const isFound = (rows: readonly Row[]) =>
    held.every((one) => rows.some(({ svcNumber }) => svcNumber === one.svcNumber))
  // The data may lag behind.
  const found = world.still
    ? await search()
    : (await poll(search, isFound, { ...observer.polling, sleep: observer.sleep })).last
  const own = new Set(model.invoices.map(({ svcNumber }) => svcNumber))
  const rows = world.shared ? found.filter((row) => own.has(String(row['svcNumber']))) : found
  const [wanted, got] = [numbersOf(held.map(({ svcNumber }) => ({ svcNumber }))), numbersOf(rows)]
  const name = `the invoices of ${world.owners[context]?.nip} as ${role}: ${wanted}`
  agree(world, 'queries.metadata.subject-type', got === wanted, name, got)
  for (const invoice of held) {
    const row = rows.find(({ svcNumber }) => svcNumber === invoice.svcNumber)
    if (row !== undefined) await compareRow(world, invoice, row)
  }
}

/** The list of sessions has those of the context, each once. */
const auditSessionList = async (model: Model, world: World, context: number): Promise<void> => {
  const observer = await world.observer(context)
  for (const [sessionType, kind] of [
    ['Online', 'onlineSession'],
    ['Batch', 'batchSession'],
  ] as const) {
    const query = { sessionType, pageSize }
    const list = await observer.call('sessions.list', { query })
    const made = model.sessions
      .filter((session) => session.kind === kind && session.party.context === context)
      .map((session) => world.handles.sessions.get(session)?.referenceNumber ?? '')
    const listed = rowsIn(list, 'sessions').map((row) => String(row['referenceNumber']))
    if (made.length > pageSize / 2) continue
    const all = made.every((one) => listed.filter((other) => other === one).length === 1)
    const exact = all && (world.shared === true || listed.length === made.length)
    const wanted = `each of ${made.join(', ')} once`
    agree(world, 'sessions.list.complete', exact, wanted, listed.join(', '), list)
  }
}

/** An accepted invoice is there for its parties, and for nobody else. */
const auditReaders = async (world: World, invoice: InvoiceState): Promise<void> => {
  for (const context of world.owners.keys()) {
    // Its sender retrieves it after every step anyway.
    if (context === invoice.session.party.context) continue
    const observer = await world.observer(context)
    if (isParty(invoice, context)) {
      await agreeRetrieved(world, observer, invoice)
      continue
    }
    const path = { svcNumber: invoice.svcNumber ?? '' }
    const got = await observer.call('invoices.bySvcNumber', { path })
    agreeRefused(world, 'invoices.get.parties-only', got, 'invoice-unknown')
  }
}

/** The receipt by the service number is the one of the invoice, and says the day of its issue. */
const auditReceipt = async (world: World, { session, svcNumber = '' }: InvoiceState) => {
  const { referenceNumber = '' } = world.handles.sessions.get(session) ?? {}
  const observer = await world.observer(session.party.context)
  const receipt = await callReceipt(observer, {
    sessionReferenceNumber: referenceNumber,
    svcNumber,
  })
  const rule = 'receipts.invoice.carries-number'
  agreeOk(world, rule, receipt)
  agree(world, rule, receipt.text.includes(svcNumber), `${svcNumber} on it`, 'another', receipt)
  const issued = /<(?:\w+:)?DataWystawieniaFaktury>([^<]*)</.exec(receipt.text)?.[1]
  agree(world, 'invoices.content.issue-date', issued === world.day, world.day, issued, receipt)
}

/** The status of an invoice by its own reference tells the same as within its session, however late it is asked for. */
const auditOutcome = async (model: Model, world: World, invoice: InvoiceState): Promise<void> => {
  const sent = world.handles.invoices.get(invoice)
  const session = world.handles.sessions.get(invoice.session)
  if (sent === undefined || session === undefined || !invoice.settled) return
  if (!isRecent(model, invoice.session.openedAt)) return
  const observer = await world.observer(invoice.session.party.context)
  const path = {
    referenceNumber: session.referenceNumber,
    invoiceReferenceNumber: sent.referenceNumber,
  }
  const look = await observer.call('invoices.inSession', { path })
  agreeOk(world, 'sessions.invoices.complete', look)
  const { svcNumber } = look.body as { readonly svcNumber?: string | null }
  const code = codeOf(look)
  const last = invoice.seen.at(-1)
  const told = `state ${code}, number ${svcNumber ?? 'none'}`
  const wanted = `state ${last}, number ${invoice.svcNumber ?? 'none'}`
  agree(world, 'sessions.status.moves-forward', told === wanted, wanted, told, look)
  agreeOriginal(world, invoice, { code, body: look.body as Row }, look)
}

/** Compares everything that can be seen. */
export const auditEverything = async (model: Model, world: World): Promise<void> => {
  if (!world.unlimited) return
  for (const context of world.owners.keys()) {
    for (const role of ['subject1', 'subject2'] as const)
      if (role === 'subject1' || world.owners.length > 1)
        await auditRole(model, world, { context, role })
    await auditSessionList(model, world, context)
  }
  for (const invoice of model.invoices) {
    await auditOutcome(model, world, invoice)
    if (invoice.svcNumber === undefined) continue
    await auditReaders(world, invoice)
    await auditReceipt(world, invoice)
  }
  for (const session of model.sessions)
    if (isClosed(model, session) && isRecent(model, session.openedAt))
      await compareReceipt(model, world, session)
}
