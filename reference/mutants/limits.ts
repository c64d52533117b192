import { randomUUID } from 'node:crypto'
import { rateRules } from '../../contract/limits.ts'
import { limitsPolicy } from '../policy/limits.ts'
import {
  concurrencyCap,
  leakyBucket,
  replicas,
  slidingCounter,
  tokenBucket,
  windowFromFirstCall,
} from './limiters.ts'
import { countCall } from '../rates/counting.ts'
import type { Mutant } from './mutant.ts'
import { bodies, calls, writesNothing } from './rewrite.ts'

/** Defects of limits. */

interface SubjectLimits {
  readonly enrollment: { readonly maxEnrollments: number }
  readonly certificate: { readonly maxCertificates: number }
}

const subjectLimits = (change: (maximum: number) => number): Mutant =>
  bodies(['limits.subject'], ({ enrollment, certificate }: SubjectLimits) => ({
    enrollment: { maxEnrollments: change(enrollment.maxEnrollments) },
    certificate: { maxCertificates: change(certificate.maxCertificates) },
  }))

interface Sizes {
  readonly maxInvoiceSizeInMB: number
  readonly maxInvoiceWithAttachmentSizeInMB: number
}
interface ContextLimits {
  readonly onlineSession: Sizes
  readonly batchSession: Sizes
}

const oneMegabyteMore = (sizes: Sizes): Sizes => ({
  ...sizes,
  maxInvoiceSizeInMB: sizes.maxInvoiceSizeInMB + 1,
  maxInvoiceWithAttachmentSizeInMB: sizes.maxInvoiceWithAttachmentSizeInMB + 1,
})

