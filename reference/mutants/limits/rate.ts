import { randomUUID } from 'node:crypto'
import { rateRules } from '../../../contract/limits.ts'
import type { Window } from '../../../contract/types.ts'
import { limitsPolicy } from '../../policy/limits.ts'
import type { Policy } from '../../policy/policy.ts'
import {
  concurrencyCap,
  countedWhenAnswered,
  leakyBucket,
  ofContextsAlone,
  ofTheTableAlone,
  replicas,
  resetBy,
  slidingCounter,
  statedOnce,
  tokenBucket,
  windowFromFirstCall,
} from '../limiters.ts'
import type { Mutant } from '../mutant.ts'
import { bodies, writesNothing } from '../rewrite.ts'
import {
  announcedOnly,
  asTheFirstTime,
  blockedTogether,
  blockedWithTheAddress,
  eachLoginForItself,
  eachThresholdForItself,
  forOneRow,
  ofTheSecondAlone,
  rememberedFromTheirBeginning,
  roundedDownWithin,
} from './blocks.ts'
import { malformedUncounted, unknownUncounted } from './refunds.ts'
import { productionForOtherKinds } from './reported.ts'
import { burstsOnce, inSteps, resetBut, secondFirst, secondLate, tenfold } from './windows.ts'
import {
  countedAlso,
  countedBy,
  countedToo,
  countedWithToken,
  callsOf,
  emptiedByAnExcess,
  hoursTogether,
  subjectIn,
  uncounted,
} from './counted.ts'

const byContext: Policy['rateKey'] = (context, _address, counter) => `${context} ${counter}`
const byAddress: Policy['rateKey'] = (_context, address, counter) => `${address} ${counter}`

