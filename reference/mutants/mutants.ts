import type { RuleId } from '../../contract/rules.ts'
import { authMutants } from './auth.ts'
import { certificatesMutants } from './certificates.ts'
import { exportsMutants } from './exports.ts'
import { grantListsMutants } from './grant-lists.ts'
import { invoicesMutants } from './invoices.ts'
import { keysMutants } from './keys.ts'
import { limitsMutants } from './limits.ts'
import { loginsMutants } from './logins.ts'
import type { Mutant } from './mutant.ts'
import { permissionsMutants } from './permissions.ts'
import { queriesMutants } from './queries.ts'
import { receiptsMutants } from './receipts.ts'
import { sessionsMutants } from './sessions.ts'
import { testdataMutants } from './testdata.ts'
import { tokensMutants } from './tokens.ts'
import { transportMutants } from './transport.ts'

/**
 * Defects on purpose, by ids that begin with the rule that they break. A check counts when it notices; a mutant that no
 * check notices is a rule that is not tested.
 */
const byId = {
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
} satisfies Readonly<Record<`${RuleId}/${string}`, Mutant>>

export type MutantId = keyof typeof byId

/** The rules that a mutant breaks: that of its id first. */
const breaks = (id: string, { also = [] }: Mutant): readonly RuleId[] => [
  id.slice(0, id.indexOf('/')) as RuleId,
  ...also,
]

/** Every mutant, with the rules that it breaks. */
export const mutants: Readonly<
  Record<string, { readonly defect: Mutant; readonly breaks: readonly RuleId[] }>
> = Object.fromEntries(
  Object.entries<Mutant>(byId).map(([id, defect]) => [id, { defect, breaks: breaks(id, defect) }]),
)

/** The mutant of an id, undefined when there is none. */
export const mutant = (id: string): Mutant | undefined => mutants[id]?.defect

/** Ids of the mutants that a selector means: an id, or a rule or its beginning, as for checks. */
export const selectMutants = (selector: string): readonly string[] => {
  const begins = (id: string): boolean =>
    id === selector || id.startsWith(`${selector}.`) || id.startsWith(`${selector}/`)
  return Object.entries(mutants)
    .filter(([id, { breaks: rules }]) => begins(id) || rules.some(begins))
    .map(([id]) => id)
}
