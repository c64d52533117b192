import type { TestDetails } from '@playwright/test'
import type { Dialect } from '../../../contract/dialect.ts'
import { ruleRow, rules, variantName, variantsOf } from '../../../contract/rules.ts'
import type { RuleId, VariantText } from '../../../contract/rules.ts'
import type { Rule, Variant } from '../../../contract/types.ts'
import { familyOf } from './families.ts'
import type { Family } from './families.ts'
import { formOf, otherFormNeeds } from './other-forms.ts'

/** Names of the annotations that tie a test to the contract; the fixtures and the reporter read them. */
export const notes = {
  rule: 'rule',
  variant: 'variant',
  clause: 'clause',
  sentence: 'requirement',
  mutant: 'mutant',
  finding: 'finding',
  seen: 'seen',
  /** Faults of answers that a check met by the way. */
  conformity: 'conformity',
  /** What the exchanges of a check showed of the contract. */
  shown: 'shown',
  /** A history that shows a failure: its steps, and the name by which it can be repeated. */
  history: 'history',
} as const

/** The row of a rule for one of its variants or for a family of checks, with their own level, needs and assumptions. */
export const rowOf = (id: RuleId, variant = ''): Rule => {
  const other = formOf(variant)
  if (other !== undefined) {
    const same = rowOf(id, other.variant)
    return { ...same, needs: [...new Set([...(same.needs ?? []), ...otherFormNeeds])] }
  }
  const row = ruleRow(id)
  const name = variantName(variant)
  const own: Partial<Variant> = variantsOf(id).get(name) ?? familyOf(name) ?? {}
  return {
    ...row,
    level: own.level ?? row.level,
    needs: [...new Set([...(row.needs ?? []), ...(own.needs ?? [])])],
    assumes: [...(row.assumes ?? []), ...(own.assumes ?? [])],
  }
}

/** The title of a check, by which plans, findings and selections name it. */
export const titleOf = (id: RuleId, variant: string | undefined): string =>
  `${rowOf(id, variant).level} ${id}${variant === undefined ? '' : ` / ${variant}`}`

/** Why a dialect does not have a rule, or one variant of it; undefined where it has. */
export const absenceOf = (
  { rules: forms }: Pick<Dialect, 'rules'>,
  { rule: id, variant = '' }: { readonly rule: RuleId; readonly variant?: string | undefined },
): string | undefined => {
  const other = formOf(variant)
  if (other !== undefined) {
    const { statedBy } = other.form
    const without = statedBy && absenceOf({ rules: forms }, { rule: statedBy })
    return without ?? absenceOf({ rules: forms }, { rule: id, variant: other.variant })
  }
  const form = forms[id]
  const concerned =
    form?.variants?.some((name) => variant === name || variant.startsWith(`${name}, `)) ?? true
  if (form === undefined || !concerned) return undefined
  return 'absent' in form ? form.absent : form.replaced
}

/** A further note of a check, such as what it covers. */
type Note = { readonly type: string; readonly description: string }

const titled = (
  id: RuleId,
  variant: string | undefined,
  more: readonly Note[],
): [title: string, details: TestDetails] => {
  const { clause, sentence } = rowOf(id, variant)
  return [
    titleOf(id, variant),
    {
      tag: `@${id}`,
      annotation: [
        { type: notes.rule, description: id },
        ...(variant === undefined ? [] : [{ type: notes.variant, description: variant }]),
        { type: notes.sentence, description: sentence },
        { type: notes.clause, description: clause },
        ...more,
      ],
    },
  ]
}

/**
 * Ties a check to its rule: `test(...rule('auth.status.wrong-bearer-refused', 'access token'), async ...)`.
 * The tag is the whole id, so that `--grep @auth.status` selects every check below it.
 * @param variant a variant that the rule declares; text after a comma distinguishes several checks of it
 */
export const rule = <Id extends RuleId>(
  id: Id,
  variant?: VariantText<Id>,
  ...more: readonly Note[]
): [title: string, details: TestDetails] => titled(id, variant, more)

/** Ties a check of a family to one of the rules that the family checks. */
export const familyRule = (
  id: RuleId,
  family: Family,
  instance?: string,
  ...more: readonly Note[]
): [title: string, details: TestDetails] =>
  titled(id, instance === undefined ? family : `${family}, ${instance}`, more)

/** Ties a check to its rule once more, under another variant. */
export const again = (id: RuleId, variant: string): [title: string, details: TestDetails] =>
  titled(id, variant, [])

/** What a test says about itself in its annotations. */
export interface Subject {
  readonly rule: RuleId
  readonly variant: string | undefined
  /** In mutate mode: the mutant that is installed in the reference while the check runs. */
  readonly mutant: string | undefined
}

type Annotations = readonly { readonly type: string; readonly description?: string }[]

/** The description of the first annotation of a kind. */
export const noteOf = (annotations: Annotations, type: string): string | undefined =>
  annotations.find((annotation) => annotation.type === type)?.description

/** The rule that a test checks; undefined for a test that is tied to none. */
export const subjectOf = (annotations: Annotations): Subject | undefined => {
  const id = noteOf(annotations, notes.rule)
  if (id === undefined || !(id in rules)) return undefined
  return {
    rule: id as RuleId,
    variant: noteOf(annotations, notes.variant),
    mutant: noteOf(annotations, notes.mutant),
  }
}

/** A history that shows a failure. */
export interface History {
  readonly steps: readonly string[]
  /** The name by which `ASSAY_SEQUENCE` repeats it. */
  readonly sequence: string
}

/** The history that a check has noted. */
export const historyOf = (annotations: Annotations): History | undefined => {
  const noted = noteOf(annotations, notes.history)
  return noted === undefined ? undefined : (JSON.parse(noted) as History)
}
