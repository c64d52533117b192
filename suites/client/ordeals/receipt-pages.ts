import type { Ordeal } from '../ordeal.ts'

export const receiptPages: Ordeal = {
  title: 'the aggregate receipt has several pages',
  rules: ['client.receipt.fetched'],
  documents: { accepted: 5 },
  service: { lifetimes: { 'receipt.documentsPerPage': 2 } },
}
