import type { Ordeal } from '../ordeal.ts'

const everyday = [
  'client.outcome.exactly-once',
  'client.encryption.right',
  'client.tokens.by-stage',
  'client.keys.chosen',
  'client.receipt.fetched',
  'client.requests.well-formed',
] as const

/** Nothing goes wrong; at most the service takes its time. */
export const undisturbed = {
  'quiet-day': {
    title: 'three invoices, nothing goes wrong',
    rules: everyday,
    documents: { accepted: 3 },
  },
  'quiet-batch': {
    title: 'three invoices in one package, nothing goes wrong',
    rules: everyday,
    documents: { accepted: 3 },
    mode: 'batch',
  },
  'slow-processing': {
    title: 'the service takes seconds for each piece of work',
    rules: ['client.polling.bounded', 'client.receipt.fetched'],
    documents: { accepted: 3 },
    service: { latency: true },
  },
  'slow-batch': {
    title: 'the service takes seconds to process a package',
    rules: ['client.polling.bounded', 'client.receipt.fetched'],
    documents: { accepted: 3 },
    mode: 'batch',
    service: { latency: true },
  },
} as const satisfies Record<string, Ordeal>
