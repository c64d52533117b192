import type { Ordeal } from '../ordeal.ts'

export const submitReset: Ordeal = {
  title: 'the connection is reset while the client sends an invoice',
  rules: ['client.outcome.unknown-resolved'],
  documents: { accepted: 3 },
  conditions: (draw) => [
    { on: 'invoices.submit', from: draw.int(1, 3), fault: { kind: 'reset-upload' } },
  ],
}
