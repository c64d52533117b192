import type { Durable } from './table.ts'
import { createTable } from './table.ts'
import { keyOf } from './entities.ts'
import type {
  Claim,
  Collective,
  Content,
  Export,
  Invoice,
  Issued,
  Part,
  ReceiptPage,
  Session,
} from './documents.ts'

/** What the service remembers about documents. Large contents are stored apart from what changes often. */
export const createInvoiceTables = (durable?: Durable) => ({
  sessions: createTable<Session, 'context'>(
    'sessions',
    (session) => session.referenceNumber,
    { context: (session) => keyOf(session.context) },
    durable,
  ),
  invoices: createTable<Invoice, 'session'>(
    'invoices',
    (invoice) => invoice.referenceNumber,
    { session: (invoice) => invoice.session },
    durable,
  ),
  contents: createTable<Content>('contents', (content) => content.invoice, {}, durable),
  issued: createTable<Issued, 'seller' | 'number' | 'session'>(
    'issued',
    (invoice) => invoice.svcNumber,
    {
      seller: ({ facts }) => facts.seller.nip,
      number: ({ facts }) => facts.number,
      session: ({ session }) => session,
    },
    durable,
  ),
  collectives: createTable<Collective>('collectives', ({ number }) => number, {}, durable),
  claims: createTable<Claim>('claims', (claim) => claim.triple, {}, durable),
  receiptPages: createTable<ReceiptPage>(
    'receiptPages',
    (page) => page.referenceNumber,
    {},
    durable,
  ),
  parts: createTable<Part, 'session'>(
    'parts',
    (part) => part.id,
    { session: (part) => part.session },
    durable,
  ),
  exports: createTable<Export, 'context'>(
    'exports',
    (entry) => entry.referenceNumber,
    { context: (entry) => keyOf(entry.context) },
    durable,
  ),
})
