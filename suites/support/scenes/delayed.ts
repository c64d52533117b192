import type { Lifecycle } from '../../../contract/types.ts'
import type { Fixtures } from '../harness/fixtures.ts'
import type { Target } from '../service/target.ts'

/** Asynchronous work that takes time, so that a check sees what is reported before it is done. */

/** Longer than everything a check does in the meantime, shorter than an access token lives; ms. */
export const delay = 300_000

/** Makes some kinds of work take time; the returned function advances the clock to when the work is done. */
export const hold = async (
  { target, clock }: Pick<Fixtures, 'target' | 'clock'>,
  ...kinds: readonly string[]
) => {
  for (const kind of kinds) await target.management?.delay(kind, delay)
  return () => clock.advance(delay + 60_000)
}

/** The kinds of work that bring a lifecycle on. */
const kinds: Readonly<Partial<Record<Lifecycle, readonly string[]>>> = {
  authentication: ['authentication'],
  onlineSession: ['session'],
  batchSession: ['batch'],
  invoice: ['invoice'],
  export: ['export'],
  operation: ['operation'],
  application: ['enrollment'],
}

/** Has the work of a lifecycle take a minute where the target can do that, so that its first state is seen. */
export const slowDown = async (target: Target, of: Lifecycle): Promise<void> => {
  if (!target.has('failures')) return
  for (const kind of kinds[of] ?? []) await target.management?.delay(kind, 60_000)
}
