import { keyOf } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { refuses } from './rewrite.ts'

/** Service tokens by other dates or permissions than their own. */

/** A token is valid as long as the newest one of its author. */
export const datedLikeTheNewest: Mutant = {
  at: ['authentication'],
  tables: {
    tokens: {
      find(found, index, _value, table) {
        if (index !== 'digest') return found
        return found.map((one) => {
          const newest = [...table.values()].findLast(
            ({ author }) => keyOf(author) === keyOf(one.author),
          )
          return { ...one, validUntil: newest?.validUntil ?? one.validUntil }
        })
      },
    },
  },
}

/** The end of all tokens is kept in the test environment only. */
export const endsInTestOnly = (): Mutant => {
  let isTest = true
  return {
    call(call, next) {
      isTest = call.service.environment.id === 'test'
      return next(call)
    },
    policy: {
      tokenLoginOpen: (now, lastDay) => !isTest || policy.tokenLoginOpen(now, lastDay),
    },
  }
}

/** Logins by tokens that concern no invoices fail. */
export const forInvoicesOnly: Mutant = {
  at: ['authentication'],
  tables: {
    authentications: {
      write(next, _before, { tokens }) {
        const carried = tokens.get(next.token ?? '')?.permissions
        const concerned = carried?.some((permission) => permission.startsWith('Invoice')) ?? true
        return next.status.code === 200 && !concerned
          ? { ...next, status: { code: 450, description: 'the token permits no invoices' } }
          : next
      },
    },
  },
}

/** A second login by a token at the same instant is taken for a repeated request. */
export const onceAtAnInstant = (): Mutant => {
  let last = 0
  return refuses(['auth.token'], 'token-refused', ({ now }) => {
    const isRepeated = now === last
    last = now
    return isRepeated
  })
}
