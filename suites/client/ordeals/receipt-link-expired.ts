import type { Ordeal } from '../ordeal.ts'

export const receiptLinkExpired: Ordeal = {
  title: 'the first link to a receipt has expired',
  rules: ['client.receipt.fetched'],
  documents: { accepted: 2 },
  conditions: () => [
    { on: 'receipts.link', from: 1, fault: { kind: 'refuse', status: 403, body: 'json' } },
  ],
}
