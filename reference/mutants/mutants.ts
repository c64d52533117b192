import type { RuleId } from '../../contract/rules.ts'
import { authAccessTokenMutants } from './auth/access-token.ts'
import { authAddressPolicyMutants } from './auth/address-policy.ts'
import { authChallengeMutants } from './auth/challenge.ts'
import { authRedeemMutants } from './auth/redeem.ts'
import { authRefreshMutants } from './auth/refresh.ts'
import { authSessionsMutants } from './auth/sessions.ts'
import { authSignatureMutants } from './auth/signature.ts'
import { authStatusMutants } from './auth/status.ts'
import { authTokenMutants } from './auth/token.ts'
import { authXadesMutants } from './auth/xades.ts'
import { certificatesMutants } from './certificates.ts'
import { exportsCreateMutants } from './exports/create.ts'
import { exportsStatusMutants } from './exports/status.ts'
import { exportsPackageMutants } from './exports/package.ts'
import { exportsRunningLimitMutants } from './exports/running-limit.ts'
import { exportsExpiryMutants } from './exports/expiry.ts'
import { exportsIsolatedMutants } from './exports/isolated.ts'
import { exportsHourlyLimitMutants } from './exports/hourly-limit.ts'
import { invoicesCollectiveMutants } from './invoices/collective.ts'
import { invoicesContentMutants } from './invoices/content.ts'
import { invoicesCorrectionMutants } from './invoices/correction.ts'
import { invoicesDuplicateMutants } from './invoices/duplicate.ts'
import { invoicesGetMutants } from './invoices/get.ts'
import { invoicesModeMutants } from './invoices/mode.ts'
import { invoicesNumberMutants } from './invoices/number.ts'
import { invoicesRejectedMutants } from './invoices/rejected.ts'
import { invoicesSendMutants } from './invoices/send.ts'
import { invoicesSizeMutants } from './invoices/size.ts'
import { invoicesStatusMutants } from './invoices/status.ts'
import { invoicesSubmitMutants } from './invoices/submit.ts'
import { keysMutants } from './keys.ts'
import { limitsContextMutants } from './limits/context.ts'
import { limitsRateMutants } from './limits/rate.ts'
import { limitsSubjectMutants } from './limits/subject.ts'
import { operationsMutants } from './operations.ts'
import { permissionsGrantMutants } from './permissions/grant.ts'
import { permissionsMatrixMutants } from './permissions/matrix.ts'
import { permissionsQueryDescribedMutants } from './permissions/query/described.ts'
import { permissionsQueryNarrowedMutants } from './permissions/query/narrowed.ts'
import { permissionsQueryPagedMutants } from './permissions/query/paged.ts'
import { permissionsQueryScopeMutants } from './permissions/query/scope.ts'
import { permissionsRevokeMutants } from './permissions/revoke.ts'
import { queriesProvidersMutants } from './queries/providers.ts'
import { queriesMetadataFiltersMutants } from './queries/metadata/filters.ts'
import { queriesMetadataDescribedMutants } from './queries/metadata/described.ts'
import { queriesMetadataSubjectTypeMutants } from './queries/metadata/subject-type.ts'
import { queriesMetadataDateTypeMutants } from './queries/metadata/date-type.ts'
import { queriesMetadataDateBoundsMutants } from './queries/metadata/date-bounds.ts'
import { queriesMetadataPagingMutants } from './queries/metadata/paging.ts'
import { queriesGeneralMutants } from './queries/general.ts'
import { receiptsInvoiceMutants } from './receipts/invoice.ts'
import { receiptsSessionMutants } from './receipts/session.ts'
import { receiptsLinkMutants } from './receipts/link.ts'
import { receiptsWaysMutants } from './receipts/ways.ts'
import { receiptsNotByNumberAloneMutants } from './receipts/not-by-number-alone.ts'
import { sessionsBatchMutants } from './sessions/batch.ts'
import { sessionsInvoicesMutants } from './sessions/invoices.ts'
import { sessionsListMutants } from './sessions/list.ts'
import { sessionsOnlineMutants } from './sessions/online.ts'
import { sessionsStatusMutants } from './sessions/status.ts'
import { testdataMutants } from './testdata.ts'
import { tokensMutants } from './tokens.ts'
import { transportMutants } from './transport.ts'
import { usedIn } from './mutant.ts'
import type { Mutant } from './mutant.ts'
import { generatedMutants } from './operators/generated.ts'
import { notForbidden } from './operators/not-forbidden.ts'

/**
 * Intentional defects, by ids that begin with the rule that they break. A check counts if it notices; a mutant that no
 * check notices is a rule that is not tested.
 */
const byId = {
  ...authAccessTokenMutants,
  ...authAddressPolicyMutants,
  ...authChallengeMutants,
  ...authRedeemMutants,
  ...authRefreshMutants,
  ...authSessionsMutants,
  ...authSignatureMutants,
  ...authStatusMutants,
  ...authTokenMutants,
  ...authXadesMutants,
  ...certificatesMutants,
  ...exportsCreateMutants,
  ...exportsStatusMutants,
  ...exportsPackageMutants,
  ...exportsRunningLimitMutants,
  ...exportsExpiryMutants,
  ...exportsIsolatedMutants,
  ...exportsHourlyLimitMutants,
  ...invoicesCollectiveMutants,
  ...invoicesContentMutants,
  ...invoicesCorrectionMutants,
  ...invoicesDuplicateMutants,
  ...invoicesGetMutants,
  ...invoicesModeMutants,
  ...invoicesNumberMutants,
  ...invoicesRejectedMutants,
  ...invoicesSendMutants,
  ...invoicesSizeMutants,
  ...invoicesStatusMutants,
  ...invoicesSubmitMutants,
  ...keysMutants,
  ...limitsContextMutants,
  ...limitsRateMutants,
  ...limitsSubjectMutants,
  ...operationsMutants,
  ...permissionsGrantMutants,
  ...permissionsMatrixMutants,
  ...permissionsQueryDescribedMutants,
  ...permissionsQueryNarrowedMutants,
  ...permissionsQueryPagedMutants,
  ...permissionsQueryScopeMutants,
  ...permissionsRevokeMutants,
  ...queriesProvidersMutants,
  ...queriesMetadataFiltersMutants,
  ...queriesMetadataDescribedMutants,
  ...queriesMetadataSubjectTypeMutants,
  ...queriesMetadataDateTypeMutants,
  ...queriesMetadataDateBoundsMutants,
  ...queriesMetadataPagingMutants,
  ...queriesGeneralMutants,
  ...receiptsInvoiceMutants,
  ...receiptsSessionMutants,
  ...receiptsLinkMutants,
  ...receiptsWaysMutants,
  ...receiptsNotByNumberAloneMutants,
  ...sessionsBatchMutants,
  ...sessionsInvoicesMutants,
  ...sessionsListMutants,
  ...sessionsOnlineMutants,
  ...sessionsStatusMutants,
  ...testdataMutants,
  ...tokensMutants,
  ...transportMutants,
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
