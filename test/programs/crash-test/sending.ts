import { minimalInvoice } from '../../../generators/invoice/invoice.ts'
import { callUpload, closeBatch, openBatch } from '../../../lib/flows/batch.ts'
import type { BatchPackage, BatchSession } from '../../../lib/flows/batch.ts'
import { createExport, downloadExport, settleExport } from '../../../lib/flows/export.ts'
import type { ExportStarted } from '../../../lib/flows/export.ts'
import { callReceipt, receiptPages } from '../../../lib/flows/receipt.ts'
import {
  closeOnline,
  openOnline,
  settleInvoice,
  settleSession,
  submit,
} from '../../../lib/flows/session.ts'
import type { OnlineSession } from '../../../lib/flows/session.ts'
import { makeZip, sealArchive } from '../../../lib/node/archive.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { poll } from '../../../lib/poll.ts'
import type { Fact, Tell, World } from './world.ts'
import { digest, moved, same } from './world.ts'

/** Work with invoices: sessions of both kinds and exports. Every answer becomes a fact. */

const issueDate = '2026-03-02'
let last = 0
const document = (world: World): { readonly number: string; readonly xml: Uint8Array } => {
  const number = `FV/${process.pid}/${++last}`
  return { number, xml: minimalInvoice({ seller: world.owner.nip, number, issueDate }) }
}

/** An invoice that was answered with 202. */
const sentInvoice = (
  session: OnlineSession,
  number: string,
  xml: Uint8Array,
  reference: string,
): Fact & { settle(world: World): Promise<string> } => {
  const what = `invoice ${number}, ${reference}`
  let reported: string | undefined
  const settle = async ({ api }: World): Promise<string> => {
    const { status, body } = await settleInvoice(api, session, reference)
    same(`${what}: status`, status.code, 200)
    const svcNumber = String(body['svcNumber'])
    same(`${what}: number`, svcNumber, reported ?? svcNumber)
    reported = svcNumber
    return svcNumber
  }
  return {
    what,
    settle,
    async check(world) {
      const { api, keys } = world
      const svcNumber = await settle(world)
      // Retrievable once it is stored, a moment after its acceptance.
      const { last: kept } = await poll(
        () => api.call('invoices.bySvcNumber', { path: { svcNumber } }),
        ({ status }) => status !== 404,
        { ...api.polling, sleep: api.sleep },
      )
      same(`${what}: document`, digest(kept.bytes), digest(xml))
      const again = await openOnline(api, { formCode: 'FA (3)', keys })
      const { referenceNumber } = await submit(api, again, xml)
      const { status, body } = await settleInvoice(api, again, referenceNumber)
      same(`${what}: the same once more`, status.code, 440)
      same(`${what}: its original`, body['originalSvcNumber'], svcNumber)
    },
  }
}

/** A session whose end was answered; its receipts are the same for ever. */
const closedSession = (what: string, referenceNumber: string, count: number): Fact => {
  const receipts = new Map<string, string>()
  let reported: string | undefined
  return {
    what,
    async check({ api }) {
      const settled = await settleSession(api, { referenceNumber })
      same(`${what}: status`, settled.status.code, 200)
      same(`${what}: accepted`, settled.body['successfulInvoiceCount'], count)
      same(`${what}: all`, settled.body['invoiceCount'], count)
      const pages = receiptPages(settled).map((page) => page.referenceNumber)
      same(`${what}: receipts`, pages.join(), reported ?? pages.join())
      reported = pages.join()
      for (const upoReferenceNumber of pages) {
        const sessionReferenceNumber = referenceNumber
        const receipt = await callReceipt(api, { sessionReferenceNumber, upoReferenceNumber })
        const hash = digest(expectOk(receipt, what).bytes)
        same(`${what}: receipt`, hash, receipts.get(upoReferenceNumber) ?? hash)
        receipts.set(upoReferenceNumber, hash)
      }
    },
  }
}

/** Opens a session, sends a few invoices, follows some, and closes it. */
export const sendInvoices = async (world: World, tell: Tell): Promise<void> => {
  const { api, keys } = world
  const session = await openOnline(api, { formCode: 'FA (3)', keys })
  tell({
    what: `session ${session.referenceNumber}`,
    async check(later) {
      const path = { referenceNumber: session.referenceNumber }
      expectOk(await later.api.call('sessions.status', { path }), 'look at the session')
    },
  })
  const count = 3
  for (let n = 0; n < count; n++) {
    const { number, xml } = document(world)
    const { referenceNumber } = await submit(api, session, xml)
    const sent = sentInvoice(session, number, xml, referenceNumber)
    tell(sent)
    // Some are followed to their acceptance, some are left on their way.
    if (n === 1) await sent.settle(world)
  }
  await closeOnline(api, session)
  const closed = closedSession(`closed ${session.referenceNumber}`, session.referenceNumber, count)
  tell(closed)
  await closed.check(world)
}

const upload = async (
  world: World,
  batch: BatchPackage,
  session: BatchSession,
  at: number,
): Promise<void> => {
  const part = batch.parts[at]
  const address = session.uploads[at]
  if (part === undefined || address === undefined) throw new Error('no such part')
  const there = { ...address, url: moved(world, address.url) }
  expectOk(await callUpload(world.api, there, part.bytes), 'upload a part')
}

/** A package in two parts. A part that was uploaded need not be uploaded again. */
export const sendBatch = async (world: World, tell: Tell): Promise<void> => {
  const { api, keys } = world
  const files = Object.fromEntries([1, 2, 3].map((n) => [`${n}.xml`, document(world).xml] as const))
  const archive = makeZip(files)
  const batch = await sealArchive(archive, { partBytes: Math.ceil(archive.length / 2) })
  const session = await openBatch(api, batch, { formCode: 'FA (3)', keys })
  const { referenceNumber } = session
  const closed = closedSession(`package ${referenceNumber}`, referenceNumber, 3)
  let uploaded = 0
  let ended = false
  tell({
    what: closed.what,
    async check(later) {
      while (uploaded < batch.parts.length) await upload(later, batch, session, uploaded++)
      if (!ended) {
        const answer = await later.api.call('sessions.closeBatch', { path: { referenceNumber } })
        // Where no answer came, the close may have arrived or not.
        if (answer.status !== 400) expectOk(answer, 'close the package')
        ended = true
      }
      await closed.check(later)
    },
  })
  await upload(world, batch, session, 0)
  uploaded = 1
  await upload(world, batch, session, 1)
  uploaded = 2
  await closeBatch(api, session)
  ended = true
  await closed.check(world)
}

/** An export, and the bytes of its package. */
export const exportInvoices = async (world: World, tell: Tell): Promise<void> => {
  const started: ExportStarted = await createExport(world.api, {
    keys: world.keys,
    filters: {
      subjectType: 'subject1',
      dateRange: { dateType: 'issue', from: `${issueDate}T00:00:00Z`, to: '2026-03-03T00:00:00Z' },
    },
  })
  let reported: string | undefined
  const fact: Fact = {
    what: `export ${started.referenceNumber}`,
    async check(later) {
      const settled = await settleExport(later.api, started)
      same(`${fact.what}: status`, settled.status.code, 200)
      const found = digest(await downloadExport(later.api, started, settled))
      same(`${fact.what}: package`, found, reported ?? found)
      reported = found
    },
  }
  tell(fact)
  await fact.check(world)
}
