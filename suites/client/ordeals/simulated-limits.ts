import type { Ordeal } from '../ordeal.ts'

export const simulatedLimits: Ordeal = {
  title: 'the service states lower limits than the table',
  rules: ['client.limits.respected'],
  variant: 'paces',
  documents: { accepted: 6 },
  service: { rates: { invoiceSubmit: { perSecond: 2, perMinute: 60, perHour: 600 } } },
}
