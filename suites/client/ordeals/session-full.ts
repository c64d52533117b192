import type { Ordeal } from '../ordeal.ts'

export const sessionFull: Ordeal = {
  title: 'a session takes two invoices, the task has five',
  rules: ['client.faults.survived', 'client.receipt.fetched'],
  variant: '5xx',
  documents: { accepted: 5 },
  service: { sessionInvoices: 2 },
}
