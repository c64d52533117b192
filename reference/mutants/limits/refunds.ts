import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import { keyOf } from '../../model/entities.ts'
import type { Policy } from '../../policy/policy.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'

/** The calls that count by key, apart from the log of the limiter, so that one can be taken back. */
const takenBack = () => {
  const passed = new Map<string, number[]>()
  const counters = new Map<OperationId, string>()
  let key = ''
  let at = 0
  const decisions: Partial<Policy> = {
    rateCounter(rule, operation) {
      const counter = policy.rateCounter(rule, operation)
      counters.set(operation as OperationId, counter)
      return counter
    },
    rateKey(...parts) {
      key = policy.rateKey(...parts)
      return key
    },
    publicRateKey(...parts) {
      key = policy.publicRateKey(...parts)
      return key
    },
    roomIn(_log, threshold, now, others) {
      at = now
      return policy.roomIn({ calls: passed.get(key) ?? [], head: 0 }, threshold, now, others)
    },
    outcomeCounts(outcome) {
      if (outcome === 'passed') passed.set(key, [...(passed.get(key) ?? []), at])
      return policy.outcomeCounts(outcome)
    },
  }
  return {
    decisions,
    takeBack: (context: string, address: string, operation: OperationId): void => {
      passed.get(policy.rateKey(context, address, counters.get(operation) ?? operation))?.pop()
    },
  }
}

interface RefusedCall {
  readonly refusal: RefusalId
  readonly status: number
  readonly operation: OperationId
}

/** Some of the calls that are refused count against no limit. */
const uncountedWhere = (isOne: (call: RefusedCall) => boolean): Mutant => {
  const { decisions, takeBack } = takenBack()
  return {
    policy: decisions,
    async exchange(running, next) {
      const response = await next(running)
      const { context, operation, refusal } = running.exchange
      if (context === undefined || operation === undefined || refusal === undefined) return response
      if (isOne({ refusal, status: response.status, operation }))
        takeBack(keyOf(context), running.address, operation)
      return response
    },
  }
}

/** Calls for what does not exist count against no limit, or not against the default ones. */
export const unknownUncounted = (byDefault = false): Mutant =>
  uncountedWhere(
    ({ refusal, operation }) =>
      refusal.endsWith('-unknown') && (!byDefault || endpoint(operation).rate === 'default'),
  )

/** Calls with a malformed request count against no limit; those that come too late do. */
export const malformedUncounted = (): Mutant =>
  uncountedWhere(({ status, operation }) => status === 400 && operation !== 'sessions.closeOnline')
