import path from 'node:path'
import { callReceipt } from '../../../lib/flows/receipt.ts'
import { publishedPath } from '../../../lib/node/published.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import { factsOf, moved, readDocuments } from '../../support/documents/documents.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { accept, outcomeOfInvoice, retrieve } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** The published samples, each sent once, where this machine has them (docs/guides/public-data.md). */
const folder = publishedPath('samples/fa3')
const samples = folder === undefined ? [] : readDocuments(folder)
const sendable = samples.filter(({ bytes }) => !factsOf(bytes).attachment)

for (const { name, bytes } of sendable) {
  const sample = path.basename(name, '.xml')

  test(
    ...familyRule('invoices.submit.accepted', 'published sample', sample),
    async ({ open, invoice }) => {
      const { number, seller, issueDate } = invoice()
      const document = moved(bytes, { number, seller, issueDate })
      expect(await outcomeOfInvoice(await open(), document)).toHaveSucceeded('invoice')
    },
  )

  test(
    ...familyRule('invoices.get.by-service-number', 'published sample', sample),
    async ({ open, invoice }) => {
      const desk = await open()
      const { number, seller, issueDate } = invoice()
      const document = moved(bytes, { number, seller, issueDate })
      const { svcNumber } = await accept(desk, document)
      const answer = await retrieve(desk.api, 'invoices.bySvcNumber', { svcNumber })
      expect(answer).toBeOk()
      expect(Buffer.from(answer.bytes).equals(document), 'the invoice byte for byte').toBe(true)
      const receipt = await callReceipt(desk.api, {
        sessionReferenceNumber: desk.session.referenceNumber,
        svcNumber,
      })
      expect(receipt).toBeOk()
      expect(readReceipt(receipt.bytes).documents, 'the invoice on its receipt').toMatchObject([
        { serviceNumber: svcNumber, invoiceNumber: number, issueDate, sellerNip: seller },
      ])
    },
  )
}
