import { createExport, downloadExport } from '../../../lib/flows/export.ts'
import { expectText } from '../../../lib/outcome.ts'
import { awkward, awkwardDocument } from '../../support/documents/awkward-documents.ts'
import { settleOwn, unpack } from '../../support/steps/export-parts.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { offered } from '../../support/service/offered.ts'
import { listInvoices, nameOf, only, packed, sendBatch } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { findAll } from '../../support/steps/searches.ts'
import {
  accept,
  acceptedOf,
  outcomeOfInvoice,
  recordOf,
  retrieve,
  settleById,
} from '../../support/steps/steps.ts'
import { describedPlainly } from '../../support/documents/stock-document.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test as base } from '../../support/harness/test.ts'

/** Documents whose bytes are easily changed, sent in every way and retrieved in every way. */

type Make = (name: string) => { readonly bytes: Uint8Array; readonly number: string }

const test = base.extend<{ make: Make }>({
  make: async ({ own, rng, target }, use) => {
    await use((name) => {
      const number = `W-${rng.digits(10)}`
      const facts = { seller: own.nip, number, issueDate: isoDay(target.now()) }
      return { bytes: awkwardDocument(name, facts), number }
    })
  },
})

const same = (given: Uint8Array, sent: Uint8Array): boolean => Buffer.from(given).equals(sent)

for (const name of awkward)
  test(
    ...familyRule('invoices.get.by-service-number', 'awkward document', name),
    async ({ open, make }) => {
      const desk = await open()
      const { api } = desk
      const got = async (svcNumber: string) => {
        const answer = await retrieve(api, 'invoices.bySvcNumber', { svcNumber })
        expect(answer).toBeOk()
        return answer.bytes
      }
      const interactive = make(name)
      const { svcNumber } = await accept(desk, interactive.bytes)
      expect(same(await got(svcNumber), interactive.bytes), 'sent in a session').toBe(true)

      for (const compressionType of ['Zip', 'TarGz'] as const) {
        const packaged = make(name)
        const batch = await packed([packaged], { compressionType })
        const { referenceNumber } = await sendBatch(api, batch)
        const row = only(await listInvoices(api, referenceNumber))
        expect(row).toHaveSucceeded('invoice')
        const returned = await got(String(row.svcNumber))
        expect(same(returned, packaged.bytes), `in a package, ${compressionType}`).toBe(true)
      }

      for (const operation of offered('invoices.send')) {
        const alone = make(name)
        const sent = await api.call(operation, { body: alone.bytes })
        const id = expectText(sent, 'send an invoice', 'referenceNumber')
        const accepted = acceptedOf(await settleById(api, id), id)
        expect(same(await got(accepted.svcNumber), alone.bytes), 'without a session').toBe(true)
      }
    },
  )

test(
  ...familyRule('invoices.content.utf8-without-bom', 'awkward document', 'accepted'),
  async ({ login, make }) => {
    const { api } = await login()
    const made = awkward.map(make)
    const { referenceNumber } = await sendBatch(api, await packed(made))
    const rows = await listInvoices(api, referenceNumber)
    for (const [place, name] of awkward.entries()) {
      const row = rows.find(({ invoiceFileName }) => invoiceFileName === nameOf(place))
      expect(row ?? { status: { code: 0 } }, name).toHaveSucceeded('invoice')
    }
  },
)

test(
  ...familyRule('invoices.get.by-invoice-number', 'awkward document', 'all'),
  async ({ open, make }) => {
    const desk = await open()
    for (const name of awkward) {
      const { bytes, number } = make(name)
      await accept(desk, bytes)
      const answer = await retrieve(desk.api, 'invoices.byNumber', { invoiceNumber: number })
      expect(answer).toBeOk()
      expect(same(answer.bytes, bytes), `${name}, byte for byte`).toBe(true)
    }
  },
)

test(
  ...familyRule('queries.metadata.described', 'awkward document', 'all'),
  async ({ open, make, target }) => {
    const desk = await open()
    const filters = issuedAround(target.now())
    for (const name of awkward) {
      const { bytes, number } = make(name)
      const { svcNumber } = await accept(desk, bytes)
      const [row] = await findAll(desk.api, { ...filters, svcNumber }, [svcNumber])
      const { seller, netAmount, vatAmount, grossAmount, currency, invoiceType, ...plain } =
        describedPlainly({
          seller: desk.me.context.nip,
          number,
          issueDate: isoDay(target.now()),
        })
      expect(row, `what a search says of a document with ${name}`).toMatchObject({
        invoiceNumber: number,
        issueDate: plain.issueDate,
        seller: { nip: seller.nip },
        buyer: { identifier: plain.buyer.identifier },
        netAmount,
        vatAmount,
        grossAmount,
        currency,
        invoiceType,
        isSelfInvoicing: false,
        hasAttachment: false,
      })
    }
  },
)

for (const [what, first] of [
  ['after a plain one', false],
  ['before a plain one', true],
] as const)
  test(
    ...familyRule('invoices.duplicate.rejected', 'awkward document', what),
    async ({ open, own, rng, target }) => {
      const desk = await open()
      for (const name of awkward) {
        const facts = {
          seller: own.nip,
          number: `W-${rng.digits(10)}`,
          issueDate: isoDay(target.now()),
        }
        const pair = [awkwardDocument('plain', facts), awkwardDocument(name, facts)]
        const [one, other] = first ? pair.toReversed() : pair
        const original = await accept(desk, one!)
        const outcome = await outcomeOfInvoice(desk, other!)
        expect(outcome, `the same invoice, ${name}`).toBeRejected('duplicate-invoice')
        expect(recordOf(outcome), `the original of ${name}`).toMatchObject({
          originalSvcNumber: original.svcNumber,
        })
      }
    },
  )

for (const compressionType of ['Zip', 'TarGz'] as const)
  test(
    ...familyRule('exports.package.content', 'awkward document', compressionType),
    async ({ open, make, target }) => {
      await withoutRates(target)
      const desk = await open()
      const { api } = desk
      const sent = new Map<string, { readonly name: string; readonly bytes: Uint8Array }>()
      for (const name of awkward) {
        const { bytes } = make(name)
        sent.set((await accept(desk, bytes)).svcNumber, { name, bytes })
      }
      const filters = issuedAround(target.now())
      await findAll(api, filters, [...sent.keys()])
      const started = await createExport(api, { filters, compressionType })
      const archive = await downloadExport(api, started, await settleOwn(api, started))
      const files = unpack(archive, compressionType)
      for (const [svcNumber, { name, bytes }] of sent)
        expect(
          same(files[`${svcNumber}.xml`] ?? new Uint8Array(), bytes),
          `${name}, byte for byte`,
        ).toBe(true)
    },
  )
