import { sha256Base64 } from '../base/crypto.ts'
import { reached } from '../base/wording.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { isAlone } from './ways-of-sending.ts'

/** Verdicts that are remembered, and reused where they do not apply. */

/** What a decision about a stated value found right once is right ever after; `place` is that of the value. */
export const rightOnce = (
  decision: 'digestFits' | 'encryptedHashMatches' | 'plainHashMatches' | 'tokenTimestampAccepted',
  place = 0,
): Mutant => {
  const known = new Set<unknown>()
  const decide = policy[decision] as (...given: readonly unknown[]) => boolean
  return {
    policy: {
      [decision]: (...given: readonly unknown[]) => {
        if (decide(...given)) known.add(given[place])
        return known.has(given[place])
      },
    },
  }
}

/** Content that was declared wrongly once is taken for declared wrongly ever after. */
export const misfitKept = (
  decision:
    | 'encryptedHashMatches'
    | 'encryptedSizeMatches'
    | 'plainHashMatches'
    | 'plainSizeMatches',
): Mutant => {
  const known = new Set<string>()
  const fitsStill = (fits: boolean, bytes: Uint8Array): boolean => {
    const content = sha256Base64(bytes)
    if (!fits) known.add(content)
    return !known.has(content)
  }
  return {
    policy: decision.endsWith('HashMatches')
      ? {
          [decision]: (declared: string, bytes: Uint8Array) =>
            fitsStill(declared === sha256Base64(bytes), bytes),
        }
      : {
          [decision]: (declared: number, bytes: Uint8Array) =>
            fitsStill(declared === bytes.length, bytes),
        },
  }
}

/** A document that was rejected for its schema is accepted the second time. */
export const validatedOnce = (): Mutant => {
  const known = new Set<string>()
  return {
    tables: {
      invoices: {
        write(next) {
          if (next.status.code !== 450) return next
          const isKnown = known.has(next.hash)
          known.add(next.hash)
          return isKnown ? { ...next, status: { code: 200, description: 'accepted' } } : next
        },
      },
    },
  }
}

/** Service numbers that are made of the number of the invoice. */
export const numbered = (): Mutant => {
  const first = new Map<string, string>()
  return {
    tables: {
      invoices: {
        write(next) {
          const { svcNumber, number } = next
          if (svcNumber === undefined || number === undefined) return next
          first.set(number, first.get(number) ?? svcNumber)
          return { ...next, svcNumber: first.get(number)! }
        },
      },
    },
  }
}

/** The duplicate check of sessions does not see what was sent without a session. */
export const sentAloneApart: Mutant = {
  at: ['invoice', 'batch'],
  needs: 'invoices.send',
  tables: {
    claims: {
      read: (found, _key, { sessions }) =>
        found && isAlone(sessions.get(found.session)) ? undefined : found,
    },
  },
}

/** A document that was declared wrongly is reported as rejected, and issued all the same. */
export const issuedThoughMisfit = (decision: 'plainHashMatches' | 'plainSizeMatches'): Mutant => {
  let isMisfit = false
  const noted = (fits: boolean): boolean => {
    isMisfit = !fits
    return true
  }
  return {
    policy:
      decision === 'plainHashMatches'
        ? { plainHashMatches: (declared, bytes) => noted(policy.plainHashMatches(declared, bytes)) }
        : {
            plainSizeMatches: (declared, bytes) => noted(policy.plainSizeMatches(declared, bytes)),
          },
    tables: {
      invoices: {
        write({ svcNumber, ...next }) {
          const isHidden = isMisfit && next.status.code === 200
          if (isHidden) isMisfit = false
          return isHidden
            ? { ...next, status: reached('invoice', 430) }
            : { ...next, ...(svcNumber !== undefined && { svcNumber }) }
        },
      },
    },
  }
}
