import { expectOk } from '../../../lib/outcome.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { selfSigned } from '../../support/service/contexts.ts'
import { factsOf, moved, readDocuments } from '../../support/documents/documents.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { listInvoices, only, packed, sendBatch } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { runOptions } from '../../support/checks/run-options.ts'
import { outcomeOfInvoice } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** The documents of `check --invoices DIR`, each sent once: moved to the check's context, or as they are. */
const documents = runOptions.invoices === undefined ? [] : readDocuments(runOptions.invoices)

for (const { name, bytes } of documents) {
  test(
    ...familyRule('invoices.submit.accepted', 'own document', name),
    async ({ login, invoice, target, own }) => {
      const facts = factsOf(bytes)
      const { number, seller, issueDate } = invoice()
      const document = runOptions.unmodified ? bytes : moved(bytes, { number, seller, issueDate })
      const context =
        runOptions.unmodified && facts.seller !== undefined
          ? selfSigned(facts.seller, target.now)
          : own
      const { api } = await login({ context })
      if (facts.attachment) {
        // Attachments go by batch, and only after the seller has consented.
        const nip = context.nip
        expectOk(
          await api.call('testdata.allowAttachments', { body: { nip } }),
          'enable attachments',
        )
        const { referenceNumber } = await sendBatch(api, await packed([{ bytes: document }]))
        expect(only(await listInvoices(api, referenceNumber))).toHaveSucceeded('invoice')
        return
      }
      const session = await openOnline(api, { formCode: formCodes.fa3 })
      expect(await outcomeOfInvoice({ api, session }, document)).toHaveSucceeded('invoice')
    },
  )
}
