import { keyOf, nipOf } from '../../model/entities.ts'
import { endUnsigned } from '../links.ts'
import type { Mutant } from '../mutant.ts'
import type { Fields } from '../rewrite.ts'
import { bodies, calls, decidedBy, refuses } from '../rewrite.ts'
import { isAlone, isPackage, isBySeller } from '../ways-of-sending.ts'
import { inPackages, statuses } from '../statuses.ts'
import { ownSession } from '../session-views.ts'
import { day } from '../spans.ts'

/** A buyer who is identified otherwise is taken for the taxpayer whose NIP has the same digits. */
const readByDigits = (type: 'VatUe' | 'Other'): Mutant => ({
  at: ['receipts.link'],
  tables: {
    issued: {
      read(found) {
        const { identifier } = found?.facts.buyer ?? {}
        if (found === undefined || identifier?.type !== type) return found
        const asNip = {
          type: 'Nip',
          value: (identifier.value ?? '').replaceAll(/\D/g, ''),
        } as const
        const { facts } = found
        return { ...found, facts: { ...facts, buyer: { ...facts.buyer, identifier: asNip } } }
      },
    },
  },
})

/** Any context follows the link to the receipt of what was sent in one way. */
const linksForAnyone = (isSuch: typeof isAlone): Mutant =>
  calls(['receipts.link'], (call) => {
    const { invoices, sessions } = call.service.state
    const invoice = invoices.get(call.path['receiptId']?.split('.', 1)[0] ?? '')
    return isSuch(sessions.get(invoice?.session ?? ''))
      ? decidedBy(call, { mayReadReceipt: () => true })
      : call
  })

/** A link is kept as long as someone asks for it within three days. */
const keptWhileAsked = (): Mutant => {
  const kept = new Map<string, { link: Fields; asked: number }>()
  return bodies(
    ['invoices.inSession'],
    ({ upoDownloadUrl, upoDownloadUrlExpirationDate }: Fields, { path, now }) => {
      const id = path['invoiceReferenceNumber'] ?? ''
      const before = kept.get(id)
      const link =
        before !== undefined && now - before.asked < 3 * day
          ? before.link
          : { upoDownloadUrl, upoDownloadUrlExpirationDate }
      // While the invoice is in processing there is no link.
      if (link.upoDownloadUrl) kept.set(id, { link, asked: now })
      return link
    },
  )
}

/** Defects of links to receipts. */
export const receiptsLinkMutants = {
  'receipts.link.in-status/not-for-the-buyer': bodies(
    ['invoices.statusBySvcNumber'],
    (_body: Fields, { service, caller, path }) => {
      const issued = service.state.issued.get(path['svcNumber'] ?? '')
      return issued?.facts.buyer.identifier.value === caller?.context.value
        ? { upoDownloadUrl: null, upoDownloadUrlExpirationDate: null }
        : {}
    },
  ),
  'receipts.link.in-status/not-for-agents': bodies(
    ['invoices.inSession', 'invoices.statusBySvcNumber', 'invoices.status'],
    ({ svcNumber }: Fields, { service }) => {
      const issued = service.state.issued.get(String(svcNumber))
      return issued === undefined || isBySeller(issued)
        ? {}
        : { upoDownloadUrl: null, upoDownloadUrlExpirationDate: null }
    },
  ),
  'receipts.link.in-status/not-in-packages': inPackages({
    upoDownloadUrl: null,
    upoDownloadUrlExpirationDate: null,
  }),
  'receipts.link.in-status/no-link': statuses({
    upoDownloadUrl: null,
    upoDownloadUrlExpirationDate: null,
  }),
  'receipts.link.expires/end-of-the-link-unsigned': endUnsigned('receipt'),
  'receipts.link.expires/kept-while-asked': keptWhileAsked(),
  'receipts.link.expires/link-for-ever': { policy: { receiptLinkHolds: () => true } },
  'receipts.link.expires/link-never-fresh': {
    policy: { receiptLinkUntil: (_, lifetime) => Date.UTC(2026, 5, 15) + lifetime * 1000 },
  },
  'receipts.link.parties-only/sender-instead-of-seller': refuses(
    ['receipts.link'],
    'receipt-unknown',
    ({ caller, path, service: { state } }) => {
      const invoice = state.invoices.get(path['receiptId']?.split('.', 1)[0] ?? '')
      const issued = state.issued.get(invoice?.svcNumber ?? '')
      return (
        caller !== undefined &&
        issued?.facts.seller.nip === nipOf(caller.context) &&
        keyOf(issued.context) !== keyOf(caller.context)
      )
    },
  ),
  'receipts.link.parties-only/readers-of-invoices-only': refuses(
    ['receipts.link'],
    'missing-permission',
    ({ caller }) => caller?.permissions().has('InvoiceRead') === false,
  ),
  'receipts.link.parties-only/digits-of-an-eu-buyer': readByDigits('VatUe'),
  'receipts.link.parties-only/digits-of-a-foreign-buyer': readByDigits('Other'),
  'receipts.link.parties-only/read-by-anyone': { policy: { mayReadReceipt: () => true } },
  'receipts.link.parties-only/buyer-shut-out': { policy: { mayReadReceipt: (issuer) => issuer } },
  'receipts.link.expires/session-without-fresh-ones': bodies(['sessions.status'], (_, call) =>
    call.now - (ownSession(call)?.openedAt ?? call.now) > 2 * day ? { upo: undefined } : {},
  ),
  'receipts.link.parties-only/of-packages-by-anyone': linksForAnyone(isPackage),
  'receipts.link.parties-only/without-a-session-by-anyone': {
    ...linksForAnyone(isAlone),
    needs: 'invoices.send',
  },
} as const satisfies Readonly<Record<string, Mutant>>
