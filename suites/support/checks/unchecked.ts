import { ruleIds, ruleRow, variantName, variantsOf } from '../../../contract/rules.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { fileOf } from './homes.ts'

/** Variants that rules of the service declare and no check has, with the file where each check belongs. */
export const uncheckedVariants = (
  checks: readonly { readonly rule: RuleId; readonly variant?: string }[],
): string[] => {
  const checked = new Set(
    checks.map(({ rule, variant = '' }) => `${rule} / ${variantName(variant)}`),
  )
  return ruleIds
    .filter((id) => ruleRow(id).binds !== 'C')
    .flatMap((id) => [...variantsOf(id).keys()].map((name) => ({ id, name })))
    .filter(({ id, name }) => !checked.has(`${id} / ${name}`))
    .map(({ id, name }) => `${id} / ${name} belongs in suites/${fileOf(id)}`)
}
