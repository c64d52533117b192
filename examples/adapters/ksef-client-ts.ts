import { appendFileSync, readFileSync } from 'node:fs'
import process from 'node:process'
import {
  KSeFClient,
  collectAllInvoiceMetadata,
  createZip,
  openOnlineSession,
  pollUntil,
  uploadBatchParsed,
} from 'ksef-client-ts'
import type { Task } from '../client/task.ts'
import { readTask } from '../client/task.ts'

/**
 * Has `ksef-client-ts` do a task, in the way its documentation shows and without repairs of our own: what the library
 * does about limits and faults is what the examination sees.
 */

const patience = { intervalMs: 1000, maxAttempts: 40 }

const task = readTask(process.env)
const client = new KSeFClient({ baseUrl: new URL(task.url).origin })

const believes = (line: object) => appendFileSync(task.beliefs, `${JSON.stringify(line)}\n`)

async function issueOnline({ issue }: Task): Promise<void> {
  const session = await openOnlineSession(client)
  const sent: { readonly id: string; readonly reference: string }[] = []
  for (const { id, file } of issue)
    sent.push({ id, reference: await session.sendInvoice(readFileSync(file)) })
  for (const { id, reference } of sent) {
    const { status, ksefNumber } = await pollUntil(
      () => client.sessionStatus.getSessionInvoice(session.sessionRef, reference),
      ({ status: { code } }) => code >= 200,
      patience,
    )
    const original = (status.extensions as Record<string, unknown> | undefined)?.[
      'originalKsefNumber'
    ]
    if (status.code === 200) believes({ document: id, outcome: 'accepted', number: ksefNumber })
    else if (status.code === 440) believes({ document: id, outcome: 'accepted', number: original })
    else believes({ document: id, outcome: 'rejected' })
  }
  await session.close()
  await session.waitForUpoParsed(patience)
}

async function issueBatch({ issue }: Task): Promise<void> {
  const zip = await createZip(
    issue.map(({ id, file }) => ({ fileName: `${id}.xml`, content: readFileSync(file) })),
  )
  const { upo } = await uploadBatchParsed(client, zip, { pollOptions: patience })
  const documents = upo.parsed.flatMap(({ dokumenty }) => dokumenty)
  for (const { id, number } of issue) {
    const found = documents.find(({ numerFaktury }) => numerFaktury === number)
    believes({
      document: id,
      outcome: found === undefined ? 'rejected' : 'accepted',
      number: found?.numerKSeFDokumentu,
    })
  }
}

async function receive({ from, pageSize }: NonNullable<Task['receive']>): Promise<void> {
  const found = await collectAllInvoiceMetadata(
    client,
    {
      subjectType: 'Subject2',
      dateRange: { dateType: 'PermanentStorage', from, restrictToPermanentStorageHwmDate: true },
    },
    { pageSize },
  )
  for (const { ksefNumber } of found) believes({ received: ksefNumber })
}

await client.loginWithToken(task.token, task.context.value)
await client.crypto.init()
if (task.issue.length > 0) await (task.mode === 'batch' ? issueBatch(task) : issueOnline(task))
if (task.receive !== undefined) await receive(task.receive)
