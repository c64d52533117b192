import { dialectOf } from '../../contract/dialects.ts'
import { createClient } from '../../lib/client.ts'
import { contextKey } from '../../lib/flows/login.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { createSend } from '../../lib/node/fetch.ts'
import type { Thresholds } from '../../lib/windows.ts'
import { issueBatch } from './batch.ts'
import type { Conduct } from './conduct.ts'
import { createConnection } from './connection.ts'
import type { Issuing } from './issuing.ts'
import { issueOnline } from './issue.ts'
import { createKeyList } from './key-list.ts'
import { createAccount } from './login.ts'
import { createOutbox } from './outbox.ts'
import { receive } from './receive.ts'
import { createServiceToken } from './service-token.ts'
import { openStore } from './store.ts'
import type { Task } from './task.ts'

/** Does a task: issues what is to be issued, receives what is to be received, writes what it believes. */
export async function run(task: Task, conduct: Conduct): Promise<void> {
  const dialect = dialectOf(task.dialect)
  if (dialect === undefined) throw new Error(`no dialect is called ${task.dialect}`)
  const sender = createSend({ timeoutMs: 15_000 })
  const store = openStore(task.data)
  const outbox = createOutbox(store, task.issue, task.beliefs, conduct)
  const client = createClient({
    send: sender.send,
    baseUrl: task.url,
    dialect,
    codec: nodeCodec,
    headers: { 'user-agent': 'assay-model-client' },
  })
  const connection = createConnection(client, contextKey(task.context), conduct)
  const keys = createKeyList(connection, conduct)
  const account = createAccount(connection, keys, task, conduct)
  const issuing: Issuing = { connection, account, keys, conduct, outbox, store }
  try {
    if (outbox.isUnfinished()) {
      await readLimits(issuing)
      await (task.mode === 'batch' ? issueBatch(issuing) : issueOnline(issuing))
    }
    if (task.createToken !== undefined) await createServiceToken(issuing, task.createToken)
    if (task.receive !== undefined) await receive(issuing, task, task.receive)
  } finally {
    outbox.report()
    store.close()
    sender.close()
  }
}

/** The limits in force may be others than those of the table: the service states them. */
async function readLimits({ connection, account, conduct }: Issuing): Promise<void> {
  const access = await account.access()
  const bearer = conduct.bearerForLimits({ access, authentication: account.authentication() })
  const { status, body } = await connection.call('limits.rates', { bearer }, 'safe')
  if (status < 300) connection.useLimits(body as Readonly<Record<string, Thresholds>>)
}
