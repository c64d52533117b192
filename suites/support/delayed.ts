import type { Fixtures } from './fixtures.ts'

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
