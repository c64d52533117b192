import type { Fault } from '../conditions/condition.ts'
import type { Ordeal } from '../ordeal.ts'
import { always, looks } from './shapes.ts'

const inForm = (
  title: string,
  fault: Fault,
  [rule, variant]:
    | readonly ['client.faults.survived', 'slow' | 'cut']
    | readonly ['client.fields.unknown-ignored'],
): Ordeal => ({
  title,
  rules: [rule],
  ...(variant !== undefined && { variant }),
  documents: { accepted: 2 },
  conditions: () => [{ on: 'any', from: 1, times: always, fault }],
})

const slow = ['client.faults.survived', 'slow'] as const
const unknown = ['client.fields.unknown-ignored'] as const

/** Answers that say the same in another form, or more than the client knows. */
export const forms = {
  'dribbled-answers': inForm('answers come in small pieces', { kind: 'dribble', ms: 400 }, slow),
  'chunked-answers': inForm('answers are chunked', { kind: 'form', how: 'chunked' }, slow),
  'gzipped-answers': inForm(
    'answers are compressed where the client accepts it',
    { kind: 'form', how: 'gzip' },
    slow,
  ),
  'keep-alive-closed': inForm(
    'every connection is closed after its answer',
    { kind: 'form', how: 'close' },
    ['client.faults.survived', 'cut'],
  ),
  'members-reordered': inForm(
    'members of answers come in another order',
    { kind: 'form', how: 'reordered' },
    unknown,
  ),
  'unknown-fields': inForm('answers hold unknown fields', { kind: 'unknown-fields' }, unknown),
  'unknown-codes': {
    title: 'pending work has an unknown code; one of three invoices is rejected in the end',
    rules: unknown,
    documents: { accepted: 2, invalid: 1 },
    conditions: () => [
      { on: looks, from: 1, lastsMs: 2500, fault: { kind: 'pending', code: 160 } },
      { on: 'auth.status', from: 1, times: 2, fault: { kind: 'pending', code: 120 } },
    ],
  },
} as const satisfies Record<string, Ordeal>
