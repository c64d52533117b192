import type { OperationId } from '../../../contract/endpoints.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import { keyOf } from '../../model/entities.ts'
import type { Policy } from '../../policy/policy.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'

/** What a block after an excess stops, and for how long. */

/** Waits are reported as they were the first time. */
export const asTheFirstTime = (): Mutant => {
  const first = new Map<string, string>()
  return {
    async exchange(running, next) {
      const response = await next(running)
      const { operation, context } = running.exchange
      const key = `${operation} ${context === undefined ? '' : keyOf(context)}`
      const wait = first.get(key) ?? response.headers.get('retry-after')
      if (response.status !== 429 || wait === null) return response
      first.set(key, wait)
      const headers = new Headers(response.headers)
      headers.set('retry-after', wait)
      return new Response(response.body, { status: 429, headers })
    },
  }
}

/** After an excess of one operation, another one is blocked for some seconds too. */
export const blockedTogether = (exceeded: OperationId, blocked: OperationId): Mutant => {
  const until = new Map<string | undefined, number>()
  return {
    at: [exceeded, blocked],
    async exchange(running, next) {
      const { operation, startedAt } = running.exchange
      const caller = running.headers['authorization']
      if (operation === blocked && startedAt < (until.get(caller) ?? 0))
        return new Response('{}', {
          status: 429,
          headers: { 'retry-after': '5', 'content-type': 'application/json' },
        })
      const response = await next(running)
      if (operation === exceeded && response.status === 429) until.set(caller, startedAt + 5_000)
      return response
    },
  }
}

/** Operations that are refused at an address as long as some other operation is blocked there. */
export const blockedWithTheAddress = (blocked: readonly OperationId[]): Mutant => {
  const until = new Map<string, number>()
  return {
    async exchange(running, next) {
      const { address, exchange } = running
      const end = until.get(address) ?? 0
      if (blocked.some((one) => one === exchange.operation) && exchange.startedAt < end)
        return new Response('{}', {
          status: 429,
          headers: { 'retry-after': '5', 'content-type': 'application/json' },
        })
      const response = await next(running)
      const wait = Number(response.headers.get('retry-after') ?? 0)
      if (response.status === 429) until.set(address, exchange.startedAt + wait * 1_000)
      return response
    },
  }
}

/** What is left of a block is stated in seconds that are rounded down. */
export const roundedDownWithin = (): Mutant => {
  let within = false
  return {
    policy: {
      blockHolds(now, until) {
        within = policy.blockHolds(now, until)
        return within
      },
      retryAfterSeconds: (wait) =>
        within ? Math.max(1, Math.floor(wait / 1_000)) : policy.retryAfterSeconds(wait),
    },
  }
}

/** Repeated violations lengthen what is announced, and not the block. */
export const announcedOnly = (): Mutant => {
  let more = 0
  return {
    policy: {
      blockSeconds(minimum, earlier) {
        const seconds = policy.blockSeconds(minimum, earlier)
        more = seconds - minimum
        return seconds
      },
      blockHolds: (now, until) => policy.blockHolds(now, until - more * 1_000),
    },
  }
}

/** A violation counts as repeated only if the same login was blocked before. */
export const eachLoginForItself = (): Mutant => {
  let caller: string | undefined
  let blocked: string | undefined
  return {
    exchange(running, next) {
      caller = running.headers['authorization']
      return next(running)
    },
    policy: {
      earlierBlockRemembered(endedAt, now) {
        const isSame = caller === blocked
        blocked = caller
        return isSame && policy.earlierBlockRemembered(endedAt, now)
      },
    },
  }
}

/** What is announced and kept for one row of the table is neither for the others. */
export const forOneRow = (
  row: RateRuleId,
  otherwise: Pick<Policy, 'retryAfterSeconds'> | Pick<Policy, 'blockHolds'>,
): Mutant => {
  let isRow = false
  return {
    policy: {
      rateKey(context, address, counter) {
        isRow = counter === row
        return policy.rateKey(context, address, counter)
      },
      retryAfterSeconds: (wait) =>
        ('retryAfterSeconds' in otherwise && !isRow ? otherwise : policy).retryAfterSeconds(wait),
      blockHolds: (now, until) =>
        ('blockHolds' in otherwise && !isRow ? otherwise : policy).blockHolds(now, until),
    },
  }
}

/** An earlier block is remembered for ten minutes from its beginning, so that longer ones are forgotten when they end. */
export const rememberedFromTheirBeginning = (): Mutant => {
  const begun = new Map<number, number>()
  let begins = 0
  return {
    policy: {
      earlierBlockRemembered(endedAt, now) {
        begins = now
        return policy.earlierBlockRemembered(begun.get(endedAt) ?? endedAt, now)
      },
      blockSeconds(minimum, earlier) {
        const seconds = policy.blockSeconds(minimum, earlier)
        begun.set(begins + seconds * 1_000, begins)
        return seconds
      },
    },
  }
}

/** Only violations of a limit of one second are blocked for longer. */
export const ofTheSecondAlone = (): Mutant => ({
  policy: {
    blockSeconds: (minimum, earlier) =>
      minimum > 1 ? minimum : policy.blockSeconds(minimum, earlier),
  },
})

/** Earlier blocks are forgotten where another threshold is exceeded: they count for their own. */
export const eachThresholdForItself = (): Mutant => {
  const spans = [1_000, 60_000, 3_600_000]
  let exceeded: number | undefined
  let before: number | undefined
  return {
    policy: {
      retryAfterSeconds(wait) {
        exceeded = spans.find((span) => wait <= span)
        return policy.retryAfterSeconds(wait)
      },
      blockSeconds(minimum, earlier) {
        const isAnother = before !== exceeded
        before = exceeded
        return policy.blockSeconds(minimum, isAnother ? 0 : earlier)
      },
    },
  }
}
