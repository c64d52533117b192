import type { RefusalId } from '../../contract/errors.ts'
import type { RuleId } from '../../contract/rules.ts'
import type { KeyObject } from 'node:crypto'
import type { Context } from '../flows/login.ts'
import type { Credentials } from './pki.ts'

/** What a forger has at hand: everything genuine, except that the document must not be accepted. */
export interface ForgerySource {
  readonly credentials: Credentials
  /** A key of the same kind that the certificate does not name; a fresh one when absent. */
  readonly otherKey?: KeyObject
  /** A fresh challenge, which the genuine request carries. */
  readonly challenge: string
  /** Another fresh challenge, which the forger would rather see answered. */
  readonly otherChallenge: string
  readonly context: Context
  /** Another party's context, which the forger wants to enter. */
  readonly otherContext: Context
  /** Unix milliseconds, a minute or so before the target's present. */
  readonly signingTime: number
}

/** One way in which a signed document is not what it seems. */
export interface Forgery {
  readonly rule: RuleId
  /** Unique within the rule; one of the rule's own variants, if it declares any. */
  readonly variant: string
  readonly refusedAs: RefusalId
  /** Why a conformant service may accept it nevertheless: then it is only observed. */
  readonly mayBeAccepted?: string
  readonly make: (source: ForgerySource) => string | Uint8Array
}
