import { authMutants } from './mutants/auth.ts'
import { certificatesMutants } from './mutants/certificates.ts'
import { exportsMutants } from './mutants/exports.ts'
import { grantListsMutants } from './mutants/grant-lists.ts'
import { invoicesMutants } from './mutants/invoices.ts'
import { keysMutants } from './mutants/keys.ts'
import { limitsMutants } from './mutants/limits.ts'
import { loginsMutants } from './mutants/logins.ts'
import { permissionsMutants } from './mutants/permissions.ts'
import { queriesMutants } from './mutants/queries.ts'
import { receiptsMutants } from './mutants/receipts.ts'
import { sessionsMutants } from './mutants/sessions.ts'
import { testdataMutants } from './mutants/testdata.ts'
import { tokensMutants } from './mutants/tokens.ts'
import { transportMutants } from './mutants/transport.ts'
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
