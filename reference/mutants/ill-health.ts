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
