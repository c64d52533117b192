import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { bodies } from './rewrite.ts'

/** Things that are taken for another with which they share something. */
export const namesakesMutants = {
  'auth.xades.service-certificate/by-its-key': {
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
  },
  'tokens.status.moves-forward/revived-by-its-description': {
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
  },
  'auth.sessions.listed/of-the-same-certificate': bodies(
    ['auth.sessions'],
    ({ items }: { readonly items: readonly Fields[] }, { caller, service: { state } }) => ({
      items: items.filter(
        ({ referenceNumber }) =>
          state.authentications.get(String(referenceNumber))?.fingerprint ===
          caller?.authentication.fingerprint,
      ),
    }),
  ),
} as const satisfies Readonly<Record<string, Mutant>>
