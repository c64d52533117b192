import { callReceipt } from '../../../lib/flows/receipt.ts'
import { packBatch } from '../../../lib/node/archive.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import type { Me } from '../../support/service/contexts.ts'
import type { MadeInvoice } from '../../support/documents/invoice-source.ts'
import { listInvoices, rowOfDocument, sendBatch } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { retrieve } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Documents of a package whose names are alike: each is kept under its own number, whatever its name and folder. */

/** Names in one package that a service may take for the same. */
const names: Readonly<Record<string, readonly string[]>> = {
  'in several folders': ['a/1.xml', 'b/1.xml', 'b/c/1.xml', '1.xml'],
  'in other letter case': ['a/invoice.xml', 'a/Invoice.XML', 'A/invoice.xml'],
  'with another ending': ['1.xml', '1', '1.XML.xml'],
  'with a longer name': ['invoice.xml', 'invoice.xml.xml', 'invoice-1.xml', 'invoice-10.xml'],
}

interface Kept {
  readonly name: string
  readonly made: MadeInvoice
  readonly referenceNumber: string
  readonly svcNumber: string
  readonly session: string
}

/** Sends documents under names that are alike, all names in one package of a form. */
const sendAlike = async (
  { api }: Me,
  invoice: () => MadeInvoice,
  compressionType: 'Zip' | 'TarGz',
): Promise<Kept[]> => {
  const all: Kept[] = []
  for (const alike of Object.values(names)) {
    const made = alike.map((name) => ({ name, made: invoice() }))
    const files = Object.fromEntries(made.map(({ name, made: { bytes } }) => [name, bytes]))
    const batch = await packBatch(files, { compressionType })
    const { settled, referenceNumber: session } = await sendBatch(api, batch)
    expect(settled, alike.join(', ')).toHaveSucceeded('batchSession')
    const rows = await listInvoices(api, session)
    for (const one of made) {
      const row = await rowOfDocument(api, rows, one.made.bytes)
      expect(row, one.name).toHaveSucceeded('invoice')
      const { referenceNumber, svcNumber = '' } = row
      all.push({ ...one, referenceNumber, svcNumber, session })
    }
  }
  return all
}

test(
  ...familyRule('invoices.get.by-service-number', 'place in a package', 'Zip and TarGz'),
  async ({ login, invoice }) => {
    const me = await login()
    for (const compressionType of ['Zip', 'TarGz'] as const)
      for (const { name, made, svcNumber } of await sendAlike(me, invoice, compressionType)) {
        const answer = await retrieve(me.api, 'invoices.bySvcNumber', { svcNumber })
        expect(answer).toBeOk()
        expect(Buffer.from(answer.bytes).equals(made.bytes), `sent as ${name}`).toBe(true)
      }
  },
)

test(
  ...familyRule('receipts.invoice.carries-number', 'place in a package', 'each by its reference'),
  async ({ login, invoice }) => {
    const me = await login()
    for (const { name, made, ...kept } of await sendAlike(me, invoice, 'Zip')) {
      const { session: sessionReferenceNumber, referenceNumber, svcNumber } = kept
      const receipt = await callReceipt(me.api, {
        sessionReferenceNumber,
        invoiceReferenceNumber: referenceNumber,
      })
      expect(receipt).toBeOk()
      expect(readReceipt(receipt.bytes).documents, `the receipt of ${name}`).toMatchObject([
        { invoiceNumber: made.number, serviceNumber: svcNumber },
      ])
    }
  },
)
