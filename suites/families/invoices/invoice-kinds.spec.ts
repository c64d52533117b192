import { createExport } from '../../../lib/flows/export.ts'
import { invoiceKinds } from '../../../generators/invoice/invoice.ts'
import { documentsIn, fetchFiles } from '../../support/steps/export-parts.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import type { Filters } from '../../support/steps/filters.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { offered } from '../../support/service/offered.ts'
import {
  allowAttachments,
  listInvoices,
  packed,
  sendAlone,
  sendBatch,
} from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { findAll, numbersOf, page } from '../../support/steps/searches.ts'
import type { SearchOperation } from '../../support/steps/searches.ts'
import { withoutRates } from '../../support/service/target.ts'
import { invoiceTypeOf } from '../../support/documents/stock-document.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Invoices of each kind, and with attachments: what searches report of them, and which they find. */

/** Sends an invoice of each kind in one package. */
const sendKinds = async ({ login, invoice, target }: Fixtures) => {
  await withoutRates(target)
  const { api } = await login()
  const sent = invoiceKinds.map((kind) => ({ ...invoice({ kind }), type: invoiceTypeOf(kind) }))
  const { referenceNumber } = await sendBatch(api, await packed(sent))
  const rows = await listInvoices(api, referenceNumber)
  const all = sent.map(({ number, type }) => ({
    type,
    svcNumber: String(rows.find(({ invoiceNumber }) => invoiceNumber === number)?.svcNumber),
  }))
  const filters = issuedAround(target.now())
  const numbers = all.map(({ svcNumber }) => svcNumber)
  return { api, all, filters, found: await findAll(api, filters, numbers) }
}

test(
  ...familyRule('queries.metadata.described', 'kinds of invoices', 'type'),
  async ({ login, invoice, target }) => {
    const { all, found } = await sendKinds({ login, invoice, target } as Fixtures)
    for (const { svcNumber, type } of all) {
      const row = found.find((one) => one.svcNumber === svcNumber)
      expect(row?.['invoiceType'], `the type of ${svcNumber}`).toBe(type)
    }
  },
)

test(
  ...familyRule('queries.metadata.filters', 'kinds of invoices', 'one type and two'),
  async ({ login, invoice, target }) => {
    const { api, all, filters } = await sendKinds({ login, invoice, target } as Fixtures)
    for (const operation of offered('queries.metadata', 'queries.general') as SearchOperation[])
      for (const [place, { type }] of all.entries())
        for (const other of all.slice(place)) {
          const invoiceTypes = [...new Set([type, other.type])]
          const expected = all.filter((one) => invoiceTypes.includes(one.type))
          const result = numbersOf([await page(api, { ...filters, invoiceTypes }, {}, operation)])
          expect(result.toSorted(), `${operation}, ${invoiceTypes.join(' or ')}`).toEqual(
            expected.map(({ svcNumber }) => svcNumber).toSorted(),
          )
        }
  },
)

/** Sends an invoice with an attachment and one without. */
const sendAttached = async ({ login, invoice, target }: Fixtures) => {
  const { api, context } = await login()
  await allowAttachments(api, context.nip)
  const documents = [invoice({ attachment: true }), invoice()]
  const { referenceNumber } = await sendBatch(api, await packed(documents))
  const rows = await listInvoices(api, referenceNumber)
  const sent = documents.map(({ number }, place) => ({
    svcNumber: String(rows.find(({ invoiceNumber }) => invoiceNumber === number)?.svcNumber),
    hasAttachment: place === 0,
  }))
  const filters: Filters = issuedAround(target.now())
  const numbers = sent.map(({ svcNumber }) => svcNumber)
  await findAll(api, filters, numbers)
  return { api, sent, filters }
}

test(
  ...familyRule('queries.metadata.described', 'invoices with attachments', 'with and without'),
  async ({ login, invoice, target }) => {
    const { api, sent, filters } = await sendAttached({ login, invoice, target } as Fixtures)
    for (const operation of offered('queries.metadata', 'queries.general') as SearchOperation[]) {
      const { invoices } = await page(api, filters, {}, operation)
      for (const { svcNumber, hasAttachment } of sent) {
        const row = invoices.find((one) => one.svcNumber === svcNumber)
        expect(row?.['hasAttachment'], `hasAttachment of ${svcNumber}`).toBe(hasAttachment)
      }
    }
  },
)

test(
  ...familyRule('exports.package.content', 'invoices with attachments', 'with and without'),
  async ({ login, invoice, target }) => {
    const { api, sent, filters } = await sendAttached({ login, invoice, target } as Fixtures)
    for (const { svcNumber, hasAttachment } of sent) {
      const started = await createExport(api, { filters: { ...filters, hasAttachment } })
      const files = await fetchFiles(api, started)
      expect(documentsIn(files), `exported by hasAttachment ${hasAttachment}`).toEqual([svcNumber])
    }
  },
)

test(
  ...familyRule('queries.metadata.filters', 'invoices with attachments', 'with and without'),
  async ({ login, invoice, target }) => {
    const { api, sent, filters } = await sendAttached({ login, invoice, target } as Fixtures)
    for (const { svcNumber: number, hasAttachment } of sent)
      for (const operation of offered('queries.metadata', 'queries.general') as SearchOperation[])
        expect(
          numbersOf([await page(api, { ...filters, hasAttachment }, {}, operation)]),
          `found by hasAttachment ${hasAttachment}`,
        ).toEqual([number])
  },
)

test(
  ...familyRule(
    'invoices.size.with-attachments',
    'invoices with attachments',
    'consent of another seller',
  ),
  async ({ login, another, invoice }) => {
    const { api } = await login()
    await allowAttachments(api, (await another()).nip)
    expect(await sendAlone(api, invoice({ attachment: true }).bytes)).toBeRejected(
      'seller-not-allowed',
    )
  },
)
