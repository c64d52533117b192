import { sha256Hex } from '../base/crypto.ts'
import { Refused } from '../base/refusals.ts'
import type { Authentication } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import type { State } from '../model/state.ts'
import type { Mutant, TableEffects } from './mutant.ts'
import { changesWhereRefused } from './rewrite.ts'

/** Service tokens that are refused for good once an attempt to log in with them, or with one like them, was refused. */

/** The parts of a token that no other token has: its reference and its secret. */
const partsOf = (token: string): string[] => {
  const parts = token.split('|')
  return [parts[0] ?? '', parts.at(-1) ?? '']
}

const locking = (
  locked: Set<string>,
  isMeant: (login: Authentication, token: string, state: State) => boolean,
): TableEffects<Authentication> => ({
  write(next, before, state) {
    const envelope = before?.envelope
    if (envelope === undefined || !('token' in envelope)) return next
    const parts = partsOf(envelope.token)
    if (next.status.code === 200 && parts.some((part) => locked.has(part)))
      return { ...next, status: { code: 450, description: 'the token is locked' } }
    if (next.status.code === 450 && isMeant(next, envelope.token, state))
      for (const part of parts) locked.add(part)
    return next
  },
})

const found = (token: string, { tokens }: State) => tokens.by('digest', sha256Hex(token))[0]

/** An attempt in another context locks the token. */
export const lockedByAnotherContext = (): Mutant => ({
  at: ['authentication'],
  tables: {
    authentications: locking(new Set(), (login, text, state) => {
      const token = found(text, state)
      return token !== undefined && keyOf(token.context) !== keyOf(login.context)
    }),
  },
})

/** An attempt with a wrong reference or a wrong secret locks the token that has the other of them. */
export const lockedBySpoiltText = (): Mutant => ({
  at: ['authentication'],
  tables: {
    authentications: locking(new Set(), (_, text, state) => found(text, state) === undefined),
  },
})

/** An attempt with a wrong challenge locks the token. */
export const lockedByWrongChallenge = (): Mutant => {
  const locked = new Set<string>()
  return {
    ...changesWhereRefused(['auth.token'], ({ service, body, now }, error) => {
      if (!(error instanceof Refused) || error.id !== 'challenge-invalid') return
      const { encryptedToken } = body as { readonly encryptedToken: string }
      const bytes = Buffer.from(encryptedToken, 'base64')
      const plain = service.keys.decrypt(service.policy, 'SvcTokenEncryption', bytes, now)
      for (const part of partsOf(String(plain).replace(/\|\d+$/, ''))) locked.add(part)
    }),
    at: ['auth.token', 'authentication'],
    tables: { authentications: locking(locked, () => false) },
  }
}
