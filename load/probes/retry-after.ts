import type { Answer, Bench } from './bench.ts'
import { countLimited, marginOf } from './bench.ts'
import type { Measured, WindowName } from './job.ts'
import type { Rated } from './rated.ts'

/** Seconds that a probe waits in real time. */
const maximumRealWait = 600

/**
 * Retry-After of a first refusal: whole seconds, enough, and no longer than the window needs.
 * @param minimum seconds until the window has room
 */
export const measureRetryAfter = async (
  bench: Bench,
  rated: Rated,
  { row, window }: { readonly row: string; readonly window: WindowName },
  refused: Answer | undefined,
  minimum: number,
): Promise<readonly Measured[]> => {
  const result = (verdict: Measured['verdict'], expected: string, actual: string): Measured => ({
    probe: 'retry-after',
    row,
    window,
    verdict,
    expected,
    actual,
  })
  const seconds = refused?.retryAfter
  if (refused === undefined || seconds === undefined || seconds < 1)
    return [
      result(
        'fail',
        'Retry-After in whole seconds, at least 1',
        seconds === undefined ? 'it is missing or malformed' : `it is ${seconds}`,
      ),
    ]
  // A probe of the hour with few calls takes minutes; its block takes most of an hour.
  if (!bench.virtual && seconds > maximumRealWait)
    return [
      result(
        'not-verifiable',
        'a call after Retry-After passes',
        `a wait of ${seconds} s needs a clock that can be moved`,
      ),
    ]
  await bench.until(refused.ended + seconds * 1000 + (bench.virtual ? 0 : marginOf(bench)))
  const sufficient = countLimited(await rated.call(1)) === 0
  const slack = bench.virtual ? 0 : 1
  return [
    result(
      sufficient ? 'pass' : 'fail',
      'a call after Retry-After passes',
      `a call after ${seconds} s ${sufficient ? 'passes' : 'is refused'}`,
    ),
    // The contract does not bound it, so a long one is reported and not a failure.
    ...(seconds > minimum + slack
      ? [
          result(
            'observed',
            `Retry-After of ${minimum} s, when the window has room`,
            `${seconds} s`,
          ),
        ]
      : []),
  ]
}
