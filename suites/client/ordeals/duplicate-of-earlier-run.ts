import type { Ordeal } from '../ordeal.ts'

export const duplicateOfEarlierRun: Ordeal = {
  title: 'one of three invoices was issued by an earlier run',
  rules: ['client.duplicates.kept', 'client.duplicates.never-resent'],
  documents: { accepted: 2, duplicates: 1 },
}
