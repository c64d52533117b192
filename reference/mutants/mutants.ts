import { authMutants } from './auth.ts'
import { certificatesMutants } from './certificates.ts'
import { exportsMutants } from './exports.ts'
import { grantListsMutants } from './grant-lists.ts'
import { invoicesMutants } from './invoices.ts'
import { keysMutants } from './keys.ts'
import { limitsMutants } from './limits.ts'
import { loginsMutants } from './logins.ts'
import { permissionsMutants } from './permissions.ts'
import { queriesMutants } from './queries.ts'
import { receiptsMutants } from './receipts.ts'
import { sessionsMutants } from './sessions.ts'
import { testdataMutants } from './testdata.ts'
import { tokensMutants } from './tokens.ts'
import { transportMutants } from './transport.ts'
import type { Mutant } from './mutant.ts'

/**
 * Defects on purpose: each a partial override of the policy, with the rules that it breaks. A check counts when it
 * notices; a mutant that nobody notices is a rule that nobody tests.
 */
export const mutants = {
  ...transportMutants,
  ...authMutants,
  ...loginsMutants,
  ...tokensMutants,
  ...certificatesMutants,
  ...keysMutants,
  ...limitsMutants,
  ...sessionsMutants,
  ...invoicesMutants,
  ...receiptsMutants,
  ...queriesMutants,
  ...exportsMutants,
  ...permissionsMutants,
  ...grantListsMutants,
  ...testdataMutants,
} as const satisfies Record<string, Mutant>

export type MutantId = keyof typeof mutants

/** The mutant of an id, undefined when there is none. */
export const mutant = (id: string): Mutant | undefined =>
  (mutants as Readonly<Record<string, Mutant>>)[id]
