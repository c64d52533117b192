/** Which part a context has in an accepted invoice. Source: specification, Query metadata request; gap query-roles. */

import type { ContextIdentifier } from './entities.ts'
import { keyOf } from './entities.ts'
import type { Issued } from './documents.ts'

export interface Roles {
  readonly seller: boolean
  readonly buyer: boolean
  readonly third: boolean
  readonly authorized: boolean
  /** Sent it, in whosever name. */
  readonly sender: boolean
}

export const rolesIn = (context: ContextIdentifier, { facts, context: from }: Issued): Roles => {
  const { type, value } = context
  const sender = keyOf(from) === keyOf(context)
  const is = (identifier: { readonly type: string; readonly value?: string }): boolean =>
    identifier.value === (type === 'NipVatUe' ? value.slice(11) : value) &&
    identifier.type === (type === 'NipVatUe' ? 'VatUe' : type)
  return {
    seller: type === 'Nip' ? facts.seller.nip === value : sender,
    buyer: is(facts.buyer.identifier),
    third: facts.thirdParties.some(({ identifier }) => is(identifier)),
    authorized: type === 'Nip' && facts.authorized?.nip === value,
    sender,
  }
}

export const isParty = (roles: Roles): boolean => Object.values(roles).includes(true)
