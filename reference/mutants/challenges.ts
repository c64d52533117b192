import { refuse } from '../base/refusals.ts'
import type { Answer } from '../call/call.ts'
import type { Mutant } from './mutant.ts'
import { bodies, changesWhereRefused } from './rewrite.ts'
import { challengeIn } from './signed-documents.ts'
import { minute } from './spans.ts'

/** Challenges that are remembered in another way than they have to be. */

const referenceIn = ({ body }: Answer): string =>
  (body as { readonly referenceNumber: string }).referenceNumber

/** A challenge has to be valid still when the authentication is seen to succeed. */
export const lookedAtWhenDone = (): Mutant => {
  const issued = new Map<string, number>()
  const done = new Set<string>()
  return {
    at: ['auth.xades', 'auth.token', 'auth.status'],
    async call(call, next) {
      if (call.operation !== 'auth.status') {
        const found = call.service.state.challenges.get(challengeIn(call.bytes, call.body))
        const answer = await next(call)
        issued.set(referenceIn(answer), found?.issuedAt ?? call.now)
        return answer
      }
      const answer = await next(call)
      const { status, ...rest } = answer.body as { readonly status: { readonly code: number } }
      const reference = call.path['referenceNumber'] ?? ''
      if (status.code !== 200 || done.has(reference)) return answer
      const isLate = call.now > (issued.get(reference) ?? call.now) + 10 * minute
      if (!isLate) done.add(reference)
      return isLate ? { ...answer, body: { ...rest, status: { ...status, code: 400 } } } : answer
    },
  }
}

/** A challenge may be used again when the login that used it has its tokens. */
export const freedByRedemption = (): Mutant => {
  const used = new Map<string, string>()
  return {
    at: ['auth.xades', 'auth.token', 'auth.redeem'],
    async call(call, next) {
      const answer = await next(call)
      const { challenges } = call.service.state
      if (call.operation === 'auth.redeem') {
        const login = call.caller?.authentication.referenceNumber ?? ''
        const found = challenges.get(used.get(login) ?? '')
        if (found !== undefined) challenges.put({ ...found, spent: false })
      } else used.set(referenceIn(answer), challengeIn(call.bytes, call.body))
      return answer
    },
  }
}

/** A challenge is remembered as used for a minute. */
export const spentForAMinute = (): Mutant => {
  const used = new Map<string, number>()
  let now = 0
  return {
    at: ['auth.xades', 'auth.token'],
    call(call, next) {
      now = call.now
      return next(call)
    },
    tables: {
      challenges: {
        write(next) {
          if (next.spent) used.set(next.value, now)
          return next
        },
        read: (found) =>
          found?.spent === true && now - (used.get(found.value) ?? now) > minute
            ? { ...found, spent: false }
            : found,
      },
    },
  }
}

/** A challenge is known only at the address that asked for it. */
export const knownAtItsAddress = (): Mutant => {
  const given = new Map<string, string>()
  return {
    at: ['auth.challenge', 'auth.xades'],
    async call(call, next) {
      const { bytes, body, address } = call
      if (call.operation === 'auth.xades') {
        if (given.get(challengeIn(bytes, body)) !== address) throw refuse('challenge-invalid')
        return next(call)
      }
      const answer = await next(call)
      given.set((answer.body as { readonly challenge: string }).challenge, address)
      return answer
    },
  }
}

/** A challenge that was used just now, within the time of two calls at once, is not known as used yet. */
export const spentTooLate = (): Mutant => {
  const used = new Map<string, number>()
  return {
    at: ['auth.token'],
    tables: {
      challenges: {
        write(next) {
          if (next.spent) used.set(next.value, performance.now())
          return next
        },
        read: (found) =>
          found?.spent === true && performance.now() - (used.get(found.value) ?? 0) < 25
            ? { ...found, spent: false }
            : found,
      },
    },
  }
}

/** Challenges are counted for each address, within each instant. */
export const countedByAddress = (): Mutant => {
  const counts = new Map<string, number>()
  const given = new Map<string, string>()
  return bodies<{ readonly challenge: string }>(
    ['auth.challenge'],
    ({ challenge }, { address, now }) => {
      const count = (counts.get(`${address} ${now}`) ?? 0) + 1
      counts.set(`${address} ${now}`, count)
      const name = `${now} ${count}`
      given.set(name, given.get(name) ?? challenge)
      return { challenge: given.get(name) }
    },
  )
}

/** A refused attempt renews the challenge that it names. */
export const renewedByAnAttempt = changesWhereRefused(
  ['auth.xades', 'auth.token'],
  ({ service, bytes, body, now }) => {
    const { challenges } = service.state
    const found = challenges.get(challengeIn(bytes, body))
    if (found !== undefined && now - found.issuedAt <= 10 * minute)
      challenges.put({ ...found, issuedAt: now })
  },
)
