import { invoiceKinds } from '../../../generators/invoice/invoice.ts'
import { createExport } from '../../../lib/flows/export.ts'
import { callReceipt, receiptPages } from '../../../lib/flows/receipt.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { describedIn, documentsIn, fetchFiles } from '../../support/steps/export-parts.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import type { Filters } from '../../support/steps/filters.ts'
import type { CheckFixtures, Fixtures } from '../../support/harness/fixtures.ts'
import { offered } from '../../support/service/offered.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { lookFor, numbersOf, page, searchable } from '../../support/steps/searches.ts'
import type { SearchOperation } from '../../support/steps/searches.ts'
import { accept, finish } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { offeredWays } from '../../support/scenes/ways-of-sending.ts'

/** The date of issue of documents with other dates as well, in every answer that states it or selects by it. */

const day = 24 * 3_600_000

interface Dated {
  readonly what: string
  readonly bytes: Uint8Array
  readonly issueDate: string
}

/** Puts a date of delivery into a document, and lets it be paid on another day. */
const withOtherDates = (bytes: Uint8Array, delivered: string, paid: string): Uint8Array => {
  const text = new TextDecoder()
    .decode(bytes)
    .replace(/<P_6>.*?<\/P_6>|<OkresFa>.*?<\/OkresFa>|<Platnosc>.*?<\/Platnosc>/gs, '')
    .replace('</P_2>', `</P_2><P_6>${delivered}</P_6>`)
    .replace(
      '</FaWiersz></Fa>',
      `</FaWiersz><Platnosc><Zaplacono>1</Zaplacono><DataZaplaty>${paid}</DataZaplaty><FormaPlatnosci>6</FormaPlatnosci></Platnosc></Fa>`,
    )
  return new TextEncoder().encode(text)
}

/** An invoice of each kind, each issued on another day, before it was created; the last with still more dates. */
const documentsOf = ({ invoice, target }: Pick<Fixtures, 'invoice' | 'target'>): Dated[] => {
  const now = target.now()
  const of = (place: number) => ({
    issueDate: isoDay(now - (12 + place) * day),
    created: new Date(now - day).toISOString().replace(/\.\d+/, ''),
  })
  const kinds = invoiceKinds.map((kind, place) => ({
    what: kind,
    ...of(place),
    bytes: invoice({ kind, ...of(place) }).bytes,
  }))
  const dates = of(kinds.length)
  const made = invoice({ kind: 'VAT', profile: 'services', ...dates })
  const bytes = withOtherDates(made.bytes, isoDay(now - 30 * day), isoDay(now - 2 * day))
  return [
    ...kinds,
    { what: 'with dates of delivery and payment', issueDate: dates.issueDate, bytes },
  ]
}

interface Sent extends Dated {
  readonly referenceNumber: string
  readonly svcNumber: string
}

const onDay = (date: string): Filters => ({
  subjectType: 'subject1',
  dateRange: { dateType: 'issue', from: `${date}T00:00:00`, to: `${date}T23:59:59` },
})

/** Has every document accepted in one session. */
const sendAll = async (
  fixtures: Pick<CheckFixtures, 'open' | 'invoice'> & Pick<Fixtures, 'target'>,
) => {
  const desk = await fixtures.open()
  const all: Sent[] = []
  for (const made of documentsOf(fixtures)) {
    const { referenceNumber, svcNumber } = await accept(desk, made.bytes)
    all.push({ ...made, referenceNumber, svcNumber })
  }
  // By the date of storage, which no date of a document changes.
  const stored = issuedAround(fixtures.target.now(), 'subject1', 'permanentStorage')
  await searchable(
    desk.api,
    stored,
    all.map(({ svcNumber }) => svcNumber),
  )
  return { desk, all }
}

