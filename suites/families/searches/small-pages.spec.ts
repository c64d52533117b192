import { callPart, createExport, exportParts, settleExport } from '../../../lib/flows/export.ts'
import { callReceipt, callReceiptLink, receiptPages } from '../../../lib/flows/receipt.ts'
import type { Settled } from '../../../lib/flows/settle.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import type { Receipt } from '../../../lib/node/receipt.ts'
import { isoDay } from '../../../lib/local-time.ts'
import type { Client } from '../../../lib/client.ts'
import { describedPackage, expectParts, unpack } from '../../support/steps/export-parts.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { instantKind, issuedAround } from '../../support/steps/filters.ts'
import type { DateType, Filters } from '../../support/steps/filters.ts'
import type { Sizes } from '../../support/service/management.ts'
import { notApplicable } from '../../support/run/not-offered.ts'
import { listInvoices, packed, sendBatch } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { findAll, page } from '../../support/steps/searches.ts'
import type { Found, SearchOperation } from '../../support/steps/searches.ts'
import { accept, finish, outcomeOfInvoice } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Receipts, exports and searches with several pages, parts or ranges, made so small that a few invoices fill them. */

const day = 24 * 3600 * 1000

type Given = Pick<Fixtures, 'open' | 'login' | 'invoice' | 'target' | 'clock'>

const shrink = async ({ target }: Given, sizes: Sizes): Promise<void> =>
  target.management?.setSizes(sizes)

interface Closed {
  readonly api: Client
  readonly session: string
  readonly settled: Settled
  /** Service numbers. */
  readonly accepted: readonly string[]
}

/** A closed session with five accepted invoices and a rejected one among them. */
const sendFive = {
  async interactive({ open, invoice }: Given): Promise<Closed> {
    const desk = await open()
    const accepted: string[] = []
    for (let sent = 0; sent < 5; sent += 1) {
      if (sent === 2) await outcomeOfInvoice(desk, spoilt)
      accepted.push((await accept(desk, invoice().bytes)).svcNumber)
    }
    const { api, session } = desk
    return { api, session: session.referenceNumber, settled: await finish(desk), accepted }
  },
  async batch({ login, invoice }: Given): Promise<Closed> {
    const { api } = await login()
    const made = Array.from({ length: 5 }, () => invoice()).toSpliced(2, 0, {
      ...invoice(),
      bytes: spoilt,
    })
    const { referenceNumber: session, settled } = await sendBatch(api, await packed(made))
    const accepted = (await listInvoices(api, session)).flatMap(({ svcNumber }) => svcNumber ?? [])
    return { api, session, settled, accepted }
  },
}

for (const kind of ['interactive', 'batch'] as const)
  test(
    ...familyRule('receipts.session.verifies', 'small pages', `receipt, ${kind}`),
    async ({ open, login, invoice, target, clock }) => {
      const fixtures: Given = { open, login, invoice, target, clock }
      await shrink(fixtures, { 'receipt.documentsPerPage': 2 })
      const { api, session, settled, accepted } = await sendFive[kind](fixtures)
      const pages = receiptPages(settled)
      expect(pages.length, 'pages of five invoices, two on each').toBe(3)
      const read: Receipt[] = []
      for (const { referenceNumber, downloadUrl = '' } of pages) {
        const asked = { sessionReferenceNumber: session, upoReferenceNumber: referenceNumber }
        const fetched = await callReceipt(api, asked)
        expect(fetched, 'a page by its reference').toBeOk()
        const linked = await callReceiptLink(api, downloadUrl)
        expect(linked, 'a page by its link').toBeOk()
        expect(linked.text, 'by its link, as by its reference').toBe(fetched.text)
        const receipt = readReceipt(fetched.bytes)
        expect(receipt.signatureProblems, 'faults of the signature').toEqual([])
        expect(receipt.schemaProblems, 'schema violations').toEqual([])
        read.push(receipt)
      }
      expect(
        read
          .map((one) => ({ ...one.page, holds: one.documents.length }))
          .toSorted((one, other) => Number(one.number) - Number(other.number)),
        'what each page says of itself, and holds',
      ).toEqual([
        { number: 1, of: 3, first: 1, last: 2, documents: 5, holds: 2 },
        { number: 2, of: 3, first: 3, last: 4, documents: 5, holds: 2 },
        { number: 3, of: 3, first: 5, last: 5, documents: 5, holds: 1 },
      ])
      expect(
        read.flatMap(({ documents }) => documents.map((one) => one.serviceNumber)).toSorted(),
        'each accepted invoice once, over all pages',
      ).toEqual(accepted.toSorted())
    },
  )

