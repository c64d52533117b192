import { open as openFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { invoiceSchemas } from '../../contract/environments.ts'
import { makeInvoice } from '../../generators/invoice/invoice.ts'
import type { Client } from '../../lib/client.ts'
import { encryptAes, sha256 } from '../../lib/crypto.ts'
import { batchBody } from '../../lib/flows/batch.ts'
import { fetchKeys } from '../../lib/flows/keys.ts'
import { describeSubmission, drawSecret, encryptionFields } from '../../lib/flows/session.ts'
import { packBatch } from '../../lib/node/archive.ts'
import { toWire } from '../../lib/wire.ts'
import { recordBytes } from '../../load/assignment.ts'
import type { BatchAssignment, OnlineAssignment } from '../../load/assignment.ts'
import type { PlannedInvoice } from '../../load/trace/account.ts'

/** The invoices of a run: all that costs is done before the load begins. */

export interface CorpusOptions {
  readonly client: Client
  /** NIP of the context of each session. */
  readonly sellerOf: (session: number) => string
  readonly issueDate: string
  readonly count: number
  /** Sessions that the invoices are shared out to. */
  readonly sessions: number
  readonly seed: number
  readonly namespace: string
  /** Directory for the files. */
  readonly directory: string
  readonly progress: (done: number) => void
}

export interface OnlineCorpus {
  readonly planned: readonly PlannedInvoice[]
  readonly files: Pick<OnlineAssignment, 'opens' | 'bodies' | 'index'>
}

export interface BatchCorpus {
  readonly planned: readonly PlannedInvoice[]
  readonly files: Pick<BatchAssignment, 'packages'>
}

const progressEvery = 250

const invoiceOf = (
  options: CorpusOptions,
  index: number,
  session: number,
): { number: string; xml: Uint8Array } => {
  const number = `${options.namespace}/${index + 1}`
  const { issueDate, seed } = options
  const seller = options.sellerOf(session)
  const xml = makeInvoice({ seller, number, issueDate, profile: 'services' }, seed + index)
  if ((index + 1) % progressEvery === 0) options.progress(index + 1)
  return { number, xml }
}

/**
 * Encrypts each invoice for its session and writes ready submission bodies, one after the other, and an index of fixed
 * records. Memory stays flat, whatever the count.
 * @param due when each invoice is to leave, milliseconds from the start
 */
export const prepareOnline = async (
  options: CorpusOptions,
  due: readonly number[],
): Promise<OnlineCorpus> => {
  const { client, sessions } = options
  const keys = await fetchKeys(client)
  const secrets = Array.from({ length: sessions }, drawSecret)
  const opens: string[] = []
  for (const secret of secrets) {
    const body = {
      formCode: invoiceSchemas.fa3.formCode,
      ...(await encryptionFields(client, secret, keys)),
    }
    opens.push(JSON.stringify(toWire(body, 'OpenOnlineSession', client.dialect)))
  }
  const files = {
    bodies: path.join(options.directory, 'bodies'),
    index: path.join(options.directory, 'index'),
  }
  const bodies = await openFile(files.bodies, 'w')
  const index = await openFile(files.index, 'w')
  const planned: PlannedInvoice[] = []
  let written = 0
  try {
    for (let i = 0; i < options.count; i += 1) {
      const session = i % sessions
      const { number, xml } = invoiceOf(options, i, session)
      const { key, iv } = secrets[session] ?? drawSecret()
      const body = await describeSubmission(client, xml, await encryptAes(xml, key, iv))
      planned.push({ number, hash: body.invoiceHash, session })
      const bytes = Buffer.from(JSON.stringify(toWire(body, 'SubmitInvoice', client.dialect)))
      const record = Buffer.alloc(recordBytes)
      for (const [place, value] of [due[i] ?? 0, written, bytes.length, session].entries())
        record.writeDoubleLE(value, place * 8)
      await bodies.writeFile(bytes)
      await index.writeFile(record)
      written += bytes.length
    }
  } finally {
    await bodies.close()
    await index.close()
  }
  return { planned, files: { opens, ...files } }
}

/** Packs the invoices into one encrypted package for each session and writes its parts. */
export const prepareBatch = async (
  options: CorpusOptions,
  partBytes: number,
): Promise<BatchCorpus> => {
  const { client, count, sessions } = options
  const keys = await fetchKeys(client)
  const planned: PlannedInvoice[] = []
  const packages: { open: string; parts: string[] }[] = []
  for (let session = 0; session < sessions; session += 1) {
    const files: Record<string, Uint8Array> = {}
    const until = Math.floor((count * (session + 1)) / sessions)
    while (planned.length < until) {
      const { number, xml } = invoiceOf(options, planned.length, session)
      planned.push({ number, hash: client.codec.base64(await sha256(xml)), session })
      files[`invoice-${planned.length}.xml`] = xml
    }
    const archive = await packBatch(files, { partBytes })
    const body = await batchBody(client, archive, invoiceSchemas.fa3.formCode, keys)
    const parts: string[] = []
    for (const part of archive.parts) {
      const file = path.join(options.directory, `package-${session}-part-${part.ordinalNumber}`)
      await writeFile(file, part.bytes)
      parts.push(file)
    }
    const open = JSON.stringify(toWire(body, 'OpenBatchSession', client.dialect))
    packages.push({ open, parts })
  }
  return { planned, files: { packages } }
}
