import type { RecordCall } from '../../../lib/client.ts'
import type { Outcome } from '../../../lib/outcome.ts'
import type { Ledger } from '../run/ledger.ts'
import { tidyUp } from './left-behind.ts'
import type { LeftThing } from './left-behind.ts'
import { optionalRemovals } from './left-kinds.ts'
import { leavesRoom } from '../service/rated-room.ts'
import type { Target } from '../service/target.ts'
import { endPatience } from '../run/waiting.ts'

/** Tidies up after a check at its target, and counts what that costs; returns what the check left. */
export const leftAfter = (
  target: Target,
  ledger: Ledger,
  { unreachable }: Outcome,
): Promise<readonly LeftThing[]> => {
  endPatience()
  const { exchanges, callers } = ledger
  const count: RecordCall = (exchange, subject) => {
    if (!optionalRemovals.has(exchange.operation)) ledger.count(exchange, subject)
  }
  return tidyUp(target.client(count), {
    exchanges,
    callers,
    lost: unreachable !== undefined,
    leavesRoom: (context, operation) => leavesRoom(target, context, operation),
  })
}
