import type { Ordeal } from '../ordeal.ts'

export const rejectedForMeaning: Ordeal = {
  title: 'one of three invoices is of a seller that the context may not issue for',
  rules: ['client.polling.bounded'],
  documents: { accepted: 2, foreign: 1 },
}
