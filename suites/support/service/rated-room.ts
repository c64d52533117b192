import type { Dialect } from '../../../contract/dialect.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { keptFactor } from '../../../lib/node/target.ts'
import { counterOf, thresholdsOf } from '../../../lib/pacer.ts'
import type { Thresholds, Windows } from '../../../lib/windows.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { sharesContext } from '../run/own-work.ts'
import type { Target } from './target.ts'

/** The calls that a limit counts with those of a check: its own, and in a shared context those of other checks. */

/** The exchanges that count against the same limit as an operation. */
export const countedWith = (
  operation: OperationId,
  dialect: Dialect,
  exchanges: readonly Exchange[],
) =>
  exchanges.filter(
    (one) =>
      one.operation !== undefined &&
      counterOf(one.operation, dialect) === counterOf(operation, dialect),
  )

/** Whether a call in a context that checks share leaves them half of what the limit allows in an hour. */
export const leavesRoom = async (
  {
    room,
    dialect,
    management,
    profile,
  }: Pick<Target, 'dialect' | 'management'> & {
    readonly room: Pick<Target['room'], 'counted'>
    readonly profile: Parameters<typeof keptFactor>[0]
  },
  context: string,
  operation: OperationId,
): Promise<boolean> => {
  if (management !== undefined || !sharesContext()) return true
  const { rate } = wireOperation(operation, dialect)
  const thresholds = thresholdsOf(rate, dialect, keptFactor(profile))
  if (thresholds?.perHour === undefined) return true
  const { times } = await room.counted(context, counterOf(operation, dialect), thresholds)
  return times.length < thresholds.perHour / 2
}

/** Calls arrive later than they are sent, and the target may count the last one until then, ms. */
const margin = 100

/**
 * Counts the calls that the target counts already: in a context of the check's own those of its preparation. In a shared
 * one they are those of the last hour; then it waits until the windows longer than a second have room for what follows,
 * so that none of them refuses it. Where the clock can be moved, each check has a context of its own.
 * @throws {NotOffered} when the run has no patience left for the wait
 */
export const countEarlier = async (
  { room, dialect, now, management }: Pick<Target, 'room' | 'dialect' | 'now' | 'management'>,
  { identity }: Pick<Client, 'identity'>,
  operation: OperationId,
  {
    windows,
    thresholds,
    prepared,
  }: { windows: Windows; thresholds: Required<Thresholds>; prepared: readonly Exchange[] },
): Promise<void> => {
  if (management !== undefined || !sharesContext()) {
    for (const { startedAt } of prepared) windows.count(startedAt)
    return
  }
  const rule = counterOf(operation, dialect)
  const { times, blockedUntil } = await room.counted(identity.context ?? '', rule, thresholds)
  for (const at of times) windows.count(at)
  // Those that fill the second, and two that only it must refuse.
  const calls = thresholds.perSecond + 2
  const free = (['minute', 'hour'] as const).map((name) => windows.roomFor(now(), calls, name))
  const ms = Math.max(blockedUntil, ...free) - now()
  if (ms > 0) await room.rest(ms + margin, rule)
}
