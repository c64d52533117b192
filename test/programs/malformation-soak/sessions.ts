import { seedFrom } from '../../../lib/random.ts'
import { seededDraw, drawBytes } from '../../../generators/draw/draw.ts'
import { makeInvoice } from '../../../generators/invoice/invoice.ts'
import { archives } from '../../../generators/faults/archive.ts'
import { goodArchive, goodPackage } from '../../../generators/requests/package.ts'
import type { Package } from '../../../generators/requests/package.ts'
import { batches } from '../../../generators/faults/batch.ts'
import { submissionMalformations } from '../../../generators/faults/catalogue.ts'
import { submission } from '../../../generators/requests/payload.ts'
import { opening } from '../../../generators/requests/opening.ts'
import { sessionKeys } from '../../../generators/faults/session-key.ts'
import type { Client } from '../../../lib/client.ts'
import { callUpload, readBatchOpened } from '../../../lib/flows/batch.ts'
import { openOnline, settleSession } from '../../../lib/flows/session.ts'
import { formCodes } from '../../../suites/support/checks/forms.ts'
import { outcomeOfOpening, outcomeOfSubmission } from '../../../suites/support/steps/steps.ts'
import type { Ended, SoakBench } from './bench.ts'
import { complaintAbout, openBench } from './bench.ts'
import { isOurs, tried } from './tried.ts'
import type { SoakOptions, Tried } from './tried.ts'

/** Every class of malformed session, submission, package and archive. */

const formCode = formCodes.fa3
const issueDate = '2026-03-02'

const invoiceOf = (bench: SoakBench, name: string, seed: number): Uint8Array =>
  makeInvoice({ seller: bench.own.nip, number: name, issueDate, profile: 'general' }, seed)

/** Openings of interactive and of batch sessions in turn. */
export async function* soakSessionKeys(options: SoakOptions): AsyncGenerator<Tried> {
  const { seed, each } = options
  const classes = sessionKeys().filter((entry, place) => isOurs(options, entry, place))
  if (classes.length === 0) return
  const bench = await openBench(seed)
  for (const entry of classes) {
    const counter = tried(entry)
    const { me } = await bench.login()
    for (let n = 0; n < each; n++) {
      const own = seedFrom(seed, entry.id, n)
      const draw = seededDraw(own)
      const secret = { key: drawBytes(draw, 32), iv: drawBytes(draw, 16) }
      const { body } = entry.apply({ ...secret, ...bench.keys, formCode }, draw)
      bench.news()
      const answer = await me.call('sessions.openOnline', { body })
      const ended = await outcomeOfOpening(me, answer)
      const complaint = complaintAbout(bench, ended, entry.refusedAs)
      counter.count(complaint && `seed ${own}: ${complaint}; ${JSON.stringify(body)}`)
    }
    yield counter.done()
  }
  await bench.close()
}

/** Wrong encryption, metadata and Base64; a right submission in between must be accepted. */
export async function* soakSubmissions(options: SoakOptions): AsyncGenerator<Tried> {
  const { seed, each } = options
  const classes = submissionMalformations().filter((entry, place) => isOurs(options, entry, place))
  if (classes.length === 0) return
  const bench = await openBench(seed)
  for (const entry of classes) {
    const counter = tried(entry)
    const { me } = await bench.login()
    const session = await openOnline(me, { formCode })
    const { encryptedSymmetricKey } = JSON.parse(String(session.exchange.request.body)) as {
      encryptedSymmetricKey: string
    }
    const desk = { api: me, session }
    const wrappedKey = Buffer.from(encryptedSymmetricKey, 'base64')
    const draftOf = (name: string, own: number) => ({
      xml: invoiceOf(bench, name, own),
      key: session.key,
      iv: session.iv,
      wrappedKey,
    })
    for (let n = 0; n < each; n++) {
      const own = seedFrom(seed, entry.id, n)
      const draft = draftOf(`${entry.id}/${n}`, own)
      const { body, refusedAs } = entry.apply(draft, seededDraw(own))
      bench.news()
      const ended = await outcomeOfSubmission(desk, body)
      const complaint = complaintAbout(bench, ended, refusedAs)
      counter.count(complaint && `seed ${own}: ${complaint}`)
    }
    const right = await outcomeOfSubmission(desk, {
      ...submission(draftOf(`${entry.id}/good`, seed)),
    })
    if ('request' in right || !right.succeeded) counter.complain('a right submission is refused')
    yield counter.done()
  }
  await bench.close()
}

interface Secret {
  readonly key: Uint8Array
  readonly iv: Uint8Array
}

/** Opens, uploads what there is to upload, closes and awaits the end; the first refusal ends it. */
async function outcomeOfPackage(
  bench: SoakBench,
  me: Client,
  { batchFile, parts }: Package,
  secret: Secret,
): Promise<Ended> {
  const fields = opening({ ...secret, ...bench.keys, formCode })
  bench.news()
  const opened = await me.call('sessions.openBatch', { body: { ...fields, batchFile } })
  if (opened.status > 299) return opened
  const session = readBatchOpened(opened)
  for (const upload of session.uploads) {
    const bytes = parts[upload.ordinalNumber - 1]
    if (bytes === undefined) continue
    const answer = await callUpload(me, upload, bytes)
    if (answer.status > 299) return answer
  }
  const path = { referenceNumber: session.referenceNumber }
  const closed = await me.call('sessions.closeBatch', { path })
  if (closed.status > 299) return closed
  return settleSession(me, session, 'batchSession')
}

/** Packages and archives with one fault; a good package in between must go through. */
export async function* soakPackages(options: SoakOptions): AsyncGenerator<Tried> {
  const { seed, each } = options
  const wholes = batches().filter((entry, place) => isOurs(options, entry, place))
  const inner = archives().filter((entry, place) => isOurs(options, entry, place))
  if (wholes.length + inner.length === 0) return
  const bench = await openBench(seed)
  for (const entry of [...wholes, ...inner]) {
    const counter = tried(entry)
    const { me } = await bench.login()
    const documentsOf = (name: string, own: number, count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          `faktura-${i + 1}.xml`,
          invoiceOf(bench, `${entry.id}/${name}/${i}`, own + i),
        ]),
      )
    for (let n = 0; n < each; n++) {
      const own = seedFrom(seed, entry.id, n)
      const draw = seededDraw(own)
      const secret = { key: drawBytes(draw, 32), iv: drawBytes(draw, 16) }
      const documents = documentsOf(String(n), own, draw.int(1, 4))
      const archive =
        entry.of === 'archive' ? entry.apply(documents, draw).archive : goodArchive(documents)
      const draft = { archive, ...secret, partBytes: draw.int(1_000, 100_000) }
      // With ten thousand parts, the archive would have another fault.
      const whole = { ...draft, partBytes: Math.max(draft.partBytes, archive.length / 20) | 0 }
      const made = entry.of === 'archive' ? goodPackage(whole) : entry.apply(whole, draw)
      const complaint = complaintAbout(
        bench,
        await outcomeOfPackage(bench, me, made, secret),
        entry.refusedAs,
      )
      counter.count(complaint && `seed ${own}: ${complaint}`)
    }
    const secret = { key: drawBytes(seededDraw(1), 32), iv: drawBytes(seededDraw(2), 16) }
    const archive = goodArchive(documentsOf('good', seed, 2))
    const good = goodPackage({ archive, ...secret, partBytes: 5_000 })
    const ended = await outcomeOfPackage(bench, me, good, secret)
    if ('request' in ended || ended.status.code !== 200)
      counter.complain(`a good package is refused`)
    yield counter.done()
  }
  await bench.close()
}
