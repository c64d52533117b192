import type { Ordeal } from '../ordeal.ts'

export const batchUploadFails: Ordeal = {
  title: 'the upload of a part fails once',
  rules: ['client.faults.survived'],
  variant: '5xx',
  documents: { accepted: 2 },
  mode: 'batch',
  conditions: () => [
    { on: 'sessions.uploadPart', from: 1, fault: { kind: 'refuse', status: 503, body: 'none' } },
  ],
}
