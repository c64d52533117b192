import { decodeJwt } from 'jose'
import { rateRules } from '../../../contract/limits.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import type { Running } from '../../call/exchange.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { bodies } from '../rewrite.ts'

/** An excess of the second empties the longer windows as well. */
const emptiedByAnExcess = (): Mutant => {
  let since = Number.NEGATIVE_INFINITY
  return {
    policy: {
      roomIn(log, threshold, now, decisions) {
        const callCounts = (at: number, to: number, span: number) =>
          at > since && decisions.callCounts(at, to, span)
        const left = policy.roomIn(log, threshold, now, { ...decisions, callCounts })
        if (threshold.span === 1_000 && left !== undefined) since = now
        return left
      },
    },
  }
}

/** Whom an access token names. */
const subjectIn = ({ authorization = '' }: Readonly<Record<string, string>>): string => {
  try {
    const { sut, suv } = decodeJwt(authorization.slice('Bearer '.length))
    return `${String(sut)} ${String(suv)}`
  } catch {
    return ''
  }
}

/** Some calls count against no limit; the limit of their row holds for them. */
const uncounted = (isOneOf: (running: Running) => boolean): Mutant => {
  let isOne = false
  return {
    exchange(running, next) {
      isOne = isOneOf(running)
      return next(running)
    },
    policy: { outcomeCounts: (outcome) => !isOne && policy.outcomeCounts(outcome) },
  }
}

const callsOf =
  (path: RegExp, method = 'GET') =>
  (running: Running): boolean =>
    path.test(running.path) && running.exchange.method === method

/** Defects of what is counted, and with what. */
export const limitsCountedMutants = {
  'limits.rate.parallel-thresholds/emptied-by-an-excess': emptiedByAnExcess(),
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
  'limits.rate.by-environment/other-kinds-as-in-production': bodies(
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
  ),
} as const satisfies Readonly<Record<string, Mutant>>
