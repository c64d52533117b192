import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { callReceipt } from '../../lib/flows/receipt.ts'
import { readReceipt } from '../../lib/node/receipt.ts'
import { factsOf, moved, readDocuments } from '../support/documents.ts'
import { familyRule } from '../support/rule.ts'
import { accept, fateOfInvoice } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** The published examples, where this checkout has them beside it. */
const directory = ['../../../shared/public/samples/fa3', '../../../../shared/public/samples/fa3']
  .map((place) => fileURLToPath(new URL(place, import.meta.url)))
  .find((place) => existsSync(place))

const samples = directory === undefined ? [] : readDocuments(directory)
const sendable = samples.filter(({ bytes }) => !factsOf(bytes).attachment)

if (sendable.length === 0)
  test(...familyRule('invoices.submit.accepted', 'published sample'), async ({ api }) => {
    test.skip(true, 'the published examples are not beside this checkout')
    expect(await api.call('auth.challenge')).toBeOk()
  })

for (const { name, bytes } of sendable) {
  const sample = path.basename(name, '.xml')

  test(
    ...familyRule('invoices.submit.accepted', 'published sample', sample),
    async ({ open, invoice }) => {
      const { number, seller, issueDate } = invoice()
      const document = moved(bytes, { number, seller, issueDate })
      expect(await fateOfInvoice(await open(), document)).toHaveSucceeded('invoice')
    },
  )

  test(
    ...familyRule('invoices.get.by-service-number', 'published sample', sample),
    async ({ open, invoice }) => {
      const desk = await open()
      const { number, seller, issueDate } = invoice()
      const document = moved(bytes, { number, seller, issueDate })
      const { svcNumber } = await accept(desk, document)
      const answer = await desk.api.call('invoices.bySvcNumber', { path: { svcNumber } })
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
