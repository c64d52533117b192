import type { Session } from '../model/documents.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'

/** A package is compared with what was accepted before its opening, and not with what one kind of session sent since. */
export const comparedAsOpened = (kind: Session['kind']): Mutant => {
  const known = new Map<string, ReadonlySet<string>>()
  return {
    tables: {
      sessions: {
        write(next, before, { claims }) {
          if (before === undefined && next.kind === 'batch') {
            const accepted = [...claims.values()].map(({ svcNumber }) => svcNumber)
            known.set(next.referenceNumber, new Set(accepted))
          }
          return next
        },
      },
    },
    policy: {
      claimHolds(repeat) {
        const { held, session } = repeat
        const isLater = known.get(session.referenceNumber)?.has(held.svcNumber) === false
        const isOfKind = held.session.includes('-SB-') === (kind === 'batch')
        const isOwn = held.session === session.referenceNumber
        return policy.claimHolds(repeat) && (isOwn || !isLater || !isOfKind)
      },
    },
  }
}