/** Defects of the limits of calls. */
export const limitsRateMutants = {
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
  'limits.rate.parallel-thresholds/a-second-late': { policy: { roomIn: secondLate } },
  'limits.rate.parallel-thresholds/bursts-count-once': { policy: { roomIn: burstsOnce } },
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
  'limits.rate.each-rule/second-of-a-row-by-the-second-alone': {
    at: [
      'sessions.closeBatch',
      'sessions.failed',
      'receipts.session',
      'receipts.invoice',
      'receipts.invoiceBySvcNumber',
    ],
    policy: { thresholds: (window) => limitsPolicy.thresholds(window).slice(0, 1) },
  },
  'limits.rate.each-rule/unknown-resources-uncounted': unknownUncounted(),
  'limits.rate.each-rule/malformed-requests-uncounted': malformedUncounted(),
  'limits.rate.default-rule/unknown-resources-uncounted': unknownUncounted(true),
  'limits.rate.default-rule/default-shared': { policy: { rateCounter: (row) => row } },
  'limits.rate.default-rule/counted-per-resource': {
    also: ['limits.rate.each-rule'],
    exchange: (running, next) =>
      next({ ...running, address: `${running.address} ${running.path}` }),
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
  'limits.rate.windows-slide/most-rows-reset': resetBut('queryMetadata'),
  'limits.rate.windows-slide/sliding-counter': { policy: { roomIn: slidingCounter } },
  'limits.rate.windows-slide/window-from-first-call': { policy: { roomIn: windowFromFirstCall } },
  'limits.rate.windows-slide/token-bucket': { policy: { roomIn: tokenBucket } },
  'limits.rate.windows-slide/refused-count': { policy: { outcomeCounts: () => true } },
  'limits.rate.windows-slide/minutes-in-tens-of-seconds': inSteps(60_000, 10_000),
  'limits.rate.windows-slide/hours-in-minutes': inSteps(3_600_000, 60_000),
  'limits.rate.windows-slide/hours-in-quarters': inSteps(3_600_000, 900_000),
  'limits.rate.retry-after/of-the-second': secondFirst(),
  'limits.rate.retry-after/retry-after-zero': { policy: { retryAfterSeconds: () => 0 } },
  'limits.rate.retry-after/retry-after-fraction': {
    policy: { retryAfterSeconds: (wait) => wait / 1_000 + 0.5 },
  },
  'limits.rate.retry-after/retry-after-too-short': { policy: { retryAfterSeconds: () => 1 } },
  'limits.rate.retry-after/a-day-at-once': { policy: { blockSeconds: () => 86_400 } },
  'limits.rate.retry-after/block-not-kept': { policy: { blockHolds: () => false } },
  'limits.rate.retry-after/a-second-for-most-rows': forOneRow('queryMetadata', {
    retryAfterSeconds: () => 1,
  }),
  'limits.rate.retry-after/unblocked-rows': forOneRow('exportStatus', { blockHolds: () => false }),
  'limits.rate.retry-after/as-the-first-time': asTheFirstTime(),
  'limits.rate.escalation/no-escalation': { policy: { blockSeconds: (seconds) => seconds } },
  'limits.rate.escalation/violations-forgotten': {
    policy: { earlierBlockRemembered: () => false },
  },
  'limits.rate.escalation/rows-of-the-table-alone': ofTheTableAlone(),
  'limits.rate.escalation/of-contexts-alone': ofContextsAlone(),
  'limits.rate.escalation/announced-only': announcedOnly(),
  'limits.rate.escalation/of-the-second-alone': ofTheSecondAlone(),
  'limits.rate.escalation/each-threshold-for-itself': eachThresholdForItself(),
  'limits.rate.escalation/each-login-for-itself': eachLoginForItself(),
  'limits.rate.escalation/remembered-from-their-beginning': rememberedFromTheirBeginning(),
  'limits.rate.protective-block/many-addresses-blocked': { policy: { rateKey: byContext } },
  'limits.rate.keyed-by-context-and-address/address-ignored': {
    policy: { rateKey: byContext },
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
  'limits.rate.keyed-by-context-and-address/hour-by-context-alone': countedBy(3_600_000, byContext),
  'limits.rate.keyed-by-context-and-address/minute-by-context-alone': countedBy(60_000, byContext),
  'limits.rate.keyed-by-context-and-address/hour-by-address-alone': countedBy(3_600_000, byAddress),
  'limits.rate.keyed-by-context-and-address/minute-by-address-alone': countedBy(60_000, byAddress),
  'limits.rate.keyed-by-context-and-address/rows-by-context-alone': {
    policy: {
      rateKey: (...key) => (key[2] in rateRules ? byContext : limitsPolicy.rateKey)(...key),
    },
  },
  'limits.rate.keyed-by-context-and-address/rows-by-address-alone': {
    policy: {
      rateKey: (...key) => (key[2] in rateRules ? byAddress : limitsPolicy.rateKey)(...key),
    },
  },
  'limits.rate.keyed-by-context-and-address/forwarded-address': {
    exchange: (running, next) =>
      next({ ...running, address: running.headers['x-forwarded-for'] ?? running.address }),
  },
  'limits.rate.rules-apart/rules-together': { policy: { rateCounter: () => 'all' } },
  'limits.rate.rules-apart/blocks-the-status-of-exports-too': blockedTogether(
    'exports.create',
    'exports.status',
  ),
  'limits.rate.rules-apart/sessions-count-as-invoices-too': countedAlso(
    'sessions.status',
    'invoices.inSession',
    'invoiceStatus',
  ),
  'limits.rate.rules-apart/hours-of-exports-together': hoursTogether,
  'limits.rate.rules-apart/blocks-the-creation-of-exports-too': blockedTogether(
    'exports.status',
    'exports.create',
  ),
  'limits.rate.public-outside/public-inside': {
    policy: { publicThresholds: () => limitsPolicy.thresholds(rateRules.default.window) },
  },
  'limits.rate.public-outside/shared-by-the-address': {
    policy: {
      rateKey: (_context, address) => address,
      publicRateKey: (address) => address,
    },
  },
  'limits.rate.public-outside/sign-ins-blocked-too': blockedWithTheAddress([
    'auth.xades',
    'auth.token',
  ]),
  'limits.rate.public-outside/redemption-blocked-too': blockedWithTheAddress([
    'auth.status',
    'auth.redeem',
    'auth.refresh',
  ]),
  'limits.rate.public-outside/description-blocked-too': blockedWithTheAddress([
    'transport.openapi',
  ]),
  'limits.rate.public-outside/documents-counted-too': countedToo('auth.xades'),
  'limits.rate.public-outside/token-logins-counted-too': countedToo('auth.token'),
  'limits.rate.public-outside/status-counted-too': countedToo('auth.status'),
  'limits.rate.public-outside/refresh-counted-too': countedToo('auth.refresh'),
  'limits.rate.public-outside/refresh-counted-by-the-hour': countedToo('auth.refresh', {
    from: 3_600_000,
  }),
  'limits.rate.public-outside/keys-counted-with-token': countedWithToken('keys.list'),
  'limits.rate.public-outside/challenges-counted-with-token': countedWithToken('auth.challenge'),
  'limits.rate.by-environment/ten-times-everywhere': {
    policy: {
      thresholds: (window) => limitsPolicy.thresholds(tenfold(window)),
    },
  },
  'limits.rate.by-environment/longer-windows-as-in-test': {
    policy: {
      thresholds: (window) =>
        limitsPolicy.thresholds(
          window.perHour === rateRules.sessionList.window.perHour
            ? { ...tenfold(window), perSecond: window.perSecond }
            : window,
        ),
    },
  },
  'limits.rate.by-environment/demo-reports-those-of-test': bodies(
    ['limits.rates'],
    (body, { service }) =>
      service.environment.id === 'demo'
        ? Object.fromEntries(
            Object.entries(body).map(([id, window]) => [id, tenfold(window as Window)]),
          )
        : {},
  ),
  'limits.rate.by-environment/test-as-narrow-as-production': writesNothing('rates', [
    'testdata.restoreRateLimits',
  ]),
  'limits.rate.real-hour/hour-of-half-an-hour': {
    policy: { callCounts: (at, now, span) => at > now - Math.min(span, 1_800_000) },
  },
  'limits.rate.exact-under-concurrency/replicas': { policy: replicas(3, 1) },
  'limits.rate.exact-under-concurrency/counted-when-answered': countedWhenAnswered(),
  'limits.rate.exact-under-concurrency/same-moment-uncounted': {
    policy: { callCounts: (at, now, span) => at > now - span && at < now },
  },
  'limits.rate.parallel-thresholds/emptied-by-an-excess': emptiedByAnExcess(),
  'limits.rate.parallel-thresholds/emptied-by-the-minute': emptiedByAnExcess(60_000),
  'limits.rate.parallel-thresholds/hour-of-a-minute': emptiedByAnExcess(60_000, 60_000),
  'limits.rate.each-rule/further-pages-uncounted': {
    also: ['limits.rate.default-rule'],
    ...uncounted(({ exchange }) => /pageOffset=[1-9]/.test(exchange.path)),
  },
  'limits.rate.keyed-by-context-and-address/each-subject-for-itself': {
    exchange: (running, next) =>
      next({ ...running, address: `${running.address} ${subjectIn(running.headers)}` }),
  },
  'limits.rate.each-rule/closing-packages-uncounted': uncounted(
    callsOf(/sessions\/batch\/[^/]+\/close$/, 'POST'),
  ),
  'limits.rate.each-rule/failed-lists-uncounted': uncounted(callsOf(/\/invoices\/failed$/)),
  'limits.rate.each-rule/receipts-uncounted': uncounted(callsOf(/\/upo\//)),
  'limits.rate.each-rule/receipts-by-number-uncounted': uncounted(
    callsOf(/\/invoices\/[^/]+\/[^/]+\/upo$/),
  ),
  'limits.rate.each-rule/receipts-by-reference-uncounted': uncounted(
    callsOf(/\/invoices\/[^/]+\/upo$/),
  ),
  'limits.rate.by-environment/other-kinds-as-in-production': productionForOtherKinds,
  'limits.rate.retry-after/stated-once': statedOnce(),
  'limits.rate.retry-after/rounded-down-within': roundedDownWithin(),
  'limits.rate.keyed-by-context-and-address/reset-by-a-login': resetBy('auth.redeem'),
  'limits.rate.keyed-by-context-and-address/reset-by-a-refresh': resetBy('auth.refresh'),
} as const satisfies Readonly<Record<string, Mutant>>
