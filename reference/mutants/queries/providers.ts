import type { Mutant } from '../mutant.ts'
import { behindLogin, writesNothing } from '../rewrite.ts'

/** Defects of the list of providers. */
export const queriesProvidersMutants = {
  'queries.providers.listed/never-registered': writesNothing('providers'),
  'queries.providers.listed/behind-login': behindLogin('queries.providers'),
} as const satisfies Readonly<Record<string, Mutant>>
