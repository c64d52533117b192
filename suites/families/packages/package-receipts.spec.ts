import { callReceipt, receiptPages } from '../../../lib/flows/receipt.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { listInvoices, packed, rowOfDocument, sendBatch } from '../../support/steps/packages.ts'
import { expectReceipt } from '../../support/steps/receipts.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { accept } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** The receipts of a package: they state of each invoice what those of an interactive session do. */

test(
  ...familyRule('receipts.session.verifies', 'receipt of a package'),
  async ({ login, invoice, target }) => {
    const me = await login()
    const issueDate = isoDay(target.now() - 3 * 24 * 3_600_000)
    const made = [invoice(), invoice({ kind: 'KOR', issueDate }), invoice()]
    const { referenceNumber, settled } = await sendBatch(me.api, await packed(made))
    const desk = { session: { referenceNumber } }
    const rows = await listInvoices(me.api, referenceNumber)
    const proofs: unknown[] = []
    for (const one of made) {
      const row = await rowOfDocument(me.api, rows, one.bytes)
      const accepted = { svcNumber: String(row.svcNumber), body: row }
      const which = { invoiceReferenceNumber: row.referenceNumber }
      const sessionReferenceNumber = referenceNumber
      const receipt = await callReceipt(me.api, { sessionReferenceNumber, ...which })
      await expectReceipt(receipt, desk, one, accepted)
      const { context, formCode, loginProof } = readReceipt(receipt.bytes)
      expect({ context, formCode }, 'context and form on the receipt').toEqual({
        context: { kind: 'Nip', value: me.context.nip },
        formCode: 'FA (3)',
      })
      proofs.push(loginProof)
    }
    const online = await openOnline(me.api, { formCode: formCodes.fa3 })
    const { referenceNumber: alone } = await accept(
      { api: me.api, session: online },
      invoice().bytes,
    )
    const other = await callReceipt(me.api, {
      sessionReferenceNumber: online.referenceNumber,
      invoiceReferenceNumber: alone,
    })
    const { loginProof } = readReceipt(other.bytes)
    expect(proofs, 'the login on the receipts, as in a session').toEqual(made.map(() => loginProof))
    const [page] = receiptPages(settled)
    const together = await callReceipt(me.api, {
      sessionReferenceNumber: referenceNumber,
      upoReferenceNumber: page?.referenceNumber ?? '',
    })
    const { documents, schemaProblems } = readReceipt(together.bytes)
    expect(schemaProblems, 'schema violations of the receipt').toEqual([])
    expect(
      documents.map(({ serviceNumber }) => serviceNumber).toSorted(),
      'invoices on the receipt of the package',
    ).toEqual(rows.map(({ svcNumber }) => String(svcNumber)).toSorted())
  },
)
