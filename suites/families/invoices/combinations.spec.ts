import type { RuleId } from '../../../contract/rules.ts'
import { createExport } from '../../../lib/flows/export.ts'
import { callReceipt, callReceiptLink, receiptPages } from '../../../lib/flows/receipt.ts'
import { closeOnline, settleSession } from '../../../lib/flows/session.ts'
import { sha256 } from '../../../lib/crypto.ts'
import { serviceNumberFaults } from '../../../lib/identifiers/service-number.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import { isInSellerContext } from '../../support/scenes/combined-senders.ts'
import {
  buyerName,
  createBench,
  documentFacets,
  isPackage,
  isUnspecified,
  kindOf,
  sendingFacets,
  told,
} from '../../support/scenes/combinations.ts'
import type { AcceptedDocument, Bench, Scene } from '../../support/scenes/combinations.ts'
import { fetchFiles } from '../../support/steps/export-parts.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import type { SubjectType } from '../../support/steps/filters.ts'
import type { CheckFixtures } from '../../support/harness/fixtures.ts'
import { offered } from '../../support/service/offered.ts'
import { wentWell } from '../../support/judging/matchers.ts'
import { sendTogether } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { findAll, pages } from '../../support/steps/searches.ts'
import type { SearchOperation } from '../../support/steps/searches.ts'
import { fields, retrieve } from '../../support/steps/steps.ts'
import { invoiceTypeOf } from '../../support/documents/stock-document.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Accepted invoices in combinations: each two values of the facets of documents and of sending meet in one of them. */

const family = 'combination'
const facets = { ...sendingFacets, ...documentFacets }

type Fixtures = Scene & Pick<CheckFixtures, 'login' | 'another'>

const check = (id: RuleId, instance: string, body: (scene: Fixtures) => Promise<void>): void =>
  test(...familyRule(id, family, instance), ({ login, another, limited, rng, target, invoice }) =>
    body({ login, another, limited, rng, target, invoice }),
  )

/** A bench, and the buyer of the documents that have one. */
const withBuyer = async (scene: Fixtures) => {
  const buyer = await scene.login({ context: await scene.another() })
  return { bench: await createBench(scene, buyer.context.nip), buyer }
}

/** What an invoice is to be described by, as far as every kind has it. */
const describedOf = async ({ row, made, record }: AcceptedDocument) => ({
  invoiceNumber: made.number,
  issueDate: made.issueDate,
  invoiceHash: Buffer.from(await sha256(made.bytes)).toString('base64'),
  seller: { nip: made.seller },
  buyer: { identifier: made.buyer, name: buyerName },
  currency: row.currency,
  invoiceType: invoiceTypeOf(kindOf(row)),
  isSelfInvoicing: />1<\/(?:\w+:)?P_17>/.test(new TextDecoder().decode(made.bytes)),
  hasAttachment: false,
  ...(record['invoicingMode'] !== undefined && { invoicingMode: record['invoicingMode'] }),
})

check('invoices.submit.accepted', 'each', async (scene) => {
  const { rows, make, send } = await createBench(scene)
  for (const row of rows(facets)) {
    const { outcome } = await send(row, make(row).bytes)
    expect(outcome, told(row)).toHaveSucceeded('invoice')
  }
})

check('invoices.number.unique', 'each', async (scene) => {
  const { rows, accepted } = await createBench(scene)
  const all = await accepted(rows(facets))
  for (const { svcNumber, made, record, what } of all) {
    const at = Date.parse(String(record['acquisitionDate']))
    expect(serviceNumberFaults(svcNumber), `${svcNumber}, ${what}`).toEqual([])
    expect(svcNumber.slice(0, 10), `the NIP in its number, ${what}`).toBe(made.seller)
    const date = isoDay(Number.isNaN(at) ? scene.target.now() : at).replaceAll('-', '')
    expect(svcNumber.slice(11, 19), `the day in its number, ${what}`).toBe(date)
  }
  expect(new Set(all.map(({ svcNumber }) => svcNumber)).size, 'distinct numbers').toBe(all.length)
})

