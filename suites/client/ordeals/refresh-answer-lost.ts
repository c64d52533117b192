import type { Ordeal } from '../ordeal.ts'

export const refreshAnswerLost: Ordeal = {
  title: 'the refresh of the access token gets no answer',
  rules: ['client.faults.survived', 'client.tokens.refreshed'],
  variant: 'cut',
  documents: { accepted: 4 },
  service: { lifetimes: { 'accessToken.lifetime': 5 } },
  conditions: () => [
    { on: 'auth.refresh', from: 1, fault: { kind: 'lost-before' } },
    { on: 'auth.refresh', from: 2, fault: { kind: 'lost-after' } },
    { on: 'invoices.submit', from: 1, times: 4, fault: { kind: 'slow', ms: 2000 } },
  ],
}
