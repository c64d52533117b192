import { appendFileSync } from 'node:fs'
import { limits } from '../../contract/limits.ts'
import { drawSecret } from '../../lib/flows/session.ts'
import { downloadExport } from '../../lib/flows/export.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { readZip } from '../../lib/node/archive.ts'
import { stateOf } from '../../contract/lifecycles.ts'
import { statusOf } from '../../lib/flows/settle.ts'
import type { Issuing } from './issuing.ts'
import { settled } from './session-records.ts'
import type { Task } from './task.ts'
import { sleep } from '../../lib/poll.ts'

/**
 * Receives what is new since the last time, by date of permanent storage up to the high-water mark: below it nothing
 * is added any more, so that the next synchronization can begin there and miss nothing.
 */

type Wanted = NonNullable<Task['receive']>

interface Mark {
  /** Where the next synchronization begins. */
  readonly from: string
  readonly at: number
}

export async function receive(issuing: Issuing, task: Task, wanted: Wanted): Promise<void> {
  const { store, conduct } = issuing
  const mark = store.get('mark') as Mark | undefined
  const interval = limits['sync.interval'].value * 1000
  const isEarly = mark !== undefined && Date.now() - mark.at < interval
  if (task.environment === 'production' && isEarly && conduct.keepsSyncInterval) return
  const from = mark?.from ?? wanted.from
  const begun = Date.now()
  const next =
    wanted.by === 'export'
      ? await byExport(issuing, task, wanted, from)
      : await byQuery(issuing, task, wanted, from)
  store.put('mark', { from: next, at: begun } satisfies Mark)
}

/** Keeps a number, once. */
function take({ store, conduct }: Issuing, task: Task, svcNumber: string): void {
  if (conduct.dropsRepeats && store.get(`received ${svcNumber}`) !== undefined) return
  appendFileSync(task.beliefs, `${JSON.stringify({ received: svcNumber })}\n`)
  store.put(`received ${svcNumber}`, true)
}

interface Page {
  readonly hasMore?: boolean
  readonly isTruncated?: boolean
  readonly permanentStorageHwmDate?: string | null
  readonly invoices?: readonly {
    readonly svcNumber: string
    readonly permanentStorageDate: string
  }[]
}

const filters = ({ subjectType }: Wanted, from: string) => ({
  subjectType,
  dateRange: { dateType: 'permanentStorage', from, restrictToPermanentStorageHwmDate: true },
})

async function byQuery(
  issuing: Issuing,
  task: Task,
  wanted: Wanted,
  start: string,
): Promise<string> {
  const { account, conduct } = issuing
  let from = start
  let offset = 0
  let highWaterMark: string | undefined
  for (;;) {
    const exchange: Exchange = await account.call(
      'queries.metadata',
      {
        body: filters(wanted, from),
        query: { pageOffset: offset, pageSize: wanted.pageSize, sortOrder: 'Asc' },
      },
      'safe',
    )
    // Nothing lies behind the mark yet.
    if (exchange.status >= 300) return from
    const page = (exchange.body ?? {}) as Page
    for (const { svcNumber } of page.invoices ?? []) take(issuing, task, svcNumber)
    highWaterMark ??= page.permanentStorageHwmDate ?? undefined
    const last = page.invoices?.at(-1)?.permanentStorageDate
    if (page.isTruncated === true && last !== undefined && conduct.followsTruncation) {
      from = last
      offset = 0
    } else if (page.hasMore === true && page.isTruncated !== true && conduct.followsPages)
      offset += 1
    else return conduct.nextFrom(highWaterMark, new Date(account.now()).toISOString())
  }
}

interface Finished {
  readonly package?: {
    readonly isTruncated?: boolean
    readonly lastPermanentStorageDate?: string | null
    readonly permanentStorageHwmDate?: string | null
  }
}

const exportsAtMost = 4

async function byExport(
  issuing: Issuing,
  task: Task,
  wanted: Wanted,
  start: string,
): Promise<string> {
  const { conduct, account } = issuing
  let from = start
  for (let attempt = 1; attempt <= exportsAtMost; attempt += 1) {
    const finished = await exported(issuing, task, wanted, from)
    if (finished === undefined) {
      await sleep(conduct.pollAfter(attempt))
      continue
    }
    const { isTruncated, lastPermanentStorageDate, permanentStorageHwmDate } =
      finished.package ?? {}
    if (isTruncated !== true || !lastPermanentStorageDate || !conduct.followsTruncation)
      return conduct.nextFrom(
        permanentStorageHwmDate ?? undefined,
        new Date(account.now()).toISOString(),
      )
    from = lastPermanentStorageDate
  }
  return from
}

/** One export, taken in; undefined when it came to nothing. */
async function exported(
  { account, keys, conduct, connection, store, outbox }: Issuing,
  task: Task,
  wanted: Wanted,
  from: string,
): Promise<Finished | undefined> {
  const secret = drawSecret()
  const created = await keys.using(
    'SymmetricKeyEncryption',
    secret.key,
    account.now,
    (encryptedSymmetricKey) =>
      account.call(
        'exports.create',
        {
          body: {
            encryptedSymmetricKey,
            initVector: Buffer.from(secret.iv).toString('base64'),
            filters: filters(wanted, from),
          },
        },
        'safe',
      ),
  )
  const { referenceNumber } = (created.body ?? {}) as { referenceNumber?: unknown }
  if (created.status >= 300 || typeof referenceNumber !== 'string') return undefined
  const last = await settled(conduct, 200, () =>
    account.call('exports.status', { path: { referenceNumber } }, 'safe'),
  )
  const status = statusOf(last?.body)
  if (last === undefined || status === undefined) return undefined
  const succeeded = stateOf('export', status.code)?.outcome === 'success'
  if (!succeeded) return undefined
  const body = last.body as Readonly<Record<string, unknown>>
  const archive = await downloadExport(connection.client, secret, {
    status,
    succeeded,
    body,
    exchanges: [last],
  }).catch(() => undefined)
  if (archive === undefined) return undefined
  for (const name of Object.keys(readZip(archive)))
    if (name.endsWith('.xml'))
      take({ account, keys, conduct, connection, store, outbox }, task, name.slice(0, -4))
  return body
}
