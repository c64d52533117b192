import type { Ordeal } from '../ordeal.ts'

export const unknownFields: Ordeal = {
  title: 'answers hold fields that the client cannot know',
  rules: ['client.fields.unknown-ignored'],
  documents: { accepted: 2 },
  conditions: () => [{ on: 'any', from: 1, times: 100000, fault: { kind: 'unknown-fields' } }],
}