/** Has one invoice accepted for each day, the earliest last, and waits until they are found. */
const stock = async ({ open, invoice, clock }: Given, days: number) => {
  const desk = await open()
  const sent = new Map<string, Uint8Array>()
  for (let ago = 0; ago < days; ago += 1) {
    const { bytes } = invoice({ issueDate: isoDay(clock.now() - ago * day) })
    sent.set((await accept(desk, bytes)).svcNumber, bytes)
  }
  const filters = (dateType: DateType) => issuedAround(clock.now(), 'subject1', dateType)
  await findAll(desk.api, filters('issue'), [...sent.keys()])
  return { api: desk.api, sent, filters }
}

for (const compressionType of ['Zip', 'TarGz'] as const)
  test(
    ...familyRule('exports.package.content', 'small pages', `parts, ${compressionType}`),
    async ({ open, login, invoice, target, clock }) => {
      const fixtures: Given = { open, login, invoice, target, clock }
      const { api, sent, filters } = await stock(fixtures, 3)
      await shrink(fixtures, { 'exports.partBytes': 700 })
      const started = await createExport(api, { filters: filters('issue'), compressionType })
      const settled = await settleExport(api, started)
      const archive = await expectParts(api, started, settled)
      const { parts, invoiceCount, isTruncated } = describedPackage(settled)
      expect(parts.length, 'parts of 700 bytes').toBe(Math.ceil(archive.length / 700))
      expect({ invoiceCount, isTruncated }, 'the package').toEqual({
        invoiceCount: 3,
        isTruncated: false,
      })
      const files = unpack(archive, compressionType)
      for (const [number, bytes] of sent)
        expect(Buffer.from(files[`${number}.xml`] ?? []).equals(bytes), `${number}.xml`).toBe(true)
    },
  )

test(
  ...familyRule('exports.expiry', 'small pages', 'each part'),
  async ({ open, login, invoice, target, clock }) => {
    const fixtures: Given = { open, login, invoice, target, clock }
    const { api, filters } = await stock(fixtures, 2)
    await shrink(fixtures, { 'exports.partBytes': 700 })
    const started = await createExport(api, { filters: filters('issue') })
    const settled = await settleExport(api, started)
    const end = Date.parse(String(settled.body['packageExpirationDate']))
    await clock.advance(end - clock.now() - 60_000)
    const later = (await login()).api
    const parts = exportParts(await settleExport(later, started))
    expect(parts.length, 'parts of 700 bytes').toBeGreaterThan(1)
    for (const part of parts) expect(await callPart(later, part), 'a part before the end').toBeOk()
    await clock.advance(61_000)
    for (const part of parts) expect(await callPart(later, part)).toBeRefused('link-expired')
  },
)

/** The field in which a truncated package says where it ends, and the field of a record that it repeats. */
const ends = {
  issue: ['lastIssueDate', 'issueDate'],
  acquisition: ['lastAcquisitionDate', 'acquisitionDate'],
  invoicing: ['lastInvoicingDate', 'invoicingDate'],
  permanentStorage: ['lastPermanentStorageDate', 'permanentStorageDate'],
} as const

const valueOf = (date: unknown): number => Date.parse(String(date))

