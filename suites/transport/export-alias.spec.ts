import type { Exchange } from '../../lib/exchange.ts'
import { callPart, exportBody, exportParts, settleExport } from '../../lib/flows/export.ts'
import { drawSecret } from '../../lib/flows/session.ts'
import { issuedAround } from '../support/filters.ts'
import { rule } from '../support/rule.ts'
import { accept, fields } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

interface Exported {
  readonly status: { readonly code: number }
  readonly package?: { readonly parts: readonly Readonly<Record<string, unknown>>[] } | null
}

/** What identifies an export and its parts: links may be made anew, and a response may have further fields. */
const described = ({ body }: Exchange): unknown => {
  const { status, package: made } = body as Exported
  const names = ['ordinalNumber', 'partName', 'partHash', 'partSize', 'encryptedPartHash']
  return {
    code: status.code,
    parts: made?.parts.map((part) => names.map((name) => part[name])),
  }
}

test(...rule('transport.export-alias'), async ({ open, invoice, target }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  const filters = issuedAround(target.now())
  for (const spelling of [{}, { alias: 0 }]) {
    const body = await exportBody(desk.api, { filters }, drawSecret())
    const created = await desk.api.call('exports.create', { ...spelling, body })
    expect(created).toBeOk()
    const { referenceNumber } = created.body as { referenceNumber: string }
    const settled = await settleExport(desk.api, { referenceNumber })
    const seen: unknown[] = []
    for (const other of [{}, { alias: 0 }]) {
      const answer = await desk.api.call('exports.status', { ...other, path: { referenceNumber } })
      expect(answer).toBeOk()
      const parts: string[] = []
      for (const part of exportParts({ ...settled, body: fields(answer) }))
        parts.push(Buffer.from((await callPart(desk.api, part)).bytes).toString('base64'))
      seen.push({ described: described(answer), parts })
    }
    expect(seen[1], 'the export and its parts by the other name').toEqual(seen[0])
  }
})
