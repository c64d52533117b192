import type { Ordeal } from '../ordeal.ts'

export const syncPages: Ordeal = {
  title: 'twenty-five invoices wait, on several pages',
  rules: ['client.sync.complete'],
  receive: { waiting: 25 },
}
