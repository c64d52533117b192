import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { CallOptions } from '../../../lib/request.ts'

/** Operations that have two paths, with the rule that states them. */

export interface Spelled {
  readonly rule: RuleId
  /** By the path of the contract, and by the other one. */
  readonly main: CallOptions
  readonly other: CallOptions
}

const aliased = { main: {}, other: { alias: 0 } } as const
/** Operations with a path at the origin are called there, unless a call states otherwise. */
const prefixed = { main: { atOrigin: true }, other: { atOrigin: false } } as const

export const spelled: Readonly<Partial<Record<OperationId, Spelled>>> = {
  'invoices.submit': { rule: 'transport.trailing-slash', ...aliased },
  'exports.create': { rule: 'transport.export-alias', ...aliased },
  'exports.status': { rule: 'transport.export-alias', ...aliased },
  'limits.context': { rule: 'transport.path-prefix', ...prefixed },
  'limits.subject': { rule: 'transport.path-prefix', ...prefixed },
}
