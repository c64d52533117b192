import { createExport } from '../../../lib/flows/export.ts'
import { sha256 } from '../../../lib/crypto.ts'
import { callReceipt, callReceiptLink, receiptPages } from '../../../lib/flows/receipt.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { expectObject, expectText } from '../../../lib/outcome.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import { describedIn, fetchFiles } from '../../support/steps/export-parts.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { formCodes } from '../../support/checks/forms.ts'
import type { CheckFixtures } from '../../support/harness/fixtures.ts'
import type { MadeInvoice } from '../../support/documents/invoice-source.ts'
import { listInvoices, packed, sendBatch } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { searchable } from '../../support/steps/searches.ts'
import { sendTogether } from '../../support/scenes/sent-together.ts'
import { sentKinds } from '../../support/scenes/sent-invoices.ts'
import type { SentKind } from '../../support/scenes/sent-invoices.ts'
import { countsOf } from '../../support/answers/session-counts.ts'
import { outcomeOfInvoice } from '../../support/steps/steps.ts'
import type { Desk } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Two invoices of one session that share their number and differ in their kind: each of them is listed. */

const family = 'number twice in a session'

const makeBoth = (invoice: CheckFixtures['invoice']): readonly MadeInvoice[] => {
  const first = invoice({ kind: 'VAT' })
  return [first, invoice({ kind: 'UPR', number: first.number })]
}

const hashOf = async ({ bytes }: MadeInvoice): Promise<string> =>
  Buffer.from(await sha256(bytes)).toString('base64')

/** Sends both and returns their session, whatever it lists of them. */
const sendBoth = async (
  { api }: Pick<Desk, 'api'>,
  kind: SentKind,
  made: readonly MadeInvoice[],
): Promise<string> => {
  if (kind === 'batch') return (await sendBatch(api, await packed(made))).referenceNumber
  const session = await openOnline(api, { formCode: formCodes.fa3 })
  for (const { bytes } of made)
    expect(await outcomeOfInvoice({ api, session }, bytes)).toHaveSucceeded('invoice')
  return session.referenceNumber
}

for (const kind of sentKinds) {
  test(...familyRule('sessions.invoices.complete', family, kind), async ({ login, invoice }) => {
    const me = await login()
    const made = makeBoth(invoice)
    const rows = await listInvoices(me.api, await sendBoth(me, kind, made))
    for (const row of rows) expect(row).toHaveSucceeded('invoice')
    const listed = rows.map((row) => `${row.invoiceNumber} ${String(row['invoiceHash'])}`)
    const sent = await Promise.all(made.map(async (one) => `${one.number} ${await hashOf(one)}`))
    expect(listed.toSorted(), 'numbers and hashes in the list').toEqual(sent.toSorted())
    const numbers = new Set(rows.map(({ svcNumber }) => svcNumber))
    expect(numbers.size, 'service numbers, each its own').toBe(made.length)
  })

  test(...familyRule('sessions.status.counts', family, kind), async ({ login, invoice }) => {
    const me = await login()
    const session = await sendBoth(me, kind, makeBoth(invoice))
    const counts = await countsOf(me.api, session, kind === 'batch' ? 'Batch' : 'Online')
    expect(counts, 'all, accepted, rejected').toEqual({ status: [2, 2, 0], list: [2, 2, 0] })
  })

  test(...familyRule('receipts.session.verifies', family, kind), async ({ login, invoice }) => {
    const me = await login()
    const { session, all, end } = await sendTogether(me, kind, makeBoth(invoice))
    const [page] = receiptPages(await end())
    const receipt = await callReceipt(me.api, {
      sessionReferenceNumber: session,
      upoReferenceNumber: page?.referenceNumber ?? '',
    })
    expect(receipt).toBeOk()
    const shown = readReceipt(receipt.bytes).documents.map((one) =>
      [one.serviceNumber, one.invoiceNumber, one.invoiceHash].join(' '),
    )
    const sent = await Promise.all(
      all.map(async ({ svcNumber, made }) =>
        [svcNumber, made.number, await hashOf(made)].join(' '),
      ),
    )
    expect(shown.toSorted(), 'service number, number and hash on the receipt').toEqual(
      sent.toSorted(),
    )
  })

  test(
    ...familyRule('receipts.invoice.carries-number', family, kind),
    async ({ login, invoice }) => {
      const { api } = await login()
      const { session, all } = await sendTogether({ api }, kind, makeBoth(invoice))
      const sessionReferenceNumber = session
      for (const { made, referenceNumber, svcNumber, receiptUrl } of all)
        for (const receipt of [
          await callReceipt(api, {
            sessionReferenceNumber,
            invoiceReferenceNumber: referenceNumber,
          }),
          await callReceipt(api, { sessionReferenceNumber, svcNumber }),
          ...(receiptUrl === undefined ? [] : [await callReceiptLink(api, receiptUrl)]),
        ]) {
          expect(receipt).toBeOk()
          expect(readReceipt(receipt.bytes).documents, 'the invoice on the receipt').toMatchObject([
            {
              serviceNumber: svcNumber,
              invoiceNumber: made.number,
              invoiceHash: await hashOf(made),
            },
          ])
        }
    },
  )
}

test(
  ...familyRule('exports.package.content', family, 'described in a package'),
  async ({ login, invoice, target }) => {
    const me = await login()
    const { all } = await sendTogether(me, 'interactive', makeBoth(invoice))
    const numbers = all.map(({ svcNumber }) => svcNumber).toSorted()
    const filters = issuedAround(target.now())
    await searchable(me.api, filters, numbers)
    for (const onlyMetadata of [false, true]) {
      const started = await createExport(me.api, { filters, onlyMetadata })
      const rows = describedIn(me.api, await fetchFiles(me.api, started))
      expect(
        rows.map(({ svcNumber }) => svcNumber).toSorted(),
        `described, onlyMetadata ${onlyMetadata}`,
      ).toEqual(numbers)
    }
  },
)

test(
  ...familyRule('invoices.collective.listed', family, 'under one identifier'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const { all } = await sendTogether({ api }, 'interactive', makeBoth(invoice))
    const invoices = all.map(({ svcNumber }) => ({ svcNumber }))
    const step = 'create a collective identifier'
    const created = await api.call('invoices.createCollective', { body: { invoices } })
    const collectiveIdentifierNumber = expectText(created, step, 'collectiveIdentifierNumber')
    const path = { collectiveIdentifierNumber }
    const query = { pageSize: 10 }
    const listed = await api.call('invoices.ofCollective', { path, query })
    const { invoices: rows } = expectObject(listed, 'list the invoices of the identifier')
    expect(
      (rows as readonly { svcNumber: string }[]).map(({ svcNumber }) => svcNumber).toSorted(),
      'invoices of the identifier',
    ).toEqual(all.map(({ svcNumber }) => svcNumber).toSorted())
  },
)
