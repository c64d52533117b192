import type { OperationId } from '../../../contract/endpoints.ts'
import type { State } from '../../model/state.ts'
import type { Mutant, Place } from '../mutant.ts'
import { bodies } from '../rewrite.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Several pieces of work that are pending at the same time get in each other's way. */

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

/** Only the last of them is completed. */
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

/** Each is reported as failed until the others are done. */
const failedMeanwhile = (operation: OperationId, table: keyof State, code: number): Mutant =>
  bodies([operation], (fields: Pending, { service }) => {
    const pending = ([...service.state[table].values()] as readonly Pending[]).filter(isPending)
    return pending.length > 1 && isPending(fields)
      ? { status: { ...(fields.status as object), code } }
      : {}
  })

const reported: readonly (readonly [OperationId, keyof State, number, Rules])[] = [
  ['auth.status', 'authentications', 500, ['auth.status.moves-forward']],
  ['exports.status', 'exports', 500, ['exports.status.moves-forward']],
  ['operations.status', 'operations', 500, ['operations.status.reports']],
  ['certificates.enrollment', 'enrollments', 500, ['certificates.enrol']],
  ['invoices.inSession', 'invoices', 500, ['sessions.status.moves-forward']],
  ['sessions.status', 'sessions', 445, ['sessions.status.moves-forward']],
]

export const workTogether = (): Generated[] => [
  ...rows.map(([table, place, rules]) =>
    generated('last-alone', place, rules, lastAlone(table, place)),
  ),
  ...reported.map(([operation, table, code, rules]) =>
    generated('failed-meanwhile', operation, rules, failedMeanwhile(operation, table, code)),
  ),
]
