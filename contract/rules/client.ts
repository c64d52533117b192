import type { Rule } from '../types.ts'

/** What a client must do. */
export const client = {
  'client.keys.rotation': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence:
      'A client encrypts with the certificate for the purpose and date, and adopts a change of keys while it runs.',
    clause: 'Authentication',
    needs: ['rotate'],
  },
  'client.duplicates.never-resent': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence: 'A client never resends an invoice that was rejected as a duplicate (440).',
    clause: 'Errors',
  },
  'client.sync.interval': {
    level: 'SHOULD',
    binds: 'C',
    origin: 'stated',
    sentence:
      'In production a client synchronizes each entity at intervals of a quarter of an hour or longer.',
    clause: 'Limits > Sizes and counts',
    needs: ['long'],
  },
  'client.limits.respected': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence:
      'After a 429 a client waits at least Retry-After; before that it paces itself within the limits.',
    clause: 'Limits > Rate limits',
    variants: { waits: 'after a 429', paces: 'before one' },
  },
  'client.tokens.by-stage': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence: 'A client sends each token only to the operations that take it.',
    clause: 'Authentication',
  },
  'client.tokens.refreshed': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence: 'A client renews its access token before or after it expires, and loses no invoice.',
    clause: 'Authentication',
    needs: ['clock'],
  },
  'client.tokens.reauthenticated': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence: 'A client starts the login again after its authentication token has expired.',
    clause: 'Authentication',
    needs: ['clock'],
  },
  'client.keys.chosen': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence: 'A client fetches the certificates first and uses the one for the purpose and date.',
    clause: 'Authentication',
  },
  'client.encryption.right': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence:
      'A client encrypts the plain key, pads with PKCS#7, writes Base64 in one line, and states the correct hashes and lengths.',
    clause: 'Endpoints > Sessions',
  },
  'client.polling.bounded': {
    level: 'MUST',
    binds: 'C',
    origin: 'derived',
    sentence:
      'A client pauses between polls, stops at a final state, and treats a failure as a failure.',
    clause: 'What the service does',
  },
  'client.duplicates.kept': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence:
      'After 440 a client keeps the service number of the first issue and sends nothing more.',
    clause: 'Errors',
  },
  'client.outcome.unknown-resolved': {
    level: 'MUST',
    binds: 'C',
    origin: 'derived',
    sentence:
      'A client that received no answer to a submission looks up its outcome before it sends anything again.',
    clause: 'What the service does',
  },
  'client.outcome.exactly-once': {
    level: 'MUST',
    binds: 'C',
    origin: 'derived',
    sentence:
      'A client issues each document exactly once, and records the outcome and number that the service states for it.',
    clause: 'What the service does',
  },
  'client.receipt.fetched': {
    level: 'MUST',
    binds: 'C',
    origin: 'derived',
    sentence:
      'A client closes the sessions that it opened, fetches their receipts, and requests a new link when one has expired.',
    clause: 'What the service does',
  },
  'client.faults.survived': {
    level: 'MUST',
    binds: 'C',
    origin: 'derived',
    sentence:
      'A client loses no invoice and stays within the limits when it meets 429, 5xx, dropped connections or delays.',
    clause: 'Errors',
    variants: { '429': 'limits', '5xx': 'faults', cut: 'cut connections', slow: 'slow answers' },
  },
  'client.fields.unknown-ignored': {
    level: 'SHOULD',
    binds: 'C',
    origin: 'derived',
    sentence: 'A client ignores fields that it does not know.',
    clause: 'Endpoints',
  },
  'client.sync.complete': {
    level: 'MUST',
    binds: 'C',
    origin: 'derived',
    sentence: 'A client that synchronizes in increments receives every invoice exactly once.',
    clause: 'Endpoints > Invoices, operations and others',
  },
  'client.requests.well-formed': {
    level: 'MUST',
    binds: 'C',
    origin: 'derived',
    sentence:
      'A client sends requests as the interface describes them: paths, methods, headers, media types and schemas.',
    clause: 'Endpoints',
  },
} as const satisfies Record<string, Rule>
