import type { ServiceToken } from '../../model/entities.ts'
import { policy } from '../../policy/policy.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Service tokens that do in one state what they do in another. */

type State = ServiceToken['status']

const unusable = ['Pending', 'Revoking', 'Revoked', 'Failed'] as const satisfies readonly State[]

const entered = ['Active', 'Revoking', 'Revoked'] as const satisfies readonly State[]

/** Every state in which a token must not be used, and every one in which it must be dated as before. */
export const wrongTokenStates = (): Generated[] => [
  ...unusable.map((state) =>
    generated(
      'token-state',
      `login-while-${state}`,
      ['auth.token.unusable-refused', 'tokens.status.moves-forward'],
      { policy: { tokenUsable: (status) => status === state || policy.tokenUsable(status) } },
    ),
  ),
  ...entered.map((state) =>
    generated('token-state', `created-when-${state}`, ['tokens.status.described'], {
      tables: {
        tokens: {
          write: (next, before) =>
            before !== undefined && before.status !== state && next.status === state
              ? { ...next, createdAt: next.createdAt + 1_000 }
              : next,
        },
      },
    }),
  ),
]
