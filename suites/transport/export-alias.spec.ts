import { exportBody } from '../../lib/flows/export.ts'
import { drawSecret } from '../../lib/flows/session.ts'
import { issuedAround } from '../support/filters.ts'
import { rule } from '../support/rule.ts'
import { accept } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test(...rule('transport.export-alias'), async ({ open, invoice, target }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  const filters = issuedAround(target.now())
  for (const alias of [undefined, 0]) {
    const spelling = alias === undefined ? {} : { alias }
    const created = await desk.api.call('exports.create', {
      ...spelling,
      body: await exportBody(desk.api, { filters }, drawSecret()),
    })
    expect(created).toBeOk()
    const { referenceNumber } = created.body as { referenceNumber: string }
    for (const other of [{}, { alias: 0 }])
      expect(
        await desk.api.call('exports.status', { ...other, path: { referenceNumber } }),
      ).toBeOk()
  }
})
