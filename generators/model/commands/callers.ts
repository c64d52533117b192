import type { RefusalId } from '../../../contract/errors.ts'
import type { Permission } from '../../../contract/types.ts'
import type { ModelRule } from '../rules.ts'
import { clear, holds, lackRule, over, usable } from '../state.ts'
import type { LoginState, Model } from '../state.ts'

/** The caller: mostly one who may call, sometimes one whose token has expired or who lacks the permission. */

export interface DrawnCaller {
  readonly place: number
  /** Whether the caller may be one that is refused. */
  readonly stray: boolean
}

/** Why a call of this login is refused whatever it asks for; undefined when it is not. */
export const refusalOf = (
  model: Model,
  login: LoginState,
  permission: Permission,
): { readonly rule: ModelRule; readonly as: RefusalId } | undefined => {
  if (over(model, login.accessUntil))
    return { rule: 'auth.access-token.expires', as: 'expired-token' }
  if (holds(model, login.party, permission)) return undefined
  return { rule: lackRule(model, permission), as: 'missing-permission' }
}

/** A login to call with. */
export const callerOf = (
  model: Model,
  { place, stray }: DrawnCaller,
  permission: Permission,
  among: (login: LoginState) => boolean = () => true,
): LoginState | undefined => {
  const known = usable(model).filter((login) => clear(model, login.accessUntil) && among(login))
  if (!stray)
    return model.choices.pick(
      known.filter((login) => refusalOf(model, login, permission) === undefined),
      place,
    )
  // There are many expired tokens, which would hide the few callers who lack a permission.
  const lacking = known.filter(
    (login) => refusalOf(model, login, permission)?.as === 'missing-permission',
  )
  return model.choices.pick(place % 2 === 0 && lacking.length > 0 ? lacking : known, place)
}

/** A login as a report names it, with what is wrong with it. */
export const nameOf = (model: Model, login: LoginState): string =>
  `${login.party.name} (login ${model.logins.indexOf(login) + 1}${
    over(model, login.accessUntil) ? ', access token expired' : ''
  })`
