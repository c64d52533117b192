import type { Ordeal } from '../ordeal.ts'

export const sessionClosedByOperator: Ordeal = {
  title: 'somebody else closes the session between two invoices',
  rules: ['client.faults.survived', 'client.receipt.fetched'],
  variant: 'cut',
  documents: { accepted: 4 },
  conditions: (draw) => [
    { on: 'invoices.submit', from: draw.int(2, 3), act: { kind: 'close-session' } },
  ],
}
