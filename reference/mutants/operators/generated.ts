import { algorithmsUnchecked } from './digest-algorithms.ts'
import { describedRefused } from './described-values.ts'
import { misjudgedFingerprints } from './fingerprint-grants.ts'
import { generousRouters } from './nearly-known-paths.ts'
import { misreadAddresses } from './address-lists.ts'
import { shiftedByArrivals } from './arrivals.ts'
import { missingRevocations } from './certificate-revocations.ts'
import { refusedBesideOthers } from './beside-others.ts'
import { kindsLeftOut, sharedPermissions } from './context-kinds.ts'
import { combinedFacets } from './combinations.ts'
import { countedStates } from './counted.ts'
import { misreadDates } from './date-spellings.ts'
import { fixedDecisions } from './decisions.ts'
import { wrongDelegations } from './delegations.ts'
import { lostEffects } from './effects.ts'
import { settingsForEveryone } from './everyone.ts'
import { permittedInAnyState } from './ended.ts'
import { forgottenPaths } from './forms-apart.ts'
import { wrongFields } from './fields.ts'
import { ignoredFilters } from './filters.ts'
import { wrongGrants } from './held-grants.ts'
import { confusedStates, unnoticedStates } from './listed-states.ts'
import { endsAfterAMonth } from './lasting.ts'
import { workTogether } from './work-together.ts'
import { otherLimits, unseenInBursts } from './limit-values.ts'
import type { Generated } from './operator.ts'
import { otherForms } from './other-forms.ts'
import { falseSuccesses } from './outcomes.ts'
import { mixedPackages } from './mixed-packages.ts'
import { largeValues } from './large-values.ts'
import { nearValues } from './near-values.ts'
import { failingTexts } from './awkward-texts.ts'
import { endedByFailures } from './failed-beside.ts'
import { harmedByOthers } from './foreign-neighbours.ts'
import { harmedNeighbours } from './neighbours.ts'
import { demandedBodies, refusedNulls } from './null-fields.ts'
import { overlappingCalls } from './overlaps.ts'
import { openedWherePresent } from './opened-where-present.ts'
import { answersOfOthers } from './own-answers.ts'
import { forgottenOnLaterPages } from './later-pages.ts'
import { brokenPages } from './pages.ts'
import { pendingWork } from './pending.ts'
import { performedAnyway } from './performed-anyway.ts'
import { refusedAfterRefusals } from './refused-before.ts'
import { refusedEffects } from './refused-effects.ts'
import { repeatedOpenings } from './repeated-openings.ts'
import { filtersOfRoles, rangesOfRoles } from './role-ranges.ts'
import { seenByFilter } from './narrowed-views.ts'
import { takenForTheFirst } from './granted-again.ts'
import { refusalForms, wrongRefusals } from './refusals.ts'
import { wrongRevokers } from './revokers.ts'
import { changedBytes } from './stored-bytes.ts'
import { reasonsOfOthers } from './reasons-of-others.ts'
import { ignoredTheSecondTime } from './second-time.ts'
import { wrongTokenStates } from './token-states.ts'
import { misreadDescriptions } from './package-descriptions.ts'
import { effectiveThoughLate } from './late-submissions.ts'
import { issuedThoughRefused } from './refused-packages.ts'
import { unendedWork } from './unended.ts'
import { skippedChecks } from './ways-in.ts'
import { toldOfForeign } from './foreign-told.ts'
import { insufficientPermissions } from './insufficient-permissions.ts'
import { enforcedElsewhere } from './enforced-limits.ts'
import { formsReadApart } from './signature-forms.ts'
import { missingForSigners } from './signers.ts'

/** The mutants of every operator. */
export const generatedMutants = (): Generated[] => [
  ...wrongFields(),
  ...ignoredFilters(),
  ...misreadDates(),
  ...rangesOfRoles(),
  ...filtersOfRoles(),
  ...seenByFilter(),
  ...takenForTheFirst(),
  ...confusedStates(),
  ...unnoticedStates(),
  ...kindsLeftOut(),
  ...sharedPermissions(),
  ...misreadAddresses(),
  ...brokenPages(),
  ...forgottenOnLaterPages(),
  ...shiftedByArrivals(),
  ...overlappingCalls(),
  ...answersOfOthers(),
  ...openedWherePresent(),
  ...changedBytes(),
  ...fixedDecisions(),
  ...skippedChecks(),
  ...formsReadApart(),
  ...missingForSigners(),
  ...missingRevocations(),
  ...lostEffects(),
  ...wrongGrants(),
  ...wrongDelegations(),
  ...wrongRevokers(),
  ...wrongTokenStates(),
  ...wrongRefusals(),
  ...refusalForms(),
  ...otherLimits(),
  ...unseenInBursts(),
  ...otherForms(),
  ...forgottenPaths(),
  ...falseSuccesses(),
  ...permittedInAnyState(),
  ...repeatedOpenings(),
  ...refusedBesideOthers(),
  ...largeValues(),
  ...nearValues(),
  ...harmedNeighbours(),
  ...harmedByOthers(),
  ...endedByFailures(),
  ...failingTexts(),
  ...settingsForEveryone(),
  ...refusedEffects(),
  ...refusedAfterRefusals(),
  ...refusedNulls(),
  ...demandedBodies(),
  ...pendingWork(),
  ...unendedWork(),
  ...workTogether(),
  ...mixedPackages(),
  ...reasonsOfOthers(),
  ...performedAnyway(),
  ...endsAfterAMonth(),
  ...ignoredTheSecondTime(),
  ...countedStates(),
  ...combinedFacets(),
  ...issuedThoughRefused(),
  ...misreadDescriptions(),
  ...effectiveThoughLate(),
  ...enforcedElsewhere(),
  ...toldOfForeign(),
  ...insufficientPermissions(),
  ...algorithmsUnchecked(),
  ...generousRouters(),
  ...describedRefused(),
  ...misjudgedFingerprints(),
]
