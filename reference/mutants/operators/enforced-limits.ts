import type { RateRuleId } from '../../../contract/limits.ts'
import { rateRules } from '../../../contract/limits.ts'
import type { Window } from '../../../contract/types.ts'
import { policy } from '../../policy/policy.ts'
import { tenfold } from '../limits/windows.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Rows of the rate table that are reported as one environment has them, and enforced as another one. */

const names = ['perSecond', 'perMinute', 'perHour'] as const satisfies readonly (keyof Window)[]

/** A threshold of the rows that have such thresholds is enforced like that of other ones. */
const enforcedAs = (reported: Window, name: keyof Window, other: Window): Mutant => ({
  policy: {
    thresholds: (window) =>
      policy.thresholds(
        names.every((one) => window[one] === reported[one])
          ? { ...window, [name]: other[name] }
          : window,
      ),
  },
})

const rows = ['default', 'queryMetadata'] as const satisfies readonly RateRuleId[]

/** In the test environment as in production, and where production's limits hold as in the test environment. */
export const enforcedElsewhere = (): Generated[] => {
  const rule = ['limits.rate.by-environment'] as const
  const narrower = rows.flatMap((row) =>
    names.map((name) => {
      const { window } = rateRules[row]
      return generated(
        'enforced-limit',
        `${row}.${name}-as-in-production`,
        rule,
        enforcedAs(tenfold(window), name, window),
      )
    }),
  )
  const { window } = rateRules.default
  return [
    ...narrower,
    ...names.map((name) =>
      generated(
        'enforced-limit',
        `default.${name}-as-in-test`,
        rule,
        enforcedAs(window, name, tenfold(window)),
      ),
    ),
  ]
}
