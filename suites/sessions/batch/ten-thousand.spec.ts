import { limits } from '../../../contract/limits.ts'
import { packBatch } from '../../../lib/node/archive.ts'
import {
  filesOf,
  inFolders,
  manyDocuments,
  packed,
  sendBatch,
  validOfMany,
} from '../../support/steps/packages.ts'
import { rule } from '../../support/checks/rule.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

const allowed = limits['session.invoices'].value

test(...rule('sessions.batch.ten-thousand', 'at the limit'), async ({ login, invoice, target }) => {
  test.setTimeout(300_000)
  await withoutRates(target)
  const { api } = await login()
  // Archivers add an entry for each folder, which is no invoice.
  const files = filesOf(manyDocuments(allowed, invoice))
  const { settled } = await sendBatch(api, await packBatch(inFolders(files)))
  expect(settled).toHaveSucceeded('batchSession')
  expect(settled.body, 'the counts of the session').toMatchObject({
    invoiceCount: allowed,
    successfulInvoiceCount: validOfMany,
    failedInvoiceCount: allowed - validOfMany,
  })
})

test(
  ...rule('sessions.batch.ten-thousand', 'above the limit'),
  async ({ login, invoice, target }) => {
    test.setTimeout(300_000)
    await withoutRates(target)
    const { api } = await login()
    const { settled } = await sendBatch(api, await packed(manyDocuments(allowed + 1, invoice)))
    expect(settled).toBeRejected('session-full')
  },
)
