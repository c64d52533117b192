import type { Fixtures } from './fixtures.ts'

/** Asynchronous work that takes time, so that a check sees what is reported before it is done. */

/** Longer than anything takes that a check does meanwhile, shorter than an access token lives; ms. */
export const delay = 300_000

/** Has work of some kinds take time; what it returns turns the clock to where the work is done. */
export const hold = async (
  { target, clock }: Pick<Fixtures, 'target' | 'clock'>,
  ...kinds: readonly string[]
) => {
  for (const kind of kinds) await target.management?.delay(kind, delay)
  return () => clock.advance(delay + 60_000)
}
