import { keyOf } from '../../model/entities.ts'
import type { Mutant } from '../mutant.ts'
import { behindLogin, writesNothing } from '../rewrite.ts'

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
  'queries.providers.listed/behind-login': behindLogin('queries.providers'),
} as const satisfies Readonly<Record<string, Mutant>>
