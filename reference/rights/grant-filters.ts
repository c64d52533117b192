import type { Grant } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import type { GrantState } from './rights.ts'

/** What the queries of permissions may ask for, and whether a grant fits it. Source: gap permission-queries. */

export interface GrantQuery {
  readonly contextIdentifier?: Identifier | null
  readonly targetIdentifier?: { readonly type: string; readonly value?: string | null } | null
  readonly authorIdentifier?: { readonly type: string; readonly value?: string | null } | null
  readonly authorizedIdentifier?: Identifier | null
  readonly authorizingIdentifier?: Identifier | null
  readonly subunitIdentifier?: Identifier | null
  readonly subordinateEntityIdentifier?: Identifier | null
  readonly permissionTypes?: readonly string[] | null
  readonly permissionState?: string | null
  readonly queryType?: string
  readonly vatUeIdentifier?: string | null
  readonly authorizedFingerprintIdentifier?: string | null
}

interface Identifier {
  readonly type: string
  readonly value: string
}

export const equals = (a: Identifier, b: Identifier | null | undefined): boolean =>
  b === undefined || b === null || keyOf(a) === keyOf(b)

export const fitsState = (state: GrantState, { permissionState }: GrantQuery): boolean =>
  !permissionState || permissionState === state

/**
 * Whether a grant is for the client that is asked for, or where all are asked for, for all of them. A direct grant is
 * for its own context.
 */
export const fitsTarget = (grant: Grant, { targetIdentifier }: GrantQuery): boolean => {
  const target: Grant['target'] = grant.target ?? grant.context
  return (
    !targetIdentifier ||
    (target?.type === targetIdentifier.type &&
      target.value === (targetIdentifier.value ?? undefined))
  )
}

export const fitsAuthor = ({ author }: Grant, { authorIdentifier }: GrantQuery): boolean =>
  !authorIdentifier ||
  (author.type === authorIdentifier.type &&
    (!('value' in author) || (authorIdentifier.value ?? author.value) === author.value))