export const limitsMutants = {
  'limits.rate.each-rule/one-too-many': {
    also: ['limits.rate.default-rule'],
    policy: { windowIsFull: (counted, most) => counted > most },
  },
  'limits.rate.each-rule/one-too-few': {
    also: ['limits.rate.default-rule'],
    policy: { windowIsFull: (counted, most) => counted >= most - 1 },
  },
  'limits.rate.each-rule/no-second': {
    also: ['limits.rate.parallel-thresholds'],
    policy: { thresholds: (window) => limitsPolicy.thresholds(window).slice(1) },
  },
  'limits.rate.each-rule/no-minute': {
    also: ['limits.rate.parallel-thresholds'],
    policy: {
      thresholds: (window) => limitsPolicy.thresholds(window).filter(({ span }) => span !== 60_000),
    },
  },
  'limits.rate.each-rule/no-hour': {
    also: ['limits.rate.parallel-thresholds'],
    policy: { thresholds: (window) => limitsPolicy.thresholds(window).slice(0, 2) },
  },
  'limits.rate.windows-slide/windows-reset': {
    policy: { callCounts: (at, now, span) => Math.floor(at / span) === Math.floor(now / span) },
  },
  'limits.rate.windows-slide/boundary-inclusive': {
    policy: { callCounts: (at, now, span) => at >= now - span },
  },
  'limits.rate.windows-slide/window-short': {
    policy: { callCounts: (at, now, span) => at > now - span / 2 },
  },
  'limits.rate.windows-slide/sliding-counter': { policy: { roomIn: slidingCounter } },
  'limits.rate.windows-slide/window-from-first-call': { policy: { roomIn: windowFromFirstCall } },
  'limits.rate.windows-slide/token-bucket': { policy: { roomIn: tokenBucket } },
  'limits.rate.each-rule/leaky-bucket': {
    also: ['limits.rate.default-rule'],
    // Logins are not spaced, so that the other limits can be seen at all.
    policy: { roomIn: leakyBucket, publicThresholds: () => [] },
  },
  'limits.rate.each-rule/concurrency-cap': {
    also: ['limits.rate.default-rule'],
    ...concurrencyCap(6),
  },
  'limits.rate.each-rule/no-limits': {
    also: ['limits.rate.default-rule'],
    policy: { thresholds: () => [] },
  },
  'limits.rate.exact-under-concurrency/replicas': { policy: replicas(3, 1) },
  'limits.rate.windows-slide/refused-count': {
    policy: { outcomeCounts: () => true },
  },
  'limits.rate.retry-after/retry-after-zero': {
    policy: { retryAfterSeconds: () => 0 },
  },
  'limits.rate.retry-after/retry-after-fraction': {
    policy: { retryAfterSeconds: (wait) => wait / 1_000 + 0.5 },
  },
  'limits.rate.retry-after/retry-after-too-short': {
    policy: { retryAfterSeconds: () => 1 },
  },
  'limits.rate.retry-after/a-day-at-once': {
    policy: { blockSeconds: () => 86_400 },
  },
  'limits.rate.retry-after/block-not-kept': {
    policy: { blockHolds: () => false },
  },
  'limits.rate.escalation/no-escalation': {
    policy: { blockSeconds: (least) => least },
  },
  'limits.rate.escalation/violations-forgotten': {
    policy: { earlierBlockRemembered: () => false },
  },
  'limits.rate.keyed-by-context-and-address/address-ignored': {
    policy: { rateKey: (context, _address, counter) => `${context} ${counter}` },
  },
  'limits.rate.keyed-by-context-and-address/context-ignored': {
    policy: { rateKey: (_context, address, counter) => `${address} ${counter}` },
  },
  'limits.rate.keyed-by-context-and-address/other-kinds-unlimited': {
    policy: {
      rateKey: (context, address, counter) =>
        context.startsWith('Nip ')
          ? limitsPolicy.rateKey(context, address, counter)
          : `${context} ${randomUUID()}`,
    },
  },
  'limits.rate.keyed-by-context-and-address/counted-with-the-taxpayer': {
    policy: {
      rateKey: (context, address, counter) =>
        limitsPolicy.rateKey(/\d{10}/.exec(context)?.[0] ?? context, address, counter),
    },
  },
  'limits.rate.keyed-by-context-and-address/forwarded-address': {
    exchange: (running, next) =>
      next({ ...running, address: running.headers['x-forwarded-for'] ?? running.address }),
  },
  'limits.rate.default-rule/default-shared': {
    policy: { rateCounter: (row) => row },
  },
  'limits.rate.rules-apart/rules-together': {
    policy: { rateCounter: () => 'all' },
  },
  'limits.rate.rules-apart/sessions-count-as-invoices-too': calls(['sessions.status'], (call) => {
    try {
      countCall(call.service, 'invoices.inSession', 'invoiceStatus', call.caller, call.address)
    } catch {
      // It takes up room only: the call itself is answered.
    }
    return call
  }),
  'limits.rate.public-outside/public-inside': {
    policy: { publicThresholds: () => limitsPolicy.thresholds(rateRules.default.window) },
  },
  'limits.rate.public-outside/shared-by-the-address': {
    policy: {
      rateKey: (_context, address) => address,
      publicRateKey: (address) => address,
    },
  },
  'limits.rate.exact-under-concurrency/same-moment-uncounted': {
    policy: { callCounts: (at, now, span) => at > now - span && at < now },
  },
  'limits.rate.by-environment/ten-times-everywhere': {
    policy: {
      thresholds: ({ perSecond, perMinute, perHour }) =>
        limitsPolicy.thresholds({
          perSecond: 10 * perSecond,
          perMinute: 10 * perMinute,
          perHour: 10 * perHour,
        }),
    },
  },
  'limits.rate.by-environment/test-as-narrow-as-production': writesNothing('rates', [
    'testdata.restoreRateLimits',
  ]),
  'limits.subject/subject-reported-wrong': subjectLimits((maximum) => maximum + 1),
  'limits.subject/persons-as-firms': subjectLimits((maximum) =>
    maximum === 12 ? 300 : maximum === 6 ? 100 : maximum,
  ),
  'limits.rate.protective-block/many-addresses-blocked': {
    policy: { rateKey: (context, _address, counter) => `${context} ${counter}` },
  },
  'limits.rate.real-hour/hour-of-half-an-hour': {
    policy: { callCounts: (at, now, span) => at > now - Math.min(span, 1_800_000) },
  },
  'limits.context/context-reported-wrong': bodies(
    ['limits.context'],
    ({ onlineSession, batchSession }: ContextLimits) => ({
      onlineSession: oneMegabyteMore(onlineSession),
      batchSession: oneMegabyteMore(batchSession),
    }),
  ),
  'limits.rate.default-rule/counted-per-resource': {
    also: ['limits.rate.each-rule'],
    exchange: (running, next) =>
      next({ ...running, address: `${running.address} ${running.path}` }),
  },
} as const satisfies Readonly<Record<string, Mutant>>
