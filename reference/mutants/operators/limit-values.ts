import type { Dialect } from '../../../contract/dialect.ts'
import { dialects } from '../../../contract/dialects.ts'
import type { LimitId, RateRuleId } from '../../../contract/limits.ts'
import { rateRules } from '../../../contract/limits.ts'
import type { Window } from '../../../contract/types.ts'
import { policy } from '../../policy/policy.ts'
import { unseenUnderWay } from '../limiters.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Limits and lifetimes that are one more, one less, halved, doubled or without an end. */

type Change = (value: number) => number

const steps: Readonly<Record<string, Change>> = {
  'one-more': (value) => value + 1,
  'one-less': (value) => value - 1,
}
const spans: Readonly<Record<string, Change>> = {
  half: (value) => value / 2,
  double: (value) => value * 2,
}
const sizes = { ...steps, ...spans }

/** Limits by the rules that state them, with the changes that these forbid. */
const rows: {
  readonly [Id in LimitId]?: {
    readonly rules: Rules
    readonly changes: Readonly<Record<string, Change>>
  }
} = {
  'invoice.bytes': {
    rules: ['invoices.size.without-attachments', 'limits.context'],
    changes: sizes,
  },
  'invoice.bytesWithAttachment': {
    rules: ['invoices.size.with-attachments', 'limits.context'],
    changes: sizes,
  },
  'session.invoices': {
    rules: ['sessions.online.ten-thousand', 'sessions.batch.ten-thousand', 'limits.context'],
    changes: sizes,
  },
  'session.onlineLifetime': { rules: ['sessions.status.dates'], changes: spans },
  'challenge.lifetime': {
    rules: ['auth.challenge.ten-minutes'],
    changes: {
      ...spans,
      'minute-less': (s) => s - 60,
      'minute-more': (s) => s + 60,
      'two-seconds-less': (s) => s - 2,
      'two-seconds-more': (s) => s + 2,
    },
  },
  'authenticationToken.lifetime': {
    rules: ['auth.redeem.not-after-expiry'],
    changes: { 'without-end': (s) => s * 10_000 },
  },
  'accessToken.lifetime': { rules: ['auth.access-token.jwt-lifetime'], changes: spans },
  'refreshToken.lifetime': {
    rules: ['auth.refresh.seven-days'],
    changes: { double: spans['double']!, 'minute-more': (s) => s + 60 },
  },
  'serviceToken.clockSkew': {
    rules: ['auth.token.wrong-timestamp-refused'],
    changes: { double: spans['double']!, none: () => 0 },
  },
  'certificate.years': {
    rules: ['certificates.two-years'],
    changes: { 'one-more': (years) => years + 1 },
  },
  'exports.running': { rules: ['exports.running-limit'], changes: sizes },
  'exports.packageLifetime': { rules: ['exports.expiry'], changes: spans },
  'exports.linkLifetime': { rules: ['exports.expiry'], changes: spans },
  'exports.partBytes': { rules: ['exports.package.content'], changes: {} },
  'exports.invoices': { rules: ['exports.package.content'], changes: steps },
  'receipt.linkLifetime': { rules: ['receipts.link.expires'], changes: spans },
  'batch.packageBytes': { rules: ['sessions.batch.too-large-refused'], changes: sizes },
  'batch.partBytes': { rules: ['sessions.batch.too-large-refused'], changes: sizes },
  'batch.parts': { rules: ['sessions.batch.too-large-refused'], changes: sizes },
  'batch.uploadSecondsPerPart': {
    rules: ['sessions.batch.close', 'sessions.batch.part-checked'],
    changes: spans,
  },
  'query.records': {
    rules: ['queries.metadata.paging', 'queries.general.date-range'],
    changes: steps,
  },
  'receipt.documentsPerPage': { rules: ['receipts.session.verifies'], changes: steps },
  'query.months': { rules: ['queries.metadata.date-bounds'], changes: steps },
  'retention.statusDays': { rules: ['operations.status.kept'], changes: spans },
  'retention.operationDays': { rules: ['operations.status.kept'], changes: spans },
  'enrollments.nip': { rules: ['certificates.limits', 'limits.subject'], changes: sizes },
  'certificates.nip': { rules: ['certificates.limits', 'limits.subject'], changes: sizes },
  'enrollments.person': { rules: ['certificates.limits', 'limits.subject'], changes: sizes },
  'certificates.person': { rules: ['certificates.limits', 'limits.subject'], changes: sizes },
}

const windows = ['perSecond', 'perMinute', 'perHour'] as const

/** What a row of the rate table is, in any dialect. */
const valuesOf = (rule: RateRuleId): readonly Window[] => [
  rateRules[rule].window,
  ...Object.values(dialects).flatMap(({ rates }: Dialect) => rates[rule] ?? []),
]

/** A threshold of one row of the rate table, recognized by its three values. */
const threshold = (rule: RateRuleId, window: (typeof windows)[number], change: Change): Mutant => {
  const values = valuesOf(rule)
  return {
    policy: {
      thresholds: (given) =>
        policy.thresholds(
          values.some((own) => windows.every((name) => given[name] === own[name]))
            ? { ...given, [window]: change(given[window]) }
            : given,
        ),
    },
  }
}

const retries: Readonly<Record<string, (waitMs: number) => number>> = {
  'one-second-short': (ms) => Math.max(1, Math.ceil(ms / 1000) - 1),
  'one-second-long': (ms) => Math.ceil(ms / 1000) + 1,
  'rounded-down': (ms) => Math.max(1, Math.floor(ms / 1000)),
  'a-minute-always': () => 60,
  'an-hour-always': () => 3600,
  'in-milliseconds': (ms) => Math.max(1, Math.ceil(ms)),
  zero: () => 0,
}

/** Every number of the contract. */
export const otherLimits = (): Generated[] => [
  ...(Object.entries(rows) as [LimitId, NonNullable<(typeof rows)[LimitId]>][]).flatMap(
    ([id, { rules, changes }]) =>
      Object.entries(changes).map(([name, change]) =>
        generated('limit', `${id}.${name}`, rules, { limits: { [id]: change } }),
      ),
  ),
  ...(Object.keys(rateRules) as RateRuleId[]).flatMap((rule) =>
    windows.flatMap((window) =>
      Object.entries({ ...steps, unlimited: () => 1_000_000 }).map(([name, change]) =>
        generated(
          'limit',
          `rate.${rule}.${window}.${name}`,
          [rule === 'default' ? 'limits.rate.default-rule' : 'limits.rate.each-rule'],
          threshold(rule, window, change),
        ),
      ),
    ),
  ),
  ...Object.entries(retries).map(([name, retryAfterSeconds]) =>
    generated('limit', `retry-after.${name}`, ['limits.rate.retry-after'], {
      policy: { retryAfterSeconds },
    }),
  ),
]

/** Calls of a burst that are not seen by the others, under each rate rule. */
export const unseenInBursts = (): Generated[] =>
  (Object.keys(rateRules) as RateRuleId[]).map((id) =>
    generated('under-way', id, ['limits.rate.exact-under-concurrency'], unseenUnderWay(id)),
  )
