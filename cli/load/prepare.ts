import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { invoiceSchemas } from '../../contract/environments.ts'
import { makeInvoice } from '../../generators/invoice/invoice.ts'
import type { ProfileId } from '../../generators/invoice/invoice.ts'
import type { Client } from '../../lib/client.ts'
import { encryptAes } from '../../lib/crypto.ts'
import { describeSubmission, drawSecret, encryptionFields } from '../../lib/flows/session.ts'
import { toWire } from '../../lib/wire.ts'

export interface Corpus {
  /** Body that opens the session for which the bodies are encrypted. */
  readonly open: string
  /** Where each body begins in the file, and where the last one ends. */
  readonly offsets: readonly number[]
}

export interface CorpusOptions {
  readonly client: Client
  readonly seller: string
  readonly issueDate: string
  readonly count: number
  readonly seed: number
  readonly namespace: string
  readonly profile: ProfileId
  readonly file: string
  readonly progress: (done: number) => void
}

/**
 * Generates the invoices, encrypts them for one session and writes ready submission bodies, one after the other:
 * all that costs is done before the load begins. Memory stays flat, whatever the count.
 */
export const prepareCorpus = async (options: CorpusOptions): Promise<Corpus> => {
  const { client } = options
  const secret = drawSecret()
  const open = {
    formCode: invoiceSchemas.fa3.formCode,
    ...(await encryptionFields(client, secret)),
  }
  const offsets = [0]
  const file = createWriteStream(options.file)
  let written = 0
  for (let index = 0; index < options.count; index += 1) {
    const xml = makeInvoice(
      {
        seller: options.seller,
        number: `${options.namespace}/${index + 1}`,
        issueDate: options.issueDate,
        profile: options.profile,
      },
      options.seed + index,
    )
    const body = await describeSubmission(client, xml, await encryptAes(xml, secret.key, secret.iv))
    const bytes = Buffer.from(JSON.stringify(toWire(body, 'SubmitInvoice', client.dialect)))
    written += bytes.length
    offsets.push(written)
    if (!file.write(bytes)) await once(file, 'drain')
    if ((index + 1) % 250 === 0) options.progress(index + 1)
  }
  file.end()
  await once(file, 'close')
  return {
    open: JSON.stringify(toWire(open, 'OpenOnlineSession', client.dialect)),
    offsets,
  }
}
