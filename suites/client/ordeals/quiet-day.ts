import type { Ordeal } from '../ordeal.ts'

export const quietDay: Ordeal = {
  title: 'a quiet day: three invoices, nothing goes wrong',
  rules: [
    'client.faults.survived',
    'client.encryption.right',
    'client.tokens.by-stage',
    'client.keys.chosen',
    'client.receipt.fetched',
  ],
  documents: { accepted: 3 },
}
