import type { Ordeal } from '../ordeal.ts'

export const syncByExport: Ordeal = {
  title: 'eleven invoices wait; the client exports them',
  rules: ['client.sync.complete'],
  receive: { waiting: 11, by: 'export' },
}
