import { variantName } from '../../../contract/rules.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { familyOf } from './families.ts'
import { formOf } from './other-forms.ts'

/** Subjects with too many checks for one file: a folder, with a file for each rule. */
export const folders: readonly string[] = [
  'invoices/collective',
  'limits/rate',
  'operations/status',
  'permissions/grant',
  'permissions/query',
  'queries/metadata',
  'sessions/batch',
  'sessions/online',
]

/**
 * Where the checks or the mutants of a rule are: a file named after the first word of its id (the area) or, where that
 * is a folder, one in it named after the second word (the subject), and so on.
 */
export const placeOf = (id: string, isFolder: (place: string) => boolean): string =>
  id.split('.').reduce((place, word) => (isFolder(place) ? `${place}/${word}` : place))

/**
 * Where the checks of a rule are, below `suites/`: areas are folders there, and a variant of a family is where its
 * family is.
 */
export const fileOf = (id: RuleId, variant = ''): string => {
  const other = formOf(variant)
  if (other !== undefined) return fileOf(id, other.variant)
  const family = familyOf(variantName(variant))
  if (family !== undefined) return family.file
  return `${placeOf(id, (place) => !place.includes('/') || folders.includes(place))}.spec.ts`
}
