import { batchBody, readBatchOpened } from '../../../lib/flows/batch.ts'
import { formCodes } from '../../support/forms.ts'
import { packed } from '../../support/packages.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

test(...rule('sessions.batch.opens'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice(), invoice()], { partBytes: 600 })
  expect(batch.parts.length, 'parts of the package').toBeGreaterThan(1)
  const body = await batchBody(api, batch, formCodes.fa3)
  const answer = await api.call('sessions.openBatch', { body })
  expect(answer).toBeOk()
  const { uploads, referenceNumber } = readBatchOpened(answer)
  expect(referenceNumber, 'a reference number').toMatch(/\S/)
  const places = uploads.map(({ ordinalNumber }) => ordinalNumber).toSorted((a, b) => a - b)
  expect(places, 'an upload URL for every part').toEqual(
    batch.parts.map(({ ordinalNumber }) => ordinalNumber),
  )
})
