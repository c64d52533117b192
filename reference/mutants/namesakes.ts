import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { bodies } from './rewrite.ts'

/** Things that are taken for another with which they share something. */
/** A certificate is found by its key. */
export const byItsKey: Mutant = {
  at: ['authentication'],
  tables: {
    certificates: {
      find(found, index, _value, table) {
        const [exact] = found
        if (index !== 'fingerprint' || exact === undefined) return found
        return [...table.values()].filter(({ publicKey }) => publicKey === exact.publicKey)
      },
    },
  },
}

/** A new token revives the one with its description. */
export const revivedByItsDescription: Mutant = {
  at: ['tokens.create'],
  tables: {
    tokens: {
      write(next, before, { tokens }) {
        const same = [...tokens.values()].find(
          ({ description, referenceNumber }) =>
            description === next.description && referenceNumber !== next.referenceNumber,
        )
        if (before === undefined && same !== undefined) tokens.put({ ...same, status: 'Active' })
        return next
      },
    },
  },
}

/** The logins by one certificate are those of a subject. */
export const ofTheSameCertificate = bodies(
  ['auth.sessions'],
  ({ items }: { readonly items: readonly Fields[] }, { caller, service: { state } }) => ({
    items: items.filter(
      ({ referenceNumber }) =>
        state.authentications.get(String(referenceNumber))?.fingerprint ===
        caller?.authentication.fingerprint,
    ),
  }),
)
