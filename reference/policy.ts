import { transportPolicy } from './policy/transport.ts'

/**
 * Every decision of the service, as one record of small named functions. Each area has its file in `policy/`, with
 * the rule named above each decision. A mutant is a partial override; no handler knows about mutants.
 */
export const policy = {
  ...transportPolicy,
}

export type Policy = Readonly<typeof policy>
