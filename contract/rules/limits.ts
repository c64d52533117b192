import type { Rule } from '../types.ts'

/** Limits. */
export const limits = {
  'limits.context': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The service enforces the session limits that it reports.',
    clause: 'Endpoints > Invoices, operations and others',
    touches: ['limits-bodies'],
    variants: {
      reported: 'the limits are reported',
      'number of invoices': { description: 'the number of invoices', needs: ['testdata'] },
      'invoices at once': {
        description: 'the number of invoices before any has been processed',
        needs: ['testdata'],
      },
      'size of invoices': { description: 'the size of an invoice', needs: ['testdata'] },
      package: { description: 'the number of invoices in a package', needs: ['testdata'] },
      'own context only': {
        description: 'no effect on another context',
        needs: ['testdata', 'second'],
      },
    },
  },
  'limits.subject': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The service reports the limits on certificates and applications.',
    clause: 'Endpoints > Invoices, operations and others',
    touches: ['limits-bodies'],
    variants: {
      entity: 'of an entity',
      person: { description: 'of a person', needs: ['testdata'] },
      none: {
        description: 'none at all',
        needs: ['testdata'],
        assumes: ['limit-simulation'],
      },
      'one set': {
        description: 'both, when only one was set',
        needs: ['testdata'],
        assumes: ['limit-simulation'],
      },
      'another context': {
        description: 'the same in each context of the subject',
        needs: ['testdata', 'second'],
        assumes: ['limit-simulation'],
      },
    },
  },
  'limits.rate.each-rule': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'Every row of the rate table permits exactly the stated number of calls per second, minute and hour.',
    clause: 'Limits > Rate limits',
    needs: ['provoke'],
    variants: {
      'per second': 'within a second',
      'per minute': { description: 'within a minute', needs: ['clock'] },
      'per hour': { description: 'within an hour', needs: ['clock'] },
      shared: 'counted together where a row names several operations',
      'shared over time': {
        description: 'counted together within a minute and an hour',
        needs: ['testdata'],
        assumes: ['limit-simulation'],
      },
      'invalid calls': {
        description: 'a call for an unknown resource or with a malformed request counts as well',
        needs: ['testdata'],
        assumes: ['limit-simulation'],
      },
    },
  },
  'limits.rate.default-rule': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'An operation without its own row has the default limits, counted per operation.',
    clause: 'Limits > Rate limits',
    needs: ['provoke'],
    variants: {
      'per second': 'within a second',
      'per minute': { description: 'within a minute', needs: ['clock'] },
      'per hour': { description: 'within an hour', needs: ['clock'] },
      operation: 'an operation without a row',
      'each operation': 'each operation that can be called any number of times',
      'valid calls': {
        description: 'each operation that changes something, up to a limit that was set',
        needs: ['testdata'],
      },
      'counted separately': 'one operation does not use up another',
    },
  },
  'limits.rate.windows-slide': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'Rate windows slide: a call counts until it has left the window, and no window is reset at a full second, minute or hour.',
    clause: 'Limits > Rate limits',
    needs: ['provoke'],
    touches: ['rate-window-boundary'],
    variants: {
      'no reset at the full unit': {
        description: 'when the clock reaches the next full unit',
        needs: ['clock'],
      },
      'no reset after a full unit': {
        description: 'when only the first call has left the window',
        needs: ['clock'],
      },
      'free at its end': { description: 'when the first calls leave the window', needs: ['clock'] },
      'full until its end': {
        description: 'until the first call leaves the window',
        needs: ['clock'],
      },
      'rejected calls': { description: 'rejected calls do not count', needs: ['clock'] },
      'each row': {
        description: 'around a full minute, for each row of the table',
        needs: ['clock', 'testdata'],
        assumes: ['limit-simulation'],
      },
    },
  },
  'limits.rate.parallel-thresholds': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'The three thresholds are counted in parallel, and the first one that is exceeded blocks.',
    clause: 'Limits > Rate limits',
    needs: ['provoke'],
    variants: {
      'per second': 'the second is exceeded first',
      'per minute': { description: 'the minute is exceeded first', needs: ['clock'] },
      'per hour': { description: 'the hour is exceeded first', needs: ['clock'] },
      'all three': { description: 'bursts fill all three windows', needs: ['clock'] },
      'after an excess': {
        description: 'an excess of the second empties no longer window',
        needs: ['clock'],
      },
    },
  },
  'limits.rate.retry-after': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'A 429 response states in whole seconds how long to wait; a call after that time is accepted, an earlier one is rejected.',
    clause: 'Limits > Rate limits',
    needs: ['provoke'],
    variants: {
      'header per second': 'a whole number of seconds, at least one',
      'header per minute': { description: 'as above, for a minute', needs: ['clock'] },
      'header per hour': { description: 'as above, for an hour', needs: ['clock'] },
      'brief per second': {
        description: 'not longer than the exceeded window takes to have room',
        assumes: ['first-block'],
      },
      'brief per minute': {
        description: 'as above, for a minute',
        needs: ['clock'],
        assumes: ['first-block'],
      },
      'brief per hour': {
        description: 'as above, for an hour',
        needs: ['clock'],
        assumes: ['first-block'],
      },
      'sufficient per second': {
        description: 'a call after that time is accepted',
        level: 'SHOULD',
      },
      'sufficient after more': {
        description: 'as above, after further violations',
        level: 'SHOULD',
        needs: ['clock'],
      },
      'sufficient per minute': {
        description: 'as above, for a minute',
        level: 'SHOULD',
        needs: ['clock'],
      },
      'sufficient in two windows': {
        description: 'as above, where the second and the minute are full',
        level: 'SHOULD',
        needs: ['clock', 'testdata'],
      },
      'sufficient per hour': {
        description: 'as above, for an hour',
        level: 'SHOULD',
        needs: ['clock'],
      },
      'early call': { description: 'an early call is rejected', needs: ['clock'] },
      'each row': {
        description: 'stated and kept for each row of the table',
        needs: ['clock', 'testdata'],
        assumes: ['limit-simulation'],
      },
      'repeated early calls': {
        description: 'early calls do not extend the time',
        needs: ['clock'],
      },
    },
  },
  'limits.rate.escalation': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The service blocks a repeat offender for longer.',
    clause: 'Limits > Rate limits',
    needs: ['provoke'],
    variants: {
      repeated: {
        description:
          'no violation is blocked for less time than an earlier one, and the fourth is blocked for longer than the first',
        needs: ['clock'],
      },
    },
  },
  'limits.rate.protective-block': {
    level: 'MAY',
    binds: 'S',
    origin: 'stated',
    sentence: 'The service may block a context that calls from many addresses.',
    clause: 'Limits > Rate limits',
    needs: ['ips', 'provoke'],
  },
  'limits.rate.keyed-by-context-and-address': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'Calls are counted per context and source address of the connection; other contexts and addresses are not affected.',
    clause: 'Limits > Rate limits',
    needs: ['ips', 'provoke'],
    variants: {
      'another context': 'another context is not affected',
      'another context over time': {
        description: 'another context is not affected by the minute and the hour',
        needs: ['clock'],
      },
      'another address': 'another address is not affected',
      'another address over time': {
        description: 'another address is not affected by the minute and the hour',
        needs: ['clock'],
      },
      'each row': 'neither is affected, for each row of the table',
      'two logins': 'two logins share one counter',
      'a later login': { description: 'a login in between resets no counter', needs: ['clock'] },
      'two subjects': {
        description: 'two subjects in one context share one counter',
        needs: ['testdata'],
      },
      'forwarded header': 'a forged header has no effect',
      'context of another kind': {
        description: 'contexts of type InternalId and NipVatUe have counters of their own',
        needs: ['testdata', 'clock'],
        assumes: ['permission-grants'],
      },
    },
  },
  'limits.rate.rules-apart': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'Operations with different rows are counted separately.',
    clause: 'Limits > Rate limits',
    needs: ['provoke'],
    variants: {
      'all rows': 'every row up to its limit',
      'over time': {
        description: 'every row up to its limit within a minute and an hour',
        needs: ['testdata'],
        assumes: ['limit-simulation'],
      },
      exhausted: 'one row is exhausted, the others are not',
    },
  },
  'limits.rate.public-outside': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'Public operations are not subject to these limits.',
    clause: 'Limits > Rate limits',
    needs: ['provoke'],
    variants: {
      'during a block': 'while a protected operation is blocked',
      'during a longer block': {
        description: 'every public operation, sign-ins included, while a protected one is blocked',
        needs: ['clock'],
      },
      'above the default': 'more calls than the default permits',
      'above the default with a token': {
        description: 'as above, with the tokens of a login',
        needs: ['clock'],
      },
      'above the default with sign-ins': {
        description: 'more sign-ins than the default permits per minute',
        needs: ['clock'],
      },
      'public limit exhausted': 'protected operations while the public limit is exhausted',
    },
  },
  'limits.rate.by-environment': {
    level: 'SHOULD',
    binds: 'S',
    origin: 'stated',
    sentence:
      'The test environment permits about ten times the calls of production; demo permits the same as production.',
    clause: 'Limits > Rate limits',
    needs: ['env'],
    variants: {
      test: 'about ten times',
      'context of another kind': {
        description: 'about ten times in contexts of type InternalId and NipVatUe',
        needs: ['testdata'],
        assumes: ['permission-grants'],
      },
      demo: { description: 'the same', needs: ['provoke'] },
      production: { description: 'as documented', needs: ['provoke'] },
    },
  },
  'limits.rate.real-hour': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The hourly threshold holds over an hour of real time.',
    clause: 'Limits > Rate limits',
    needs: ['long', 'provoke'],
  },
  'limits.rate.exact-under-concurrency': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'Under concurrent calls the service accepts exactly the permitted number.',
    clause: 'Limits > Rate limits',
    needs: ['provoke'],
    variants: {
      limited: { description: 'many concurrent calls against one threshold', needs: ['testdata'] },
      'one burst': { description: 'one burst at production limits', needs: ['testdata'] },
      'at once': {
        description: 'concurrent calls under each rate rule',
        needs: ['testdata', 'clock'],
      },
    },
  },
} as const satisfies Record<string, Rule>
