import type { Rule } from '../types.ts'

/** What a client must do. */
export const client = {
  'client.keys.rotation': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence:
      'A client takes the certificate that fits purpose and date, and follows a change of keys while it runs.',
    clause: 'Authentication',
    needs: ['rotate'],
  },
  'client.duplicates.never-resent': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence: 'After 440 a client leaves the invoice alone.',
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
    sentence: 'A client waits as long as it was told and paces itself to stay within the limits.',
    clause: 'Limits > Rate limits',
    variants: { waits: 'after a 429', paces: 'before one' },
  },
  'client.tokens.by-stage': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence: 'A client shows each token only where it belongs.',
    clause: 'Authentication',
  },
  'client.tokens.refreshed': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence:
      'A client renews its access token in time, or copes with its end and loses no invoice.',
    clause: 'Authentication',
    needs: ['clock'],
  },
  'client.tokens.reauthenticated': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence: 'A client whose authentication token ran out starts over.',
    clause: 'Authentication',
    needs: ['clock'],
  },
  'client.keys.chosen': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence: 'A client reads the certificates first and takes the one that fits purpose and date.',
    clause: 'Authentication',
  },
  'client.encryption.right': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence:
      'A client encrypts as it should: the plain key, PKCS#7, Base64 in one line, true hashes and lengths.',
    clause: 'Endpoints > Sessions',
  },
  'client.polling.bounded': {
    level: 'MUST',
    binds: 'C',
    origin: 'derived',
    sentence: 'A client asks with pauses, stops at the end, and takes failures for what they are.',
    clause: 'What the service does',
  },
  'client.duplicates.kept': {
    level: 'MUST',
    binds: 'C',
    origin: 'stated',
    sentence: 'For a client 440 means done: it keeps the number it was told and sends no more.',
    clause: 'Errors',
  },
  'client.outcome.unknown-resolved': {
    level: 'MUST',
    binds: 'C',
    origin: 'derived',
    sentence:
      'A client that got no answer to a submission finds out what became of it before it acts.',
    clause: 'What the service does',
  },
  'client.receipt.fetched': {
    level: 'MUST',
    binds: 'C',
    origin: 'derived',
    sentence:
      'A client closes what it opened, gets its receipts, and asks anew when a link has run out.',
    clause: 'What the service does',
  },
  'client.faults.survived': {
    level: 'MUST',
    binds: 'C',
    origin: 'derived',
    sentence: 'Limits, faults, cuts and delays cost a client neither invoices nor its manners.',
    clause: 'Errors',
    variants: { '429': 'limits', '5xx': 'faults', cut: 'cut connections', slow: 'slow answers' },
  },
  'client.fields.unknown-ignored': {
    level: 'SHOULD',
    binds: 'C',
    origin: 'derived',
    sentence: 'A client takes no offence at fields that it does not know.',
    clause: 'Endpoints',
  },
  'client.sync.complete': {
    level: 'MUST',
    binds: 'C',
    origin: 'derived',
    sentence: 'A client that synchronizes bit by bit gets everything once.',
    clause: 'Endpoints > Invoices, operations and others',
  },
} as const satisfies Record<string, Rule>
