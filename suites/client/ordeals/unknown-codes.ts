import type { Ordeal } from '../ordeal.ts'

export const unknownCodes: Ordeal = {
  title: 'work in progress has a code that the client cannot know',
  rules: ['client.fields.unknown-ignored'],
  documents: { accepted: 2 },
  conditions: () => [
    { on: 'invoices.inSession', from: 1, times: 2, fault: { kind: 'pending', code: 160 } },
    { on: 'auth.status', from: 1, times: 2, fault: { kind: 'pending', code: 120 } },
  ],
}