test(
  ...familyRule('invoices.content.issue-date', 'date of issue', 'searches'),
  async ({ open, invoice, target }) => {
    const { desk, all } = await sendAll({ open, invoice, target })
    for (const { what, issueDate, svcNumber } of all) {
      for (const operation of offered('queries.metadata', 'queries.general') as SearchOperation[]) {
        const { invoices } = await page(desk.api, onDay(issueDate), {}, operation)
        expect(numbersOf([{ invoices }]), `${what}, by ${operation}`).toEqual([svcNumber])
        expect(invoices[0]?.issueDate, `${what}, in ${operation}`).toBe(issueDate)
      }
    }
  },
)

test(
  ...familyRule('invoices.content.issue-date', 'date of issue', 'receipts'),
  async ({ open, invoice, target }) => {
    const { desk, all } = await sendAll({ open, invoice, target })
    const sessionReferenceNumber = desk.session.referenceNumber
    const [aggregate] = receiptPages(await finish(desk))
    const upoReferenceNumber = aggregate?.referenceNumber ?? ''
    const stated = async (which: Parameters<typeof callReceipt>[1]) => {
      const receipt = await callReceipt(desk.api, which)
      expect(receipt).toBeOk()
      return readReceipt(receipt.bytes).documents
    }
    const together = await stated({ sessionReferenceNumber, upoReferenceNumber })
    for (const { what, issueDate, referenceNumber, svcNumber } of all) {
      const alone = await stated({
        sessionReferenceNumber,
        invoiceReferenceNumber: referenceNumber,
      })
      for (const documents of [alone, together]) {
        const document = documents.find(({ serviceNumber }) => serviceNumber === svcNumber)
        expect(document?.issueDate, `${what}, of ${documents.length} on the receipt`).toBe(
          issueDate,
        )
      }
    }
  },
)

test(
  ...familyRule('invoices.content.issue-date', 'date of issue', 'exports'),
  async ({ open, invoice, target }) => {
    const { desk, all } = await sendAll({ open, invoice, target })
    const { api } = desk
    const [first] = all
    const last = all.at(-1)
    const range = { from: `${last?.issueDate}T00:00:00`, to: `${first?.issueDate}T23:59:59` }
    const filters: Filters = { subjectType: 'subject1', dateRange: { dateType: 'issue', ...range } }
    const files = await fetchFiles(api, await createExport(api, { filters }))
    const invoices = describedIn(api, files)
    for (const { what, issueDate, svcNumber } of all) {
      expect(Object.keys(files), `${what}, exported`).toContain(`${svcNumber}.xml`)
      const row = invoices.find((one) => one.svcNumber === svcNumber)
      expect(row?.issueDate, `${what}, in the metadata of an export`).toBe(issueDate)
    }
    for (const { what, issueDate, svcNumber } of all.slice(-2)) {
      const alone = await fetchFiles(api, await createExport(api, { filters: onDay(issueDate) }))
      expect(documentsIn(alone), `${what}, exported by its day`).toEqual([svcNumber])
    }
  },
)

test(
  ...familyRule('invoices.content.issue-date', 'date of issue', 'sent by each way'),
  async ({ login, invoice, target }) => {
    const me = await login()
    const ahead = isoDay(target.now() + 3 * day)
    for (const [name, way] of offeredWays()) {
      const early = await way.outcome(me, invoice({ issueDate: ahead }).bytes)
      expect(early, `issued in three days, ${name}`).toBeRejected('invoice-invalid')
      for (const made of documentsOf({ invoice, target }).slice(1, 4)) {
        const { issueDate, bytes } = made
        const what = `${made.what}, ${name}`
        const { svcNumber, session, referenceNumber } = await way.send(me, bytes)
        const { invoices } = await lookFor(me.api, { ...onDay(issueDate), svcNumber }, [svcNumber])
        expect(
          invoices.map((row) => row.issueDate),
          `${what}, found`,
        ).toEqual([issueDate])
        const receipt = await callReceipt(me.api, {
          sessionReferenceNumber: session,
          invoiceReferenceNumber: referenceNumber,
        })
        expect(receipt).toBeOk()
        const [document] = readReceipt(receipt.bytes).documents
        expect(document?.issueDate, `${what}, on the receipt`).toBe(issueDate)
      }
    }
  },
)
