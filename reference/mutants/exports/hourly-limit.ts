import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'

/** Defects of an hourly limit of exports. */
export const exportsHourlyLimitMutants = {
  'exports.hourly-limit/four-an-hour': {
    policy: {
      thresholds: (window) =>
        policy.thresholds(window.perHour === 20 ? { ...window, perHour: 4 } : window),
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
