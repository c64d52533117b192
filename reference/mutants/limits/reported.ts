import { rateRules } from '../../../contract/limits.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import { bodies } from '../rewrite.ts'

/** Rate limits that are reported as those of others. */

/** Contexts that are no taxpayer's are told the limits of production. */
export const productionForOtherKinds = bodies(
  ['limits.rates'],
  (body, { caller, service: { dialect } }) =>
    caller?.context.type === 'Nip'
      ? body
      : Object.fromEntries(
          (Object.keys(body) as RateRuleId[]).map((id) => [
            id,
            dialect.rates[id] ?? rateRules[id].window,
          ]),
        ),
)
