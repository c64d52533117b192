import type { Rule } from '../types.ts'

/** Service tokens as records: created, listed, revoked. Logging in with them is under authentication. */
export const tokens = {
  'tokens.list.scope': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'A caller who can read or manage credentials sees every service token of the context; any other caller sees only its own.',
    clause: 'Resources and their fields > Service token (credential)',
    needs: ['testdata', 'second'],
    assumes: ['service-tokens'],
    variants: {
      'own tokens': 'a caller without these permissions',
      'linked identifiers': 'the NIP and the PESEL of one person',
    },
  },
  'tokens.list.narrowed': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The list of service tokens is filtered by state, description and author, newest first, in pages.',
    clause: 'Resources and their fields > Service token (credential)',
    needs: ['testdata'],
    assumes: ['service-tokens', 'paging'],
    variants: {
      filters: 'every filter',
      pages: 'over several pages',
      'invalid filter': 'an invalid filter or page size is rejected',
      'foreign continuation token': 'a continuation token of another list is rejected',
    },
  },
  'tokens.status.described': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The status of a service token reports its author, context, permissions, state, creation and last use, and never the token itself.',
    clause: 'Resources and their fields > Service token (credential)',
    assumes: ['service-tokens'],
    variants: {
      'used again': { description: 'the last of several uses', needs: ['clock'] },
      'several tokens': {
        description: 'tokens that differ in author, permissions, state and dates',
        needs: ['clock', 'testdata'],
      },
      'in the context of a unit': { description: 'its context', needs: ['testdata'] },
      failed: { description: 'the details of a token that failed', needs: ['failures'] },
    },
  },
  'tokens.status.moves-forward': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'A service token becomes active, becomes revoked after a revocation, and never returns to an earlier state.',
    clause: 'Resources and their fields > Service token (credential)',
    assumes: ['service-tokens'],
    variants: {
      'while pending': { description: 'revoked before it is active', needs: ['clock'] },
    },
  },
  'tokens.create.within-rights': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'The service rejects a service token with permissions that its author does not have.',
    clause: 'Resources and their fields > Service token (credential)',
    needs: ['testdata'],
    assumes: ['service-tokens'],
    variants: {
      'beyond its author': 'rejected for a permission that the author lacks',
      'in an EU context': 'rejected in a context of type NipVatUe',
      'within its author': "accepted for the author's permissions",
      'invalid request': 'an incomplete or invalid request is rejected',
    },
  },
  'tokens.revoke.rights': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'The service revokes a service token for its author and for callers with CredentialsManage, and for no one else.',
    clause: 'Resources and their fields > Service token (credential)',
    needs: ['testdata', 'second'],
    assumes: ['service-tokens'],
    variants: {
      'by its author': 'accepted',
      'by a credentials manager': 'accepted',
      'by itself': 'a login by the token revokes it',
      'by a credentials reader': 'rejected',
      'by another caller': 'rejected',
      unknown: 'rejected for an unknown reference',
    },
  },
  'tokens.revoke.logins': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'After a service token is revoked, the logins that used it yield no further tokens.',
    clause: 'Resources and their fields > Service token (credential)',
    assumes: ['service-tokens'],
    variants: {
      'never refreshed': 'a login that was not refreshed before',
      'refreshed once': 'a login that was refreshed before',
      'not redeemed': 'a login whose tokens were not taken before',
      'by a manager': { description: 'revoked by another caller', needs: ['testdata'] },
    },
  },
} as const satisfies Record<string, Rule>
