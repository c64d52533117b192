import { keyOf } from '../model/entities.ts'
import type { Mutant } from './mutant.ts'
import { calls, servedWith } from './rewrite.ts'

/** Tokens that are issued for another login of the context: for the first or the last that has succeeded. */
export const tokensOfAnother = (
  operation: 'auth.redeem' | 'auth.refresh',
  which: 'first' | 'last',
): Mutant =>
  calls([operation], (call) => {
    const mine = call.caller?.authentication
    if (mine === undefined) return call
    const { jwt, state } = call.service
    const logins = state.authentications
      .by('context', keyOf(mine.context))
      .filter(({ status }) => status.code === 200)
    const { referenceNumber: reference } = logins.at(which === 'first' ? 0 : -1) ?? mine
    const sign: typeof jwt.sign = (request) => jwt.sign({ ...request, reference })
    return servedWith(call, { jwt: { ...jwt, sign } })
  })
