import { callPart, exportBody, exportParts, settleExport } from '../../lib/flows/export.ts'
import { drawSecret } from '../../lib/flows/session.ts'
import { issuedAround } from '../support/filters.ts'
import { meaningOf } from '../support/meaning.ts'
import { rule } from '../support/rule.ts'
import { accept, fields } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test(...rule('transport.export-alias'), async ({ open, invoice, target }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  const filters = issuedAround(target.now())
  for (const spelling of [{}, { alias: 0 }]) {
    const body = await exportBody(desk.api, { filters }, drawSecret())
    const created = await desk.api.call('exports.create', { ...spelling, body })
    expect(created).toBeOk()
    const { referenceNumber } = created.body as { referenceNumber: string }
    const path = { referenceNumber }
    for (const other of [{}, { alias: 0 }])
      expect(await desk.api.call('exports.status', { ...other, path }), 'at once').toBeOk()
    const settled = await settleExport(desk.api, { referenceNumber })
    const seen: unknown[] = []
    for (const other of [{}, { alias: 0 }]) {
      const answer = await desk.api.call('exports.status', { ...other, path })
      expect(answer).toBeOk()
      const parts: string[] = []
      for (const part of exportParts({ ...settled, body: fields(answer) }))
        parts.push(Buffer.from((await callPart(desk.api, part)).bytes).toString('base64'))
      seen.push({ described: meaningOf('exports.status', answer.body), parts })
    }
    expect(seen[1], 'the export and its parts by the other name').toEqual(seen[0])
  }
})
