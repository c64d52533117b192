import { batchBody, callUpload, openBatch, readBatchOpened } from '../../../lib/flows/batch.ts'
import { settleSession } from '../../../lib/flows/session.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { packed } from '../../support/steps/packages.ts'
import { rule } from '../../support/checks/rule.ts'
import { alwaysTaken } from '../../support/documents/schema-days.ts'
import { expect, test } from '../../support/harness/test.ts'

test(...rule('sessions.batch.opens'), async ({ login, invoice, target }) => {
  const { api } = await login()
  const batch = await packed([invoice(), invoice()], { partBytes: 600 })
  expect(batch.parts.length, 'parts of the package').toBeGreaterThan(1)
  for (const schema of new Set(['fa3', ...alwaysTaken(target)] as const)) {
    const body = await batchBody(api, batch, formCodes[schema])
    const answer = await api.call('sessions.openBatch', { body })
    expect(answer, schema).toBeOk()
    const { uploads, referenceNumber } = readBatchOpened(answer)
    expect(referenceNumber, 'a reference number').toMatch(/\S/)
    const places = uploads.map(({ ordinalNumber }) => ordinalNumber).toSorted((a, b) => a - b)
    expect(places, 'an upload URL for every part').toEqual(
      batch.parts.map(({ ordinalNumber }) => ordinalNumber),
    )
  }
})

test(...rule('sessions.batch.opens', 'ten parts and more'), async ({ login, invoice }) => {
  const { api } = await login()
  const batch = await packed([invoice(), invoice()], { partBytes: 120 })
  expect(batch.parts.length, 'parts of the package').toBeGreaterThan(10)
  const session = await openBatch(api, batch, { formCode: formCodes.fa3 })
  for (const part of batch.parts) {
    const place = session.uploads.find(({ ordinalNumber }) => ordinalNumber === part.ordinalNumber)
    expect(place, `the place of part ${part.ordinalNumber}`).toBeDefined()
    if (place !== undefined)
      expect(await callUpload(api, place, part.bytes), `part ${part.ordinalNumber}`).toBeOk()
  }
  expect(
    await api.call('sessions.closeBatch', { path: { referenceNumber: session.referenceNumber } }),
    'each part at its own place',
  ).toBeOk()
  const settled = await settleSession(api, session, 'batchSession')
  expect(settled, 'each part at its own place').toHaveSucceeded('batchSession')
})
