import type { RuleId } from '../../contract/rules.ts'
import { authMutants } from './auth.ts'
import { certificatesMutants } from './certificates.ts'
import { callerCredentialsMutants } from './caller-credentials.ts'
import { combinationsMutants } from './combinations.ts'
import { credentialsMutants } from './credentials.ts'
import { dateRangesMutants } from './date-ranges.ts'
import { exactnessMutants } from './exactness.ts'
import { exportsMutants } from './exports.ts'
import { furtherMutants } from './further.ts'
import { grantListsMutants } from './grant-lists.ts'
import { grantPagesMutants } from './grant-pages.ts'
import { halfMeasuresMutants } from './half-measures.ts'
import { invoicesMutants } from './invoices.ts'
import { keysMutants } from './keys.ts'
import { limitsMutants } from './limits.ts'
import { loginsMutants } from './logins.ts'
import { lookupsMutants } from './lookups.ts'
import { mixedOutcomesMutants } from './mixed-outcomes.ts'
import { usedIn } from './mutant.ts'
import type { Mutant } from './mutant.ts'
import { generatedMutants } from './operators/generated.ts'
import { notForbidden } from './operators/not-forbidden.ts'
import { overStrictMutants } from './over-strict.ts'
import { packagesMutants } from './packages.ts'
import { permissionsMutants } from './permissions.ts'
import { queriesMutants } from './queries.ts'
import { awkwardValuesMutants } from './awkward-values.ts'
import { rareCasesMutants } from './rare-cases.ts'
import { receiptsMutants } from './receipts.ts'
import { rightsMutants } from './rights.ts'
import { sessionsMutants } from './sessions.ts'
import { nearMissesMutants } from './near-misses.ts'
import { neighboursMutants } from './neighbours.ts'
import { signInsMutants } from './sign-ins.ts'
import { signaturesMutants } from './signatures.ts'
import { testdataMutants } from './testdata.ts'
import { textsMutants } from './texts.ts'
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
  ...nearMissesMutants,
  ...combinationsMutants,
  ...neighboursMutants,
  ...halfMeasuresMutants,
  ...overStrictMutants,
  ...rareCasesMutants,
  ...awkwardValuesMutants,
  ...exactnessMutants,
  ...signaturesMutants,
  ...signInsMutants,
  ...tokensMutants,
  ...certificatesMutants,
  ...callerCredentialsMutants,
  ...keysMutants,
  ...limitsMutants,
  ...sessionsMutants,
  ...packagesMutants,
  ...mixedOutcomesMutants,
  ...invoicesMutants,
  ...lookupsMutants,
  ...receiptsMutants,
  ...queriesMutants,
  ...dateRangesMutants,
  ...exportsMutants,
  ...permissionsMutants,
  ...grantListsMutants,
  ...grantPagesMutants,
  ...furtherMutants,
  ...rightsMutants,
  ...credentialsMutants,
  ...testdataMutants,
  ...textsMutants,
} satisfies Readonly<Record<`${RuleId}/${string}`, Mutant>>

/** The rules that a mutant breaks: that of its id first. */
const breaks = (id: string, { also = [] }: Mutant): readonly RuleId[] => [
  id.slice(0, id.indexOf('/')) as RuleId,
  ...also,
]

/** The ids of the mutants that were written one by one. */
export type MutantId = keyof typeof byId

export interface MutantRow {
  readonly defect: Mutant
  readonly breaks: readonly RuleId[]
  /** Whether an operator yielded it. */
  readonly generated: boolean
}

const rowsOf = (entries: readonly (readonly [string, Mutant])[], generated: boolean) =>
  entries.map(([id, defect]) => [id, { defect, breaks: breaks(id, defect), generated }] as const)

/** Every mutant, with the rules that it breaks: those written one by one, and those of the operators. */
export const mutants: Readonly<Record<string, MutantRow>> = Object.fromEntries([
  ...rowsOf(Object.entries<Mutant>(byId), false),
  ...rowsOf(
    generatedMutants().filter(([id]) => notForbidden(id) === undefined),
    true,
  ),
])

/** The mutant of an id, undefined when there is none. */
export const mutant = (id: string): Mutant | undefined => mutants[id]?.defect

/**
 * Whether a defect can show where only these parts of the service are used.
 * @param used places, decisions and limits, and the decisions and limits of each place
 */
export const canShow = (
  { at, policy = {}, limits = {}, ...more }: Mutant,
  used: ReadonlySet<string>,
): boolean => {
  if (at?.every((place) => !used.has(place)) === true) return false
  const parts = [...Object.keys(policy), ...Object.keys(limits)]
  const others = [more.call, more.exchange, more.tables, more.later, more.environment]
  const isUsed = (part: string): boolean =>
    at === undefined ? used.has(part) : at.some((place) => used.has(usedIn(place, part)))
  return others.some((part) => part !== undefined) || parts.some(isUsed)
}

/** Ids of the mutants that a selector means: an id, or a rule or its beginning, as for checks. */
export const selectMutants = (selector: string): readonly string[] => {
  const begins = (id: string): boolean =>
    id === selector || id.startsWith(`${selector}.`) || id.startsWith(`${selector}/`)
  return Object.entries(mutants)
    .filter(
      ([id, { breaks: rules }]) => begins(id) || rules.some(begins) || id.includes(`/${selector}:`),
    )
    .map(([id]) => id)
}
