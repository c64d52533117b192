import type { OperationId } from '../../contract/endpoints.ts'
import type { RefusalId } from '../../contract/errors.ts'
import { refuse } from '../base/refusals.ts'
import { reference } from './callers.ts'
import type { Mutant } from './mutant.ts'
import { readsSession } from './operators/document-decisions.ts'
import { decidedBy } from './rewrite.ts'
import type { Fields } from './rewrite.ts'

/** Work that only the login that began it can follow, and no later login of the same caller. */
export const toTheLoginThatBegan = (
  begins: OperationId,
  follows: OperationId,
  refusal: RefusalId,
): Mutant => {
  const begunBy = new Map<unknown, string | undefined>()
  return {
    at: [begins, follows],
    async call(call, next) {
      const login = call.caller?.authentication.referenceNumber
      const { referenceNumber } = call.path
      if (call.operation === follows && begunBy.has(referenceNumber))
        if (begunBy.get(referenceNumber) !== login) throw refuse(refusal)
      const answer = await next(call)
      if (call.operation === begins) begunBy.set((answer.body as Fields)['referenceNumber'], login)
      return answer
    },
  }
}

/** Running exports count for the login that asked for them. */
export const runningOfALogin = (): Mutant => {
  const begunBy = new Map<unknown, string | undefined>()
  let login: string | undefined
  return {
    at: ['exports.create'],
    async call(call, next) {
      login = call.caller?.authentication.referenceNumber
      const answer = await next(call)
      begunBy.set((answer.body as Fields)['referenceNumber'], login)
      return answer
    },
    tables: {
      exports: {
        find: (found) =>
          found.filter(({ referenceNumber }) => begunBy.get(referenceNumber) === login),
      },
    },
  }
}

/** The rate limits that were set are reported to the login that set them. */
export const ratesOfTheirSetter = (): Mutant => {
  let setter: string | undefined
  return {
    at: ['testdata.setRateLimits', 'limits.rates'],
    call(call, next) {
      const login = call.caller?.authentication.referenceNumber
      if (call.operation === 'testdata.setRateLimits') setter = login
      else if (login !== setter) return { body: call.service.limits.environmentRates() }
      return next(call)
    },
  }
}

/** A login goes on sending into a session that it has sent into, after another login has closed it. */
export const remembersItsSession = (): Mutant => {
  const sending = new Map<string, Set<string>>()
  return {
    at: ['invoices.submit', 'sessions.closeOnline'],
    async call(call, next) {
      const login = call.caller?.authentication.referenceNumber ?? ''
      const session = call.path['referenceNumber'] ?? ''
      const logins = sending.get(session) ?? new Set()
      sending.set(session, logins)
      if (call.operation === 'sessions.closeOnline') logins.delete(login)
      else if (logins.has(login)) return next(decidedBy(call, { sessionTakesInvoices: () => true }))
      else logins.add(login)
      return next(call)
    },
  }
}

/** Only the login that opened a session can read it; other logins of the opener cannot. */
export const ownLoginOnly = (): Mutant => {
  const openers = new Map<string, string>()
  return {
    at: ['sessions.openOnline', 'sessions.openBatch', ...readsSession],
    async call(call, next) {
      const login = call.caller?.authentication.referenceNumber ?? ''
      if (call.operation.startsWith('sessions.open')) {
        const answer = await next(call)
        openers.set((answer.body as { readonly referenceNumber: string }).referenceNumber, login)
        return answer
      }
      const named = reference(call)
      const isOther = (openers.get(named) ?? login) !== login
      if (!isOther || call.caller?.permissions().has('Introspection') === true) return next(call)
      return next({ ...call, path: { ...call.path, referenceNumber: '' } })
    },
  }
}
