import { auth } from './rules/auth.ts'
import { certificates } from './rules/certificates.ts'
import { client } from './rules/client.ts'
import { exports } from './rules/exports.ts'
import { invoices } from './rules/invoices.ts'
import { keys } from './rules/keys.ts'
import { limits } from './rules/limits.ts'
import { operations } from './rules/operations.ts'
import { permissions } from './rules/permissions.ts'
import { queries } from './rules/queries.ts'
import { receipts } from './rules/receipts.ts'
import { sessions } from './rules/sessions.ts'
import { testdata } from './rules/testdata.ts'
import { tokens } from './rules/tokens.ts'
import { transport } from './rules/transport.ts'
import type { Area, Rule, Variant } from './types.ts'

/** Every requirement of the interface, one row each, in the order of the areas. Ids never change. */
export const rules = {
  ...transport,
  ...auth,
  ...tokens,
  ...keys,
  ...sessions,
  ...invoices,
  ...receipts,
  ...queries,
  ...exports,
  ...operations,
  ...permissions,
  ...certificates,
  ...testdata,
  ...limits,
  ...client,
} as const satisfies Record<`${Area}.${string}`, Rule>

export type RuleId = keyof typeof rules

export const ruleIds = Object.keys(rules) as RuleId[]

/** The row of a rule, in its general shape. */
export const ruleRow = (id: RuleId): Rule => rules[id]

/** The names of the variants that a rule declares; `never` where it declares none. */
export type VariantOf<Id extends RuleId> = (typeof rules)[Id] extends {
  readonly variants: infer Variants
}
  ? keyof Variants & string
  : never

/** A variant; text after a comma distinguishes several checks of it. */
export type VariantText<Id extends RuleId> = VariantOf<Id> | `${VariantOf<Id>}, ${string}`

/** The name of a variant, without the text that distinguishes several checks of it. */
export const variantName = (variant: string): string => variant.split(', ', 1)[0] ?? ''

/** The variants of a rule by name, each in its general shape. */
export const variantsOf = (id: RuleId): ReadonlyMap<string, Variant> =>
  new Map(
    Object.entries(ruleRow(id).variants ?? {}).map(([name, variant]) => [
      name,
      typeof variant === 'string' ? { description: variant } : variant,
    ]),
  )

/** The area of a rule: the first word of its id. */
export const areaOf = (id: RuleId): Area => id.slice(0, id.indexOf('.')) as Area