check('invoices.mode', 'each', async (scene) => {
  const { rows, accepted } = await createBench(scene)
  for (const { row, record, what } of await accepted(rows(facets))) {
    const isDeclared = row.way.includes('offline') || row.way === 'as a technical correction'
    const mode = isDeclared || row.issued !== 'today' ? 'Offline' : 'Online'
    expect(record['invoicingMode'], what).toBe(mode)
  }
})

check('invoices.get.by-service-number', 'each', async (scene) => {
  const { bench, buyer } = await withBuyer(scene)
  const reading = { ...facets, reader: ['seller', 'sender', 'buyer'] as const }
  const rows = bench.rows(
    reading,
    ({ reader, buyer: kind = 'Nip' }) => reader === 'buyer' && kind !== 'Nip',
  )
  const operations = offered('invoices.bySvcNumber', 'invoices.byNumber')
  for (const { row, made, svcNumber, what } of await bench.accepted(rows)) {
    const api = {
      seller: bench.senders.seller.api,
      sender: bench.senders.apiOf(row),
      buyer: buyer.api,
    }[row.reader]
    for (const operation of operations) {
      const answer = await retrieve(api, operation, { svcNumber, invoiceNumber: made.number })
      expect(answer, `${operation}, ${what}`).toBeOk()
      expect(Buffer.from(answer.bytes).equals(made.bytes), `${operation}, ${what}`).toBe(true)
    }
  }
})

/** How an invoice is sent again: by another way or sender, and with other content. */
const again = {
  againBy: sendingFacets.way,
  againFrom: sendingFacets.sender,
} as const

check('invoices.duplicate.everywhere', 'sent again', async (scene) => {
  const { rows, accepted, make, send } = await createBench(scene)
  const all = await accepted(
    rows({ ...facets, ...again }, ({ againBy, againFrom }) => isUnspecified(againBy, againFrom)),
  )
  for (const [at, { row, made, svcNumber, session, what }] of all.entries()) {
    const content = { ...all[(at + 1) % all.length]!.row, kind: row.kind, corrects: row.corrects }
    const repeat = { ...content, way: row.againBy, sender: row.againFrom }
    const { outcome, record } = await send(repeat, make(repeat, { number: made.number }).bytes)
    expect(outcome, what).toBeRejected('duplicate-invoice')
    if (isInSellerContext(row.sender) && isInSellerContext(row.againFrom))
      expect(record, `the original that is named, ${what}`).toMatchObject({
        originalSvcNumber: svcNumber,
        originalSessionReferenceNumber: session,
      })
  }
})

/** What differs from an accepted invoice, one property of the three each. */
const differing = {
  differs: ['kind', 'last character', 'further character', 'seller'],
} as const

const changed = {
  'last character': (number: string) => `${number.slice(0, -1)}q`,
  'further character': (number: string) => `${number}1`,
  kind: (number: string) => number,
} as const

check('invoices.duplicate.triple', 'one of three differs', async (scene) => {
  const { rows, make, send, senders } = await createBench(scene)
  const combined = rows(
    { ...facets, ...differing },
    ({ way, sender, login, differs, number }) =>
      (differs === 'further character' && number === 'as long as can be') ||
      // Another seller sends its own invoice.
      (differs === 'seller' && sender !== undefined && sender !== 'agent') ||
      (differs === 'seller' && (way === 'no session' || login === 'by service token')),
  )
  const first = combined.map((row) => ({ row, made: make({ ...row, sender: 'owner' }) }))
  const sent = await sendTogether(
    senders.seller.api,
    first.map(({ made }) => made),
  )
  if (!sent.every(wentWell)) throw new Inconclusive('have invoices accepted', 'acceptance of each')
  for (const { row, made } of first) {
    const { differs } = row
    const { number } = made
    // Only the kind of an invoice without a correction has no other.
    const kind = differs === 'kind' && row.kind === 'UPR' ? 'VAT' : row.kind
    const isTurned = differs === 'kind' && row.kind !== 'UPR'
    const corrects =
      (row.corrects === 'an invoice') === isTurned ? 'nothing before it' : 'an invoice'
    const similar =
      differs === 'seller'
        ? make({ ...row, sender: 'owner' }, { number, seller: senders.agent.context.nip })
        : make({ ...row, kind, corrects }, { number: changed[differs](number) })
    const { outcome } = await send(row, similar.bytes)
    expect(outcome, told(row)).toHaveSucceeded('invoice')
  }
})

