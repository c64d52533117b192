import { refusals } from '../contract/errors.ts'

/**
 * What a run must keep to. Counting is a threshold everywhere: nothing refused, nothing unanswered. Latency is
 * one only where a user sets it, since it says as much of the machine as of the service.
 */
export const countingThresholds: Readonly<Record<string, readonly string[]>> = {
  refused: ['count==0'],
  unanswered: ['count==0'],
}

/** k6 keeps a metric apart by tag only when a threshold names the tag: one that always holds, per known code. */
export const codesApart = (): Record<string, readonly string[]> =>
  Object.fromEntries(
    [
      ...new Set(
        Object.values(refusals).flatMap((row) => ('answer' in row ? row.answer.codes : [])),
      ),
    ]
      .toSorted((a, b) => a - b)
      .map((code) => [`refused{code:${code}}`, ['count>=0']]),
  )
