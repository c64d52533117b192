import type { Answer } from '../../call/call.ts'
import { keyOf } from '../../model/entities.ts'
import type { Mutant } from '../mutant.ts'
import { answers, behindLogin, writesNothing } from '../rewrite.ts'

/** A provider leaves the list when one of its logins ends. */
const goneAfter = (operation: 'auth.revokeCurrent' | 'auth.revoke'): Mutant =>
  answers([operation], (answer, { service, caller }) => {
    if (caller !== undefined) service.state.providers.delete(caller.context.value)
    return answer
  })

/** The list is read once in ten seconds. */
const cached = (): Mutant => {
  const known = new Map<string, { readonly at: number; readonly answer: Answer }>()
  return {
    at: ['queries.providers'],
    async call(call, next) {
      const key = JSON.stringify(call.query)
      const last = known.get(key)
      if (last !== undefined && call.now >= last.at && call.now - last.at < 10_000)
        return last.answer
      const answer = await next(call)
      known.set(key, { at: call.now, answer })
      return answer
    },
  }
}

/** Defects of the list of providers. */
export const queriesProvidersMutants = {
  'queries.providers.listed/never-registered': writesNothing('providers'),
  'queries.providers.listed/not-after-a-failure': {
    tables: {
      providers: {
        write: (next, _before, { authentications }) =>
          authentications
            .by('context', keyOf({ type: 'PeppolId', value: next.id }))
            .some(({ status }) => status.code >= 400)
            ? undefined
            : next,
      },
    },
  },
  'queries.providers.listed/gone-with-its-current-login': goneAfter('auth.revokeCurrent'),
  'queries.providers.listed/gone-with-a-login': goneAfter('auth.revoke'),
  'queries.providers.listed/cached': cached(),
  'queries.providers.listed/behind-login': behindLogin('queries.providers'),
} as const satisfies Readonly<Record<string, Mutant>>
