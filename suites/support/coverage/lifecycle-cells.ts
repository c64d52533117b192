import type { OperationId } from '../../../contract/endpoints.ts'
import { lifecycles } from '../../../contract/lifecycles.ts'
import type { Lifecycle } from '../../../contract/types.ts'
import { following } from '../../../lib/lifecycle.ts'

/** What the lifecycles have checks reach: their states, the transitions between them, and what no state permits. */

const lifecycleIds = Object.keys(lifecycles) as Lifecycle[]

export const stateCell = (lifecycle: Lifecycle, code: number): string => `${lifecycle} ${code}`

export const transitionCell = (lifecycle: Lifecycle, from: number, to: number): string =>
  `${lifecycle} ${from} -> ${to}`

/** Every state, those that work only passes through included. */
export const stateCells = lifecycleIds.flatMap((lifecycle) =>
  lifecycles[lifecycle].map(({ code }) => stateCell(lifecycle, code)),
)

/** Every step from a state to the next. */
export const transitionCells = lifecycleIds.flatMap((lifecycle) =>
  lifecycles[lifecycle].flatMap(({ code, next }) =>
    next.map((to) => transitionCell(lifecycle, code, to)),
  ),
)

interface Move {
  readonly of: Lifecycle
  /** The states in which it has an effect. */
  readonly from: readonly number[]
  /** What it acts on exists only in these states and those that follow them. */
  readonly onlyAfter?: true
}

/** Operations that move a resource on, or use what it holds, and the states that permit them. */
export const moves: Readonly<Partial<Record<OperationId, Move>>> = {
  'auth.redeem': { of: 'authentication', from: [200] },
  'auth.refresh': { of: 'authentication', from: [200], onlyAfter: true },
  'tokens.revoke': { of: 'token', from: [100, 110] },
  'sessions.closeOnline': { of: 'onlineSession', from: [100] },
  'invoices.submit': { of: 'onlineSession', from: [100] },
  'sessions.uploadPart': { of: 'batchSession', from: [100] },
  'sessions.closeBatch': { of: 'batchSession', from: [100] },
  'exports.part': { of: 'export', from: [200], onlyAfter: true },
  'certificates.revoke': { of: 'certificate', from: [100] },
}

export const actionCell = (lifecycle: Lifecycle, code: number, operation: OperationId): string =>
  `${stateCell(lifecycle, code)} x ${operation}`

/** Every operation of these in every state that does not permit it. */
export const actionCells = (Object.entries(moves) as [OperationId, Move][]).flatMap(
  ([operation, { of, from, onlyAfter }]) => {
    const later = following(of, from)
    return lifecycles[of]
      .map(({ code }) => code)
      .filter((code) => !from.includes(code) && (onlyAfter !== true || later.has(code)))
      .map((code) => actionCell(of, code, operation))
  },
)
