import type { Fault } from '../conditions/condition.ts'
import type { Ordeal } from '../ordeal.ts'
import { looks, lostTwice, slowSubmissions } from './shapes.ts'

const onSubmission = (title: string, fault: Fault, maximum = 3): Ordeal => ({
  title,
  rules: ['client.outcome.unknown-resolved'],
  documents: { accepted: 3 },
  conditions: (draw) => [{ on: 'invoices.submit', from: draw.int(1, maximum), fault }],
})

const cut = {
  rules: ['client.faults.survived'],
  variant: 'cut',
  documents: { accepted: 2 },
} as const

/** Calls without an answer, or with a part of one. */
export const lostAnswers = {
  'submit-answer-lost-before': onSubmission(
    'a submission gets no answer: the service never saw it',
    { kind: 'lost-before' },
  ),
  'submit-answer-lost-after': onSubmission(
    'a submission gets no answer: the service carried it out',
    { kind: 'lost-after' },
  ),
  'submit-answer-cut': onSubmission('the answer to a submission breaks off in its middle', {
    kind: 'cut',
  }),
  'submit-reset': onSubmission('the connection is reset while the client sends an invoice', {
    kind: 'reset-upload',
  }),
  'open-answer-lost': {
    ...cut,
    title: 'the opening of a session gets no answer',
    conditions: () => lostTwice('sessions.openOnline'),
  },
  'close-answer-lost': {
    ...cut,
    title: 'the closing of a session gets no answer',
    rules: ['client.faults.survived', 'client.receipt.fetched'],
    conditions: () => lostTwice('sessions.closeOnline'),
  },
  'batch-close-answer-lost': {
    ...cut,
    title: 'the closing of a batch session gets no answer',
    mode: 'batch',
    conditions: () => lostTwice('sessions.closeBatch'),
  },
  'login-answer-lost': {
    ...cut,
    title: 'the start of an authentication gets no answer',
    documents: { accepted: 1 },
    conditions: () => lostTwice(['auth.token', 'auth.xades']),
  },
  'redeem-answer-lost': {
    ...cut,
    title: 'the redeem of an authentication gets no answer',
    documents: { accepted: 1 },
    conditions: () => lostTwice('auth.redeem'),
  },
  'refresh-answer-lost': {
    ...cut,
    title: 'the refresh of the access token gets no answer',
    rules: ['client.faults.survived', 'client.tokens.refreshed'],
    documents: { accepted: 4 },
    service: { lifetimes: { 'accessToken.lifetime': 5 } },
    conditions: () => [...lostTwice('auth.refresh'), slowSubmissions(4)],
  },
  'token-answer-lost': {
    title: 'the creation of a service token gets no answer: the service carried it out',
    rules: ['client.outcome.unknown-resolved'],
    createToken: true,
    conditions: () => [{ on: 'tokens.create', from: 1, fault: { kind: 'lost-after' } }],
  },
  'answers-cut': {
    ...cut,
    title: 'answers to reads break off in their middle',
    conditions: (draw) => [
      { on: 'keys.list', from: 1, fault: { kind: 'cut' } },
      { on: looks, from: draw.int(1, 2), fault: { kind: 'cut' } },
      { on: 'auth.status', from: 1, fault: { kind: 'cut' } },
    ],
  },
} as const satisfies Record<string, Ordeal>
