import type { Bench } from '../../load/probes/bench.ts'
import type { ProbeCall } from '../../load/probes/bench.ts'
import type { Thresholds } from '../../lib/windows.ts'
import { rngFor } from '../../lib/random.ts'
import { policy } from '../../reference/policy/policy.ts'
import type { Policy } from '../../reference/policy/policy.ts'
import { createLimiter } from '../../reference/rates/limiter.ts'

export interface Simulated {
  readonly thresholds: Required<Thresholds>
  readonly policy?: Partial<Policy>
  /** Calls that may be under way at the same time. */
  readonly cap?: number
  readonly seed: number
}

const nameOf = (call: ProbeCall): string => ('upload' in call ? 'upload' : call.operation)

/** A bench whose calls go to the limiter of the reference, in virtual time; one key for each operation. */
export const limiterBench = ({ thresholds, policy: other, cap, seed }: Simulated): Bench => {
  const limiter = createLimiter()
  const varied = { ...policy, ...other }
  let now = 1_750_000_000_000 + rngFor({ seed, rule: 'limiter' }).int(0, 3_600_000)
  const windows = varied.thresholds(thresholds)
  return {
    virtual: true,
    now: () => now,
    until(instant) {
      now = Math.max(now, Math.ceil(instant))
      return Promise.resolve()
    },
    burst: (call, count) =>
      Promise.resolve(
        Array.from({ length: count }, (_, place) => {
          const key = varied.rateKey('context', 'address', nameOf(call))
          const limited =
            cap === undefined
              ? limiter.pass(varied, key, windows, now)
              : place < cap
                ? undefined
                : { retryAfter: 1 }
          const answer = { begun: now, ended: now }
          return limited === undefined
            ? { ...answer, status: 200, retryAfter: undefined }
            : { ...answer, status: 429, retryAfter: limited.retryAfter }
        }),
      ),
  }
}
