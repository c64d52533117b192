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
import type { Area, Rule } from './types.ts'

/** Every requirement of the interface, one row each, in the order of the areas. Ids are given once and for good. */
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

/** The area of a rule: the first word of its id. */
export const areaOf = (id: RuleId): Area => id.slice(0, id.indexOf('.')) as Area
