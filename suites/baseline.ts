import type { RuleId } from '../contract/rules.ts'

export const isKnown = (_rule: RuleId, _variant: string | undefined): boolean => false