for (const [dateType, [lastField, field]] of Object.entries(ends) as [
  keyof typeof ends,
  (typeof ends)[keyof typeof ends],
][])
  test(
    ...familyRule('exports.package.content', 'small pages', `truncated by ${dateType}`),
    async ({ open, login, invoice, target, clock }) => {
      const fixtures: Given = { open, login, invoice, target, clock }
      if (dateType === 'acquisition' && instantKind(target.dialect) !== dateType)
        throw notApplicable('the dialect has no such date')
      const { api, sent, filters } = await stock(fixtures, 4)
      const asked = filters(dateType)
      const all = (await findAll(api, asked, [...sent.keys()])).toSorted(
        (a, b) => valueOf(a[field]) - valueOf(b[field]),
      )
      await shrink(fixtures, { 'exports.invoices': 2 })
      for (const onlyMetadata of [false, true]) {
        const started = await createExport(api, { filters: asked, onlyMetadata })
        const settled = await settleExport(api, started)
        const { invoiceCount, isTruncated, ...described } = describedPackage(settled)
        expect({ invoiceCount, isTruncated }, 'two of four invoices').toEqual({
          invoiceCount: 2,
          isTruncated: true,
        })
        expect(valueOf(described[lastField]), `${lastField}, of the last one in it`).toBe(
          valueOf(all[1]?.[field]),
        )
        for (const [other] of Object.values(ends).filter(([name]) => name !== lastField))
          expect(described[other] ?? undefined, `${other}, of another date`).toBeUndefined()
        const files = unpack(await expectParts(api, started, settled))
        expect(
          Object.keys(files).filter((name) => name.endsWith('.xml')).length,
          `documents, onlyMetadata ${onlyMetadata}`,
        ).toBe(onlyMetadata ? 0 : 2)
      }
    },
  )

/** The pages of a search, up to the last one within the range. */
const pagesOf = async (
  api: Client,
  filters: Filters,
  sortOrder: 'Asc' | 'Desc',
  operation: SearchOperation,
) => {
  const seen = []
  for (let pageOffset = 0; pageOffset < 3; pageOffset += 1) {
    const one = await page(api, filters, { pageOffset, pageSize: 10, sortOrder }, operation)
    seen.push(one)
    if (!one.hasMore || one.isTruncated === true) break
  }
  return seen
}

const order = (found: readonly Found[], sortOrder: 'Asc' | 'Desc'): string[] => {
  const ascending = found.toSorted((a, b) => (a.issueDate < b.issueDate ? -1 : 1))
  return (sortOrder === 'Asc' ? ascending : ascending.toReversed()).map((one) => one.svcNumber)
}

// The general search has no order to choose.
for (const [rule, operation, orders] of [
  ['queries.metadata.paging', 'queries.metadata', ['Asc', 'Desc']],
  ['queries.general.date-range', 'queries.general', ['Asc']],
] as const)
  test(
    ...familyRule(rule, 'small pages', 'truncated search'),
    async ({ open, login, invoice, target, clock }) => {
      const fixtures: Given = { open, login, invoice, target, clock }
      const { api, sent, filters } = await stock(fixtures, 14)
      const asked = filters('issue')
      const all = await findAll(api, asked, [...sent.keys()])
      await shrink(fixtures, { 'query.records': 12 })
      for (const sortOrder of orders) {
        const pages = await pagesOf(api, asked, sortOrder, operation)
        expect(
          pages.map(({ hasMore, isTruncated }) => [hasMore, isTruncated]),
          `hasMore and isTruncated of each page, ${sortOrder}`,
        ).toEqual([
          [true, false],
          [true, true],
        ])
        expect(
          pages.flatMap(({ invoices }) => invoices.map(({ svcNumber }) => svcNumber)),
          `the first twelve, ${sortOrder}`,
        ).toEqual(order(all, sortOrder).slice(0, 12))
      }
      await shrink(fixtures, { 'query.records': 14 })
      const pages = await pagesOf(api, asked, 'Asc', operation)
      expect(
        pages.map(({ hasMore, isTruncated }) => [hasMore, isTruncated]),
        'hasMore and isTruncated of each page, where all fit',
      ).toEqual([
        [true, false],
        [false, false],
      ])
    },
  )
