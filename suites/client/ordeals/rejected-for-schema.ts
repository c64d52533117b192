import type { Ordeal } from '../ordeal.ts'

export const rejectedForSchema: Ordeal = {
  title: 'one of three invoices violates its schema',
  rules: ['client.polling.bounded'],
  documents: { accepted: 2, invalid: 1 },
}
