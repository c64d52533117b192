import type { Issuing } from './issuing.ts'
import type { Account } from './login.ts'
import type { DocumentState, OutboxDocument } from './outbox.ts'
import { fetchReceipt } from './receipts.ts'
import type { Found } from './session-records.ts'
import { foundIn, invoicesOf, settled } from './session-records.ts'

/** Finds out what became of documents. */

/**
 * Looks for documents whose submission got no answer among the invoices of their session, by hash. What is not there
 * has not arrived: the service answers a submission only after it has taken it in.
 */
export async function findOut(
  { account, conduct, outbox }: Pick<Issuing, 'account' | 'conduct' | 'outbox'>,
  documents: readonly OutboxDocument[],
): Promise<void> {
  for (const document of documents) {
    const state = outbox.stateOf(document)
    if (state.at !== 'sending') continue
    if (!conduct.remembers || conduct.afterSilence !== 'find out') {
      outbox.move(document, { at: 'new' })
      continue
    }
    const found = (await invoicesOf(account, state.session)).find(
      ({ hash }) => hash === document.hash,
    )
    outbox.move(
      document,
      found === undefined
        ? { at: 'new' }
        : { at: 'sent', session: state.session, reference: found.reference },
    )
  }
}

/** The number under which a document was issued before, by a query for its own number. */
async function numberOf(account: Account, document: OutboxDocument): Promise<string | undefined> {
  const day = Date.parse(document.issueDate)
  const exchange = await account.call(
    'queries.metadata',
    {
      body: {
        subjectType: 'subject1',
        dateRange: {
          dateType: 'issue',
          from: new Date(day - 86_400_000).toISOString(),
          to: new Date(day + 86_400_000).toISOString(),
        },
        invoiceNumber: document.number,
      },
    },
    'safe',
  )
  const { invoices } = (exchange.body ?? {}) as { invoices?: { svcNumber?: unknown }[] }
  const number = invoices?.[0]?.svcNumber
  return typeof number === 'string' ? number : undefined
}

/** Awaits the outcome of everything that was sent, and gets the receipts. */
export async function conclude(issuing: Issuing): Promise<void> {
  const { account, conduct, outbox } = issuing
  for (const document of outbox.waiting('sent')) {
    const state = outbox.stateOf(document)
    if (state.at !== 'sent') continue
    const { session, reference } = state
    if (conduct.trustsSubmission) {
      outbox.move(document, {
        at: 'accepted',
        session,
        reference,
        svcNumber: undefined,
        receipt: false,
      })
      continue
    }
    const last = await settled(conduct, 200, () =>
      account.call(
        'invoices.inSession',
        { path: { referenceNumber: session, invoiceReferenceNumber: reference } },
        'safe',
      ),
    )
    const found = foundIn(last?.body)
    if (found !== undefined) await settle(issuing, document, session, found)
  }
  if (!conduct.fetchesReceipts) return
  for (const document of outbox.waiting('accepted')) await receipt(issuing, document)
}

/** Codes of documents that the service did not process, through no fault of theirs: they are sent again. */
const cancelled = new Set([405, 500, 550])

/** Writes down how a document ended. */
export async function settle(
  { account, conduct, outbox }: Issuing,
  document: OutboxDocument,
  session: string,
  found: Found,
): Promise<void> {
  const { reference, code, svcNumber, originalSvcNumber } = found
  const accepted = (number: string | undefined, hasReceipt: boolean): DocumentState => ({
    at: 'accepted',
    session,
    reference,
    svcNumber: number,
    receipt: hasReceipt,
  })
  const isSuccess = code === 200 || (code < 200 && conduct.unknownCode === 'success')
  if (isSuccess) outbox.move(document, accepted(svcNumber, false))
  else if (code === 440 && conduct.duplicate !== 'rejected') {
    const reported = originalSvcNumber ?? (await numberOf(account, document))
    outbox.move(document, accepted(conduct.duplicateNumber(reported, reference), true))
    if (conduct.duplicate === 'send again') outbox.move(document, { at: 'new' })
    if (conduct.duplicate === 'send under another number')
      outbox.move(document, { at: 'new', underAnotherNumber: true })
  } else if (cancelled.has(code)) outbox.move(document, { at: 'new' })
  else outbox.move(document, { at: 'rejected', reason: `code ${code}` })
}

async function receipt(issuing: Issuing, document: OutboxDocument): Promise<void> {
  const { connection, account, conduct, outbox } = issuing
  const state = outbox.stateOf(document)
  if (state.at !== 'accepted' || state.receipt) return
  if (await fetchReceipt(connection, account, conduct, state.session, state.reference))
    outbox.move(document, { ...state, receipt: true })
}
