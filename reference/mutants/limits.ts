import type { Mutant } from './mutant.ts'
import { limitsPolicy } from '../policy/limits.ts'

/** Defects of limits. */
export const limitsMutants = {
  'limits.one-too-many': {
    breaks: ['limits.rate.each-rule', 'limits.rate.default-rule'],
    policy: { windowIsFull: (counted, most) => counted > most },
  },
  'limits.one-too-few': {
    breaks: ['limits.rate.each-rule', 'limits.rate.default-rule'],
    policy: { windowIsFull: (counted, most) => counted >= most - 1 },
  },
  'limits.no-second': {
    breaks: ['limits.rate.each-rule', 'limits.rate.parallel-thresholds'],
    policy: { thresholds: (window) => limitsPolicy.thresholds(window).slice(1) },
  },
  'limits.no-minute': {
    breaks: ['limits.rate.each-rule', 'limits.rate.parallel-thresholds'],
    policy: {
      thresholds: (window) => limitsPolicy.thresholds(window).filter(({ span }) => span !== 60_000),
    },
  },
  'limits.no-hour': {
    breaks: ['limits.rate.each-rule', 'limits.rate.parallel-thresholds'],
    policy: { thresholds: (window) => limitsPolicy.thresholds(window).slice(0, 2) },
  },
  'limits.windows-reset': {
    breaks: ['limits.rate.windows-slide'],
    policy: { callCounts: (at, now, span) => Math.floor(at / span) === Math.floor(now / span) },
  },
  'limits.boundary-inclusive': {
    breaks: ['limits.rate.windows-slide'],
    policy: { callCounts: (at, now, span) => at >= now - span },
  },
  'limits.window-short': {
    breaks: ['limits.rate.windows-slide'],
    policy: { callCounts: (at, now, span) => at > now - span / 2 },
  },
  'limits.refused-count': {
    breaks: ['limits.rate.windows-slide'],
    policy: { refusedCallCounts: () => true },
  },
  'limits.retry-after-zero': {
    breaks: ['limits.rate.retry-after'],
    policy: { retryAfterSeconds: () => 0 },
  },
  'limits.retry-after-fraction': {
    breaks: ['limits.rate.retry-after'],
    policy: { retryAfterSeconds: (wait) => wait / 1_000 + 0.5 },
  },
  'limits.retry-after-too-short': {
    breaks: ['limits.rate.retry-after'],
    policy: { retryAfterSeconds: () => 1 },
  },
  'limits.block-not-kept': {
    breaks: ['limits.rate.retry-after'],
    policy: { blockHolds: () => false },
  },
  'limits.no-escalation': {
    breaks: ['limits.rate.escalation'],
    policy: { blockSeconds: (least) => least },
  },
  'limits.violations-forgotten': {
    breaks: ['limits.rate.escalation'],
    policy: { earlierBlockRemembered: () => false },
  },
  'limits.address-ignored': {
    breaks: ['limits.rate.keyed-by-context-and-address'],
    policy: { rateKey: (context, _address, counter) => `${context} ${counter}` },
  },
  'limits.context-ignored': {
    breaks: ['limits.rate.keyed-by-context-and-address'],
    policy: { rateKey: (_context, address, counter) => `${address} ${counter}` },
  },
  'limits.forwarded-address': {
    breaks: ['limits.rate.keyed-by-context-and-address'],
    policy: { addressOf: (connection, headers) => headers['x-forwarded-for'] ?? connection },
  },
  'limits.default-shared': {
    breaks: ['limits.rate.default-rule'],
    policy: { rateCounter: (row) => row },
  },
  'limits.rules-together': {
    breaks: ['limits.rate.rules-apart'],
    policy: { rateCounter: () => 'all' },
  },
  'limits.public-inside': {
    breaks: ['limits.rate.public-outside'],
    policy: { publicIsOutside: () => false },
  },
  'limits.same-moment-uncounted': {
    breaks: ['limits.rate.exact-under-concurrency'],
    policy: { callCounts: (at, now, span) => at > now - span && at < now },
  },
  'limits.test-as-narrow-as-production': {
    breaks: ['limits.rate.by-environment'],
    policy: { ratesRestored: () => false },
  },
  'limits.subject-told-wrong': {
    breaks: ['limits.subject'],
    policy: { shownSubjectLimit: (most) => most + 1 },
  },
  'limits.persons-as-firms': {
    breaks: ['limits.subject'],
    policy: { shownSubjectLimit: (most) => (most === 12 ? 300 : most === 6 ? 100 : most) },
  },
  'limits.many-addresses-blocked': {
    breaks: ['limits.rate.protective-block'],
    policy: { rateKey: (context, _address, counter) => `${context} ${counter}` },
  },
  'limits.hour-of-half-an-hour': {
    breaks: ['limits.rate.real-hour'],
    policy: { callCounts: (at, now, span) => at > now - Math.min(span, 1_800_000) },
  },
  'limits.context-told-wrong': {
    breaks: ['limits.context'],
    policy: { shownMegabytes: (bytes) => bytes / 1_000_000 + 1 },
  },
} as const satisfies Record<string, Mutant>
