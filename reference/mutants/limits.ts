import type { Mutant } from '../mutant.ts'
import { policy } from '../policy.ts'

const floor = (instant: number, span: number): number => Math.floor(instant / span) * span

export const limitsMutants = {
  'limits.context.told-double': {
    breaks: ['limits.context'],
    policy: { shownMegabytes: (bytes) => (2 * bytes) / 1_000_000 },
  },
  'limits.rate.one-too-many': {
    breaks: [
      'limits.rate.each-rule',
      'limits.rate.default-rule',
      'limits.rate.exact-under-concurrency',
    ],
    policy: { windowIsFull: (counted, most) => counted > most },
  },
  'limits.rate.one-too-few': {
    breaks: ['limits.rate.each-rule', 'limits.rate.default-rule'],
    policy: { windowIsFull: (counted, most) => counted >= most - 1 },
  },
  'limits.rate.no-default': {
    breaks: ['limits.rate.default-rule'],
    policy: {
      rateKey: (context, address, rule) =>
        // A key that nobody shares counts nothing.
        rule.includes('.')
          ? `${context} ${address} ${rule} ${Math.random()}`
          : policy.rateKey(context, address, rule),
    },
  },
  'limits.rate.fixed-windows': {
    breaks: ['limits.rate.windows-slide'],
    policy: { callCounts: (at, now, span) => at >= floor(now, span) },
  },
  'limits.rate.refused-count': {
    breaks: ['limits.rate.windows-slide'],
    policy: { refusedCallCounts: () => true },
  },
  'limits.rate.no-hour': {
    breaks: ['limits.rate.parallel-thresholds', 'limits.rate.each-rule'],
    policy: { thresholds: (window) => policy.thresholds(window).slice(0, 2) },
  },
  'limits.rate.no-second': {
    breaks: ['limits.rate.parallel-thresholds', 'limits.rate.each-rule'],
    policy: { thresholds: (window) => policy.thresholds(window).slice(1) },
  },
  'limits.rate.retry-after-short': {
    breaks: ['limits.rate.retry-after'],
    policy: { retryAfterSeconds: (wait) => Math.max(1, Math.floor(wait / 2000)) },
  },
  'limits.rate.block-not-held': {
    breaks: ['limits.rate.retry-after'],
    policy: { blockHolds: () => false },
  },
  'limits.rate.no-escalation': {
    breaks: ['limits.rate.escalation'],
    policy: { blockSeconds: (least) => least },
  },
  'limits.rate.by-context-alone': {
    breaks: ['limits.rate.keyed-by-context-and-address'],
    policy: { rateKey: (context, _, rule) => `${context} ${rule}` },
  },
  'limits.rate.by-address-alone': {
    breaks: ['limits.rate.keyed-by-context-and-address'],
    policy: { rateKey: (_, address, rule) => `${address} ${rule}` },
  },
  'limits.rate.forwarded-address': {
    breaks: ['limits.rate.keyed-by-context-and-address'],
    policy: { addressOf: (connection, headers) => headers['x-forwarded-for'] ?? connection },
  },
  'limits.rate.rules-together': {
    breaks: ['limits.rate.rules-apart'],
    policy: { rateCounter: () => 'all' },
  },
  'limits.rate.public-inside': {
    breaks: ['limits.rate.public-outside'],
    policy: {
      publicThresholds: () => policy.thresholds({ perSecond: 10, perMinute: 30, perHour: 120 }),
    },
  },
} as const satisfies Record<string, Mutant>
