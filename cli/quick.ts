import { variantName } from '../contract/rules.ts'
import { seedFrom } from '../lib/random.ts'
import { familyOf } from '../suites/support/checks/families.ts'
import { formOf } from '../suites/support/checks/other-forms.ts'
import type { RegisteredCheck } from './registered.ts'

/** Checks of one group try the same with other values: the instances of a variant, or a family. */
const groupOf = ({ rule, variant = '' }: RegisteredCheck): string => {
  if (formOf(variant) !== undefined) return variant.split(', ', 2).join(', ')
  const name = variantName(variant)
  return familyOf(name) === undefined ? `${rule} / ${name}` : name
}

/** One check of each group, drawn by the seed. */
export const quickSelection = (
  checks: readonly RegisteredCheck[],
  seed: number,
): readonly RegisteredCheck[] => {
  const groups = new Map<string, RegisteredCheck[]>()
  for (const check of checks) {
    const group = groupOf(check)
    groups.set(group, [...(groups.get(group) ?? []), check])
  }
  return [...groups].flatMap(([group, members]) => {
    const draw = seedFrom(seed, 'quick', group) >>> 0
    return members[draw % members.length] ?? []
  })
}
