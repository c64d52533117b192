import type { Rule } from '../types.ts'

/** Service tokens as records: made, listed, taken back. Logging in by them stands under authentication. */
export const tokens = {
  'tokens.list.scope': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'Who reads or manages credentials finds every service token of the context, anyone else the own ones alone.',
    clause: 'Resources and their fields > Service token (credential)',
    needs: ['testdata', 'second'],
    rests: ['service-tokens'],
  },
  'tokens.list.narrowed': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'State, description and author narrow the list of service tokens to what fits, the newest first, page by page.',
    clause: 'Resources and their fields > Service token (credential)',
    needs: ['testdata'],
    rests: ['service-tokens', 'paging'],
  },
  'tokens.status.described': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'A service token tells its author, context, permissions and state, when it was made and when it was last used, and never itself.',
    clause: 'Resources and their fields > Service token (credential)',
    rests: ['service-tokens'],
  },
  'tokens.status.moves-forward': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'A service token becomes active, and revoked when it is taken back; it never goes back to a state that it has left.',
    clause: 'Resources and their fields > Service token (credential)',
    rests: ['service-tokens'],
  },
  'tokens.create.within-rights': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'Nobody makes a service token that may more than its author.',
    clause: 'Resources and their fields > Service token (credential)',
    needs: ['testdata'],
    rests: ['service-tokens'],
  },
  'tokens.revoke.rights': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'A service token is taken back by its author or by who manages credentials there.',
    clause: 'Resources and their fields > Service token (credential)',
    needs: ['testdata', 'second'],
    rests: ['service-tokens'],
  },
  'tokens.revoke.logins': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'After a service token was taken back, a login that it opened refreshes no more.',
    clause: 'Resources and their fields > Service token (credential)',
    rests: ['service-tokens'],
  },
} as const satisfies Record<string, Rule>
