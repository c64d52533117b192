import type { State } from '../../model/state.ts'
import type { Mutant, Place } from '../mutant.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Of several pieces of work that are pending at the same time, only the last one is completed. */

interface Pending {
  /** Of a session: one that is open waits for its caller. */
  readonly openedAt?: unknown
  readonly status?: string | { readonly code: number }
  readonly revoking?: unknown
  readonly revokedAt?: unknown
}

const isPending = ({ openedAt, status, revoking, revokedAt }: Pending): boolean =>
  typeof status === 'object'
    ? status.code < 200 && (openedAt === undefined || status.code > 100)
    : status === 'Pending' || (revoking !== undefined && revokedAt === undefined)

const lastAlone = (table: keyof State, place: Place): Mutant => ({
  at: [place],
  tables: {
    [table]: {
      write(next: Pending, before: Pending | undefined, state: State): Pending | undefined {
        if (before === undefined || !isPending(before) || isPending(next)) return next
        const pending = ([...state[table].values()] as readonly Pending[]).filter(isPending)
        return pending.at(-1) === before ? next : undefined
      },
    },
  },
})

const rows: readonly (readonly [keyof State, Place, Rules])[] = [
  ['enrollments', 'enrollment', ['certificates.enrol']],
  ['certificates', 'certificate', ['certificates.revoke']],
  [
    'operations',
    'operation',
    ['operations.status.reports', 'permissions.grant.effective', 'permissions.revoke.effective'],
  ],
  ['exports', 'export', ['exports.create.accepted', 'exports.status.moves-forward']],
  ['invoices', 'invoice', ['invoices.submit.accepted', 'invoices.status.outcome']],
  ['sessions', 'session', ['sessions.online.side-by-side', 'sessions.online.close']],
  ['sessions', 'invoice', ['sessions.batch.close', 'sessions.status.moves-forward']],
  ['tokens', 'token', ['tokens.status.moves-forward']],
  [
    'authentications',
    'authentication',
    ['auth.status.moves-forward', 'auth.token.accepted', 'auth.xades.enveloped'],
  ],
]

export const lastOfSeveral = (): Generated[] =>
  rows.map(([table, place, rules]) =>
    generated('last-alone', place, rules, lastAlone(table, place)),
  )
