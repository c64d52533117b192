import type { RefusalId } from '../../contract/errors.ts'
import { sha256Hex } from '../base/crypto.ts'
import type { Authentication, TokenEnvelope } from '../model/entities.ts'
import { certificateIn } from './certificate-readers.ts'
import type { Mutant } from './mutant.ts'
import { changesWhereRefused } from './rewrite.ts'

/** Attempts to log in that failed, and count as a use of the token or certificate all the same. */

const failsWith = (next: Authentication, reason: RegExp): boolean =>
  next.status.code >= 400 &&
  reason.test([next.status.description, ...(next.status.details ?? [])].join(' '))

const sentIn = (envelope: TokenEnvelope | undefined): string | undefined =>
  envelope !== undefined && 'token' in envelope ? sha256Hex(envelope.token) : undefined

/** A token is used by a login that fails for this reason. */
export const tokenUsedWhere = (reason: RegExp): Mutant => ({
  at: ['authentication'],
  tables: {
    authentications: {
      write(next, before, { tokens }) {
        const digest = sentIn(before?.envelope)
        if (digest !== undefined && failsWith(next, reason))
          for (const token of tokens.by('digest', digest))
            tokens.put({ ...token, lastUseAt: next.startedAt })
        return next
      },
    },
  },
})

/** A token is used by a login after the end of its validity, or after that of all tokens. */
export const tokenUsedAfterEnd = (reason: RegExp): Mutant => ({
  ...tokenUsedWhere(reason),
  absentIn: ({ tokensEnd }) => (tokensEnd === false ? 'service tokens have no end' : undefined),
})

/** A certificate is used by a login that fails for this reason. */
export const certificateUsedWhere = (reason: RegExp): Mutant => ({
  at: ['authentication'],
  tables: {
    authentications: {
      write(next, _before, { certificates }) {
        if (failsWith(next, reason))
          for (const one of certificates.by('fingerprint', next.fingerprint ?? ''))
            certificates.put({ ...one, lastUseAt: next.startedAt })
        return next
      },
    },
  },
})

/** A certificate is used by a document that is refused at once. */
export const certificateUsedByRefused = (refusal: RefusalId): Mutant =>
  changesWhereRefused(['auth.xades'], (call, error) => {
    const { id } = error as { readonly id?: string }
    if (id !== refusal) return
    const { certificates } = call.service.state
    const fingerprint = certificateIn(call.bytes)?.fingerprint256 ?? ''
    for (const one of certificates.by('fingerprint', fingerprint.replaceAll(':', '')))
      certificates.put({ ...one, lastUseAt: call.now })
  })

/** A refused login writes down the use of a token as it was before its revocation. */
export const revivedByRefusedLogins: Mutant = {
  at: ['authentication'],
  tables: {
    tokens: {
      find(found, _index, _value, table) {
        for (const token of found)
          if (token.status === 'Revoked' && token.lastUseAt !== undefined)
            table.put({ ...token, status: 'Active' })
        return found
      },
    },
  },
}
