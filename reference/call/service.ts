import type { Dialect } from '../../contract/dialect.ts'
import type { Environment, EnvironmentId } from '../../contract/environments.ts'
import type { LimitId } from '../../contract/limits.ts'
import type { Identifiers } from '../base/identifiers.ts'
import type { Verifier } from '../verification/verifier.ts'
import type { Keys } from '../keys/keys.ts'
import type { Jwt } from '../keys/jwt.ts'
import type { Journal } from '../model/journal.ts'
import type { PublishedWords } from '../base/published-words.ts'
import type { State } from '../model/state.ts'
import type { Durable } from '../model/table.ts'
import type { Policy } from '../policy/policy.ts'
import type { Limiter } from '../rates/limiter.ts'
import type { Limits } from '../rates/limits.ts'
import type { Clock } from '../time/clock.ts'
import type { WorkKind } from '../model/work.ts'
import type { Schedule } from '../time/schedule.ts'

/** What every handler and worker works with: the service from within. */
export interface Service {
  readonly clock: Clock
  readonly state: State
  /** Where the state is kept beyond the process; absent in memory. */
  readonly durable: Durable | undefined
  /** The decisions in force. */
  readonly policy: Policy
  readonly dialect: Dialect
  readonly environment: Environment & { readonly id: EnvironmentId }
  readonly keys: Keys
  readonly jwt: Jwt
  readonly limiter: Limiter
  readonly limits: Limits
  readonly schedule: Schedule<WorkKind>
  readonly journal: Journal
  /** Threads that verify documents ahead of their turn; absent where everything happens on one. */
  readonly verifier: Verifier | undefined
  readonly identifiers: Identifiers
  /** Address under which callers reach the service, with the version prefix, without a slash at the end. */
  readonly publicUrl: string
  /** Puts explanations of refusals into `details`, not only into the journal. */
  readonly explain: boolean
  /** Words of a published description in place of ours; absent where ours are shown. */
  readonly words: PublishedWords | undefined
  /** The value of a limit in the dialect in force. */
  readonly limit: (id: LimitId) => number
}

/** The worker of each kind of work, called with the key of the entity; it does nothing where the entity is gone. */
export type Workers = Readonly<
  Record<WorkKind, (service: Service, subject: string) => void | Promise<void>>
>
