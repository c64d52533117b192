import { limits } from '../../contract/limits.ts'
import {
  callPart,
  createExport,
  exportBody,
  exportParts,
  settleExport,
} from '../../lib/flows/export.ts'
import { drawSecret } from '../../lib/flows/session.ts'
import { statusOf } from '../../lib/flows/settle.ts'
import { expectText } from '../../lib/outcome.ts'
import { fetchFiles } from '../support/steps/export-parts.ts'
import { issuedAround } from '../support/steps/filters.ts'
import type { Filters } from '../support/steps/filters.ts'
import { meaningOf } from '../support/answers/meaning.ts'
import { selfInvoiced } from '../support/documents/parties.ts'
import { rule } from '../support/checks/rule.ts'
import { accept, fields } from '../support/steps/steps.ts'
import { filtersForNone } from '../support/scenes/stock.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('transport.export-alias'), async ({ open, invoice, target }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  const filters = issuedAround(target.now())
  const known = new Set<string>()
  for (const spelling of [{}, { alias: 0 }, { alias: 0 }]) {
    const body = await exportBody(desk.api, { filters }, drawSecret())
    const created = await desk.api.call('exports.create', { ...spelling, body })
    expect(created).toBeOk()
    const { referenceNumber } = created.body as { referenceNumber: string }
    expect(known.has(referenceNumber), 'the number of an earlier export').toBe(false)
    known.add(referenceNumber)
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

test(...rule('transport.export-alias', 'over time'), async ({ login, clock }) => {
  const me = await login()
  const { referenceNumber } = await createExport(me.api, { filters: issuedAround(clock.now()) })
  const path = { referenceNumber }
  const stated = async ({ api }: Pick<typeof me, 'api'>) => {
    const codes: unknown[] = []
    for (const other of [{}, { alias: 0 }]) {
      const answer = await api.call('exports.status', { ...other, path })
      expect(answer).toBeOk()
      codes.push(statusOf(answer.body)?.code)
    }
    return codes
  }
  await settleExport(me.api, { referenceNumber })
  const [ready, alike] = await stated(me)
  expect(alike, 'the state by the other name').toBe(ready)
  await clock.advance(limits['exports.packageLifetime'].value * 1000 + 60_000)
  const [ended, alikeToo] = await stated(await login({ context: me.context }))
  expect(ended, 'the state after its expiry').not.toBe(ready)
  expect(alikeToo, 'by the other name').toBe(ended)
})

test(
  ...rule('transport.export-alias', 'filters'),
  async ({ open, invoice, target, unissuedNumber }) => {
    const desk = await open()
    const { api } = desk
    const { svcNumber } = await accept(desk, selfInvoiced(invoice({ kind: 'VAT' }).bytes, false))
    const filters = issuedAround(target.now())
    const { dateRange } = filters
    const dayAfter = new Date(Date.parse(dateRange.from) + 24 * 3_600_000).toISOString()
    const found = async (wish: Filters) => {
      const secret = drawSecret()
      const body = await exportBody(api, { filters: wish }, secret)
      const created = await api.call('exports.create', { alias: 0, body })
      const referenceNumber = expectText(created, 'create an export', 'referenceNumber')
      const files = await fetchFiles(api, { referenceNumber, ...secret })
      return Object.keys(files).includes(`${svcNumber}.xml`)
    }
    expect(await found({ ...filters, svcNumber }), 'found by its number').toBe(true)
    for (const given of [
      ...filtersForNone.map((one) => one.given),
      { svcNumber: unissuedNumber() },
      { isSelfInvoicing: true },
      { invoicingMode: 'Offline' },
      { dateRange: { ...dateRange, to: dayAfter } },
      { subjectType: 'subject2' },
    ] as const)
      expect(await found({ ...filters, ...given }), `by ${JSON.stringify(given)}`).toBe(false)
  },
)
