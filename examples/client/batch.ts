import { packBatch } from '../../lib/node/archive.ts'
import type { BatchPackage, BatchSession } from '../../lib/flows/batch.ts'
import { callUpload, readBatchOpened } from '../../lib/flows/batch.ts'
import { statusOf } from '../../lib/flows/settle.ts'
import type { Exchange } from '../../lib/exchange.ts'
import type { Issuing } from './issuing.ts'
import { conclude, settle } from './outcome.ts'
import type { OutboxDocument } from './outbox.ts'
import { formCodeOf, invoicesOf, settled } from './session-records.ts'

/** Issues all documents in one package. A package that comes to nothing is made anew, with a session of its own. */

interface BatchRecord {
  readonly documents: readonly string[]
  readonly done: boolean
}

const packagesAtMost = 4

export async function issueBatch(issuing: Issuing): Promise<void> {
  const { outbox, store } = issuing
  // A package of an earlier run may have been taken in, whatever that run knew of it.
  for (const [key, record] of store.entries('batch ') as [string, BatchRecord][])
    if (!record.done) await read(issuing, key.slice(6), record)
  for (let attempt = 1; attempt <= packagesAtMost; attempt += 1) {
    const documents = outbox.waiting('new')
    if (documents.length === 0) break
    await send(issuing, documents)
  }
  await conclude(issuing)
}

async function send(issuing: Issuing, documents: readonly OutboxDocument[]): Promise<void> {
  const { account, store, conduct } = issuing
  const files = Object.fromEntries(documents.map(({ id, xml }) => [`${id}.xml`, xml]))
  const batch = await packBatch(files)
  const opened = await open(issuing, batch, documents)
  if (opened === undefined) return
  const record = { documents: documents.map(({ id }) => id), done: false }
  store.put(`batch ${opened.referenceNumber}`, record)
  for (const upload of opened.uploads) {
    const part = batch.parts.find(({ ordinalNumber }) => ordinalNumber === upload.ordinalNumber)
    const bearer = conduct.uploadBearer(await account.access())
    const headers =
      bearer === null ? upload.headers : { ...upload.headers, authorization: `Bearer ${bearer}` }
    const uploaded = await issuing.connection.follow(
      'sessions.uploadPart',
      (client) => callUpload(client, { ...upload, headers }, part?.bytes ?? new Uint8Array()),
      'safe',
    )
    // An address that expired: the next package gets new ones.
    if (uploaded.status >= 300) {
      store.put(`batch ${opened.referenceNumber}`, { ...record, done: true })
      return
    }
  }
  await account.call(
    'sessions.closeBatch',
    { path: { referenceNumber: opened.referenceNumber } },
    'safe',
  )
  await read(issuing, opened.referenceNumber, record)
}

async function open(
  { account, keys }: Issuing,
  batch: BatchPackage,
  documents: readonly OutboxDocument[],
): Promise<BatchSession | undefined> {
  const { fileSize, fileHash, parts, key, iv } = batch
  const exchange: Exchange = await keys.using(
    'SymmetricKeyEncryption',
    key,
    account.now,
    (encryptedSymmetricKey) =>
      account.call(
        'sessions.openBatch',
        {
          body: {
            formCode: formCodeOf(documents[0]!.xml),
            encryptedSymmetricKey,
            initVector: Buffer.from(iv).toString('base64'),
            batchFile: {
              fileSize,
              fileHash,
              fileParts: parts.map(({ bytes: _bytes, ...part }) => part),
            },
          },
        },
        'safe',
      ),
  )
  return exchange.status < 300 ? readBatchOpened(exchange) : undefined
}

/** What became of a package: of each document, where it was taken in; nothing, where it never was. */
async function read(issuing: Issuing, reference: string, record: BatchRecord): Promise<void> {
  const { account, conduct, outbox, store } = issuing
  const path = { referenceNumber: reference }
  const look = () => account.call('sessions.status', { path }, 'safe')
  const first = await look()
  // Still open: it was not closed, and never will be processed.
  if (first.status < 300 && statusOf(first.body)?.code !== 100) {
    await settled(conduct, 200, look)
    const found = await invoicesOf(account, reference)
    for (const document of outbox.documents) {
      if (!record.documents.includes(document.id)) continue
      const one = found.find(({ hash }) => hash === document.hash)
      if (one !== undefined) await settle(issuing, document, reference, one)
    }
  }
  store.put(`batch ${reference}`, { ...record, done: true })
}
