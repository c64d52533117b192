import { refuse } from '../base/refusals.ts'
import type { Service } from '../call/service.ts'
import type { Mutant } from './mutant.ts'

/** A health check that takes a normal state of the service for an error. */
export const unwell = (when: (service: Service) => boolean): Mutant => ({
  at: ['transport.health'],
  call(call, next) {
    if (when(call.service)) throw new Error('the service is not as expected')
    return next(call)
  },
})

/** A health check that answers some times in a minute. */
export const seldomWell = (times: number): Mutant => {
  let calls: readonly number[] = []
  return {
    at: ['transport.health'],
    call(call, next) {
      calls = [...calls.filter((at) => at <= call.now && at > call.now - 60_000), call.now]
      if (calls.length > times) throw refuse('wrong-token')
      return next(call)
    },
  }
}

/** A health check that asks for a token where it does not know a parameter. */
export const unwellWithParameters: Mutant = {
  at: ['transport.health'],
  exchange(running, next) {
    if (running.exchange.path.includes('?')) throw refuse('wrong-token')
    return next(running)
  },
}
