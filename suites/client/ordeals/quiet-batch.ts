import type { Ordeal } from '../ordeal.ts'

export const quietBatch: Ordeal = {
  title: 'a quiet day: three invoices in one package',
  rules: [
    'client.faults.survived',
    'client.encryption.right',
    'client.tokens.by-stage',
    'client.keys.chosen',
    'client.receipt.fetched',
  ],
  documents: { accepted: 3 },
  mode: 'batch',
}
