import type { RuleId } from '../../contract/rules.ts'
import { familyOf } from './families.ts'

/** Subjects with too many checks for one file: a folder, with a file for each rule. */
export const folders: readonly string[] = [
  'limits.rate',
  'permissions.query',
  'queries.metadata',
  'sessions.batch',
  'sessions.online',
]

/**
 * Where the checks of a rule are, below `suites/`: area and subject are the first two words of its id, and a variant of
 * a family is where its family is.
 */
export const fileOf = (id: RuleId, variant = ''): string => {
  const family = familyOf(variant.split(', ', 1)[0] ?? '')
  if (family !== undefined) return family.file
  const [area = '', subject = '', ...rest] = id.split('.')
  const place = folders.includes(`${area}.${subject}`) ? `${subject}/${rest.join('-')}` : subject
  return `${area}/${place}.spec.ts`
}
