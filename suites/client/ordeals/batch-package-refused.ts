import type { Ordeal } from '../ordeal.ts'

export const batchPackageRefused: Ordeal = {
  title: 'a package arrives damaged and is refused for its hash',
  rules: ['client.faults.survived', 'client.polling.bounded'],
  variant: 'cut',
  documents: { accepted: 2 },
  mode: 'batch',
  conditions: () => [{ on: 'sessions.uploadPart', from: 1, fault: { kind: 'corrupt-upload' } }],
}
