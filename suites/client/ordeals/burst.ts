import type { Ordeal } from '../ordeal.ts'

export const burst: Ordeal = {
  title: 'fourteen invoices at once, production limits',
  rules: ['client.limits.respected'],
  variant: 'paces',
  documents: { accepted: 14 },
}
