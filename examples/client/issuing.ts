import type { Conduct } from './conduct.ts'
import type { Connection } from './connection.ts'
import type { KeyList } from './key-list.ts'
import type { Account } from './login.ts'
import type { Outbox } from './outbox.ts'
import type { Store } from './store.ts'

/** What a client issues documents with. */
export interface Issuing {
  readonly connection: Connection
  readonly account: Account
  readonly keys: KeyList
  readonly conduct: Conduct
  readonly outbox: Outbox
  readonly store: Store
}