/** Accepted invoices of each combination, as their seller and their buyer find them. */
const foundByParties = async (scene: Fixtures) => {
  const { bench, buyer } = await withBuyer(scene)
  const all = await bench.accepted(bench.rows(facets))
  const filtersOf = (role: SubjectType) =>
    issuedAround(scene.target.now(), role, 'permanentStorage')
  const { seller } = bench.senders
  const numbers = all.map(({ svcNumber }) => svcNumber)
  await findAll(seller.api, filtersOf('subject1'), numbers)
  const bought = all.filter(({ row }) => row.buyer === 'Nip')
  return [
    { api: seller.api, role: 'seller', filters: filtersOf('subject1'), theirs: all },
    { api: buyer.api, role: 'buyer', filters: filtersOf('subject2'), theirs: bought },
  ] as const
}

check('queries.metadata.described', 'each', async (scene) => {
  for (const { api, role, filters, theirs } of await foundByParties(scene))
    for (const operation of offered('queries.metadata', 'queries.general') as SearchOperation[]) {
      const found = (await pages(api, filters, {}, operation)).flatMap(({ invoices }) => invoices)
      for (const one of theirs)
        expect(
          found.filter(({ svcNumber }) => svcNumber === one.svcNumber),
          `by its ${role}, by ${operation}, ${one.what}`,
        ).toMatchObject([await describedOf(one)])
    }
})

/** The receipt of an invoice by one of its ways. */
const receiptOf = async (
  { senders }: Bench,
  { row, session, referenceNumber, svcNumber }: AcceptedDocument,
  by: 'reference' | 'number' | 'link' | 'session',
  closed: Set<string>,
) => {
  const api = senders.apiOf(row)
  const sessionReferenceNumber = session
  if (by === 'number') return callReceipt(api, { sessionReferenceNumber, svcNumber })
  if (by === 'reference')
    return callReceipt(api, { sessionReferenceNumber, invoiceReferenceNumber: referenceNumber })
  if (by === 'link') {
    const path = { referenceNumber: session, invoiceReferenceNumber: referenceNumber }
    const status = fields(await api.call('invoices.inSession', { path }))
    return callReceiptLink(api, String(status['upoDownloadUrl']))
  }
  if (!isPackage(row.way) && !closed.has(session)) {
    await closeOnline(api, { referenceNumber: session })
    closed.add(session)
  }
  const settled = await settleSession(api, { referenceNumber: session })
  const { referenceNumber: upoReferenceNumber } = receiptPages(settled)[0]!
  return callReceipt(api, { sessionReferenceNumber, upoReferenceNumber })
}

check('receipts.invoice.carries-number', 'each', async (scene) => {
  const bench = await createBench(scene)
  const ways = { ...facets, receipt: ['reference', 'number', 'link', 'session'] as const }
  const rows = bench.rows(ways, ({ way, receipt }) => way === 'no session' && receipt === 'session')
  const closed = new Set<string>()
  for (const sent of await bench.accepted(rows)) {
    const { row, made, svcNumber, record, session, what } = sent
    const receipt = await receiptOf(bench, sent, row.receipt, closed)
    expect(receipt, what).toBeOk()
    const { documents, sessionReferenceNumber } = readReceipt(receipt.bytes)
    expect(sessionReferenceNumber, `the session, ${what}`).toBe(session)
    expect(
      documents.filter(({ serviceNumber }) => serviceNumber === svcNumber),
      what,
    ).toMatchObject([
      {
        sellerNip: made.seller,
        invoiceNumber: made.number,
        issueDate: made.issueDate,
        ...(record['invoicingMode'] !== undefined && { mode: record['invoicingMode'] }),
      },
    ])
  }
})

check('exports.package.content', 'each', async (scene) => {
  for (const { api, role, filters, theirs } of await foundByParties(scene)) {
    const files = await fetchFiles(api, await createExport(api, { filters }))
    for (const { svcNumber, made, what } of theirs) {
      const file = files[`${svcNumber}.xml`] ?? new Uint8Array()
      expect(Buffer.from(file).equals(made.bytes), `exported by its ${role}, ${what}`).toBe(true)
    }
  }
})
