import type { Rule } from '../types.ts'

/** Permissions. */
export const permissions = {
  'permissions.grant.listed': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'What was granted has an id, and the list of grants shows it.',
    clause: 'Resources and their fields > Permission',
    needs: ['testdata'],
    rests: ['permission-grants', 'permission-queries'],
  },
  'permissions.grant.effective': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'A permission works as soon as its operation is finished, and not earlier.',
    clause: 'Resources and their fields > Permission',
    needs: ['testdata'],
    touches: ['permission-grants'],
    variants: { before: 'not yet', after: 'at once' },
  },
  'permissions.revoke.effective': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'Revoking runs in the background; when it is finished the permission is gone, even for tokens that already exist.',
    clause: 'Endpoints > Invoices, operations and others',
    needs: ['testdata'],
    touches: ['revocation-status'],
    variants: {
      asynchronous: 'a reference is answered',
      'existing token': 'a token from before',
      'new token': 'a token from after',
    },
  },
  'permissions.revoke.refusals': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'A revocation fails where the right is lacking, the permission is unknown, gone already, or not within reach.',
    clause: 'Errors',
    needs: ['testdata'],
    touches: ['revocation-refusals'],
    variants: {
      'no right': 'without CredentialsManage',
      unknown: 'an id that does not exist',
      'already revoked': 'revoked before',
      'no access': 'of another context',
    },
  },
  'permissions.matrix': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'For every operation the permissions that open it, and only those, do.',
    clause: 'Authentication',
    needs: ['testdata', 'second'],
    touches: ['permission-matrix'],
  },
} as const satisfies Record<string, Rule>
