import type { Dialect } from '../../contract/dialect.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import type { LimitId } from '../../contract/limits.ts'
import { publicRate, rateRules } from '../../contract/limits.ts'
import type { Environment } from '../../contract/environments.ts'
import type { Window } from '../../contract/types.ts'
import type {
  ContextIdentifier,
  ContextLimits,
  SessionLimits,
  SubjectIdentifier,
  SubjectLimits,
} from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import type { State } from '../model/state.ts'

/** The limits in force: the initial ones, overridden by what the limit simulation set for one context or subject. */

export type RateTable = Readonly<Record<RateRuleId, Window>>
/**
 * `production`, `test` (wider by the factor of the test environment), `off`, or custom thresholds: rows not named
 * have production's values.
 */
export type LimitsOption = 'production' | 'test' | 'off' | Partial<Record<RateRuleId, Window>>

export interface Limits {
  option(): LimitsOption
  /** Puts other limits in force for everyone; what was set for single contexts stays. */
  use(option: LimitsOption): void
  /** Thresholds of a row for a context; undefined when nothing limits. */
  rate(rule: RateRuleId, context: ContextIdentifier): Window | undefined
  /** All rows for a context, also where rates are off (then production's). */
  rates(context: ContextIdentifier): RateTable
  publicPerSecond(): number | undefined
  /** Size and count limits of the sessions of a context. */
  session(context: ContextIdentifier): ContextLimits
  /** Certificate limits of a subject. */
  subject(subject: SubjectIdentifier): Required<SubjectLimits>
  /** What the environment's own table says, whatever the option at the start was. */
  environmentRates(): RateTable
  productionRates(): RateTable
}

/** The rate table of a dialect, each threshold times a factor. */
const table = (dialect: Dialect, factor: number): RateTable =>
  Object.fromEntries(
    (Object.keys(rateRules) as RateRuleId[]).map((rule) => {
      const { perSecond, perMinute, perHour } = dialect.rates[rule] ?? rateRules[rule].window
      return [
        rule,
        { perSecond: perSecond * factor, perMinute: perMinute * factor, perHour: perHour * factor },
      ]
    }),
  ) as Record<RateRuleId, Window>

/** The rows of the contract in force. */
export interface Terms {
  readonly environment: Environment
  /** The value of a limit. */
  limit(id: LimitId): number
}

/** The limits over a state. */
export const createLimits = (
  state: State,
  dialect: Dialect,
  terms: () => Terms,
  testFactor: number,
  start: LimitsOption,
): Limits => {
  const production = table(dialect, 1)
  const test = table(dialect, testFactor)
  let option = start
  const general = (): RateTable =>
    option === 'test'
      ? test
      : typeof option === 'object'
        ? { ...production, ...option }
        : production
  const sessionDefaults = (): SessionLimits => ({
    maxInvoiceBytes: terms().limit('invoice.bytes'),
    maxInvoiceWithAttachmentBytes: terms().limit('invoice.bytesWithAttachment'),
    maxInvoices: terms().limit('session.invoices'),
  })
  return {
    option: () => option,
    use(next) {
      option = next
    },
    rate(rule, context) {
      const set = state.rates.get(keyOf(context))
      if (set) return set.rates[rule]
      return option === 'off' ? undefined : general()[rule]
    },
    rates: (context) => state.rates.get(keyOf(context))?.rates ?? general(),
    publicPerSecond: () => (option === 'off' ? undefined : publicRate.perSecond),
    session: (context) =>
      state.contextLimits.get(keyOf(context))?.limits ?? {
        online: sessionDefaults(),
        batch: sessionDefaults(),
      },
    subject(subject) {
      const person = subject.type !== 'Nip'
      const set = state.subjectLimits.get(keyOf(subject))?.limits
      return {
        maxEnrollments:
          set?.maxEnrollments ?? terms().limit(person ? 'enrollments.person' : 'enrollments.nip'),
        maxCertificates:
          set?.maxCertificates ??
          terms().limit(person ? 'certificates.person' : 'certificates.nip'),
      }
    },
    environmentRates: () => table(dialect, terms().environment.rateFactor),
    productionRates: () => production,
  }
}
