import { openOnline, settleInvoice, submit } from '../../lib/flows/session.ts'
import type { Settled } from '../../lib/flows/settle.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { invoiceKinds } from '../../generators/invoice/invoice.ts'
import { hold } from '../support/scenes/delayed.ts'
import { formCodes } from '../support/checks/forms.ts'
import { authorizeSelfInvoicing } from '../support/callers/grants.ts'
import { wentWell } from '../support/judging/matchers.ts'
import { listInvoices, packed, sendAlone, sendBatch } from '../support/steps/packages.ts'
import { selfInvoiced } from '../support/documents/parties.ts'
import { expectOneAccepted } from '../support/steps/one-accepted.ts'
import { rule } from '../support/checks/rule.ts'
import { accept, outcomeOfInvoice, recordOf } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('invoices.duplicate.rejected'), async ({ open, invoice }) => {
  const desk = await open()
  const made = invoice()
  const first = await accept(desk, made.bytes)
  const second = await outcomeOfInvoice(desk, made.bytes)
  expect(second).toBeRejected('duplicate-invoice')
  const { originalSvcNumber } = recordOf(second)
  if (originalSvcNumber !== undefined && originalSvcNumber !== null)
    expect(originalSvcNumber, 'the service number of the first invoice').toBe(first.svcNumber)
  const twice = invoice()
  const { referenceNumber } = await sendBatch(desk.api, await packed([twice, twice]))
  const rows = await listInvoices(desk.api, referenceNumber)
  expect(rows.filter(wentWell).length, 'accepted ones of two in a package').toBe(1)
})

test(...rule('invoices.duplicate.rejected', 'other content'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes, number } = invoice({ kind: 'VAT' })
  // Of another kind, and so no original of the second one.
  await accept(desk, invoice({ number, kind: 'ZAL' }).bytes)
  const first = await accept(desk, bytes)
  const second = await outcomeOfInvoice(desk, invoice({ number, kind: 'VAT', lines: 1 }).bytes)
  expect(second).toBeRejected('duplicate-invoice')
  const { originalSvcNumber } = recordOf(second)
  if (originalSvcNumber !== undefined && originalSvcNumber !== null)
    expect(originalSvcNumber, 'the service number of the one of its kind').toBe(first.svcNumber)
})

test(...rule('invoices.duplicate.points-to-original'), async ({ open, limited, invoice }) => {
  const desk = await open()
  const { bytes } = invoice()
  const first = await accept(desk, bytes)
  const colleague = await limited(['InvoiceWrite'])
  for (const me of [desk.me, colleague]) {
    const again = await outcomeOfInvoice(await open({ me }), bytes)
    const who = me === colleague ? 'a colleague' : 'its sender'
    expect(again, `sent again by ${who}`).toBeRejected('duplicate-invoice')
    expect(recordOf(again), `the references of the original, for ${who}`).toMatchObject({
      originalSvcNumber: first.svcNumber,
      originalSessionReferenceNumber: desk.session.referenceNumber,
    })
  }
})

test(...rule('invoices.duplicate.triple', 'kind'), async ({ open, invoice }) => {
  const desk = await open()
  const { number } = invoice()
  const made = invoiceKinds.map((kind) => invoice({ number, kind }))
  for (const { bytes, kind } of made)
    expect(await outcomeOfInvoice(desk, bytes), `${kind}, first`).toHaveSucceeded('invoice')
  for (const { bytes, kind } of made)
    expect(await outcomeOfInvoice(desk, bytes), `${kind}, again`).toBeRejected('duplicate-invoice')
  const { number: next } = invoice()
  const batch = await packed(invoiceKinds.map((kind) => invoice({ number: next, kind })))
  const { referenceNumber } = await sendBatch(desk.api, batch)
  for (const row of await listInvoices(desk.api, referenceNumber))
    expect(row, `${row.invoiceFileName}, in a package`).toHaveSucceeded('invoice')
})

test(...rule('invoices.duplicate.triple', 'seller'), async ({ open, login, another, invoice }) => {
  const desk = await open()
  const { number, bytes } = invoice()
  await accept(desk, bytes)
  const me = await login({ context: await another() })
  const session = await openOnline(me.api, { formCode: formCodes.fa3 })
  const other = invoice({ number, seller: me.context.nip })
  expect(await outcomeOfInvoice({ api: me.api, session }, other.bytes)).toHaveSucceeded('invoice')
})

test(...rule('invoices.duplicate.triple', 'number'), async ({ open, invoice }) => {
  const desk = await open()
  const { number, bytes } = invoice()
  await accept(desk, bytes)
  const other = invoice({ number: `${number}/A` })
  expect(await outcomeOfInvoice(desk, other.bytes)).toHaveSucceeded('invoice')
})

test(...rule('invoices.duplicate.triple', 'letter case'), async ({ open, invoice }) => {
  const desk = await open()
  const { number, bytes } = invoice()
  await accept(desk, bytes)
  const other = invoice({ number: number.toLowerCase() })
  expect(other.number, 'a number in other letter case').not.toBe(number)
  expect(await outcomeOfInvoice(desk, other.bytes)).toHaveSucceeded('invoice')
})

test(
  ...rule('invoices.duplicate.triple', 'number, other characters'),
  async ({ open, invoice }) => {
    const desk = await open()
    const { number, bytes } = invoice()
    await accept(desk, bytes)
    for (const other of [number.replaceAll('/', '-'), number.replaceAll('/', ''), `${number}/0`])
      expect(await outcomeOfInvoice(desk, invoice({ number: other }).bytes), other).toHaveSucceeded(
        'invoice',
      )
  },
)

test(
  ...rule('invoices.duplicate.triple', 'number, other characters of the same look'),
  async ({ open, invoice }) => {
    const desk = await open()
    const { number } = invoice()
    // Composed and decomposed characters, a ligature and its letters, a circled digit and the digit.
    for (const end of ['\u00f3', 'o\u0301', '\ufb01', 'fi', '\u2460', '1'])
      expect(
        await outcomeOfInvoice(desk, invoice({ number: `${number}/${end}` }).bytes),
        `${number}/${end}`,
      ).toHaveSucceeded('invoice')
  },
)

test(
  ...rule('invoices.duplicate.triple', 'kind, joined with the number'),
  async ({ open, invoice }) => {
    const desk = await open()
    const { number } = invoice()
    // Written side by side, with or without a mark between them, both pairs read the same.
    for (const mark of ['', '_', '-', '/', '|'])
      for (const [kind, before] of [
        ['KOR', `ROZ${mark}`],
        ['KOR_ROZ', ''],
      ] as const)
        expect(
          await outcomeOfInvoice(
            desk,
            invoice({ kind, number: `${before}${number}${mark}` }).bytes,
          ),
          `${kind} ${before}${number}${mark}`,
        ).toHaveSucceeded('invoice')
  },
)

test(...rule('invoices.duplicate.triple', 'all equal'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes } = invoice()
  await accept(desk, bytes)
  expect(await outcomeOfInvoice(desk, bytes)).toBeRejected('duplicate-invoice')
})

test(...rule('invoices.duplicate.everywhere', 'session'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes } = invoice()
  await accept(desk, bytes)
  const later = { ...desk, session: await openOnline(desk.api, { formCode: formCodes.fa3 }) }
  expect(await outcomeOfInvoice(later, bytes)).toBeRejected('duplicate-invoice')
})

test(...rule('invoices.duplicate.everywhere', 'batch'), async ({ open, invoice }) => {
  const desk = await open()
  const known = invoice()
  const { referenceNumber } = await sendBatch(desk.api, await packed([known]))
  const [row] = await listInvoices(desk.api, referenceNumber)
  if (row === undefined || !wentWell(row))
    throw new Inconclusive(
      'have an invoice accepted by batch',
      `acceptance, not ${row?.status.code}`,
    )
  expect(await outcomeOfInvoice(desk, known.bytes)).toBeRejected('duplicate-invoice')
})

test(
  ...rule('invoices.duplicate.everywhere', 'context'),
  async ({ open, another, login, invoice }) => {
    const desk = await open()
    const made = invoice()
    await accept(desk, made.bytes)
    // The seller permits another entity to invoice in its name, so that another context can send the same triple.
    const agent = await another()
    await authorizeSelfInvoicing(desk.api, agent.nip)
    const me = await login({ context: agent })
    const session = await openOnline(me.api, { formCode: formCodes.fa3 })
    const again = selfInvoiced(made.bytes)
    const outcome = await outcomeOfInvoice({ api: me.api, session }, again)
    expect(outcome).toBeRejected('duplicate-invoice')
    expect(await sendAlone(me.api, again), 'in a package').toBeRejected('duplicate-invoice')
  },
)

const day = 24 * 3600 * 1000

test(
  ...rule('invoices.duplicate.ten-years', 'within ten years'),
  async ({ open, login, invoice, clock }) => {
    const desk = await open()
    const [made, packaged] = [invoice(), invoice()]
    await accept(desk, made.bytes)
    expect(await sendAlone(desk.api, packaged.bytes), 'in a package').toHaveSucceeded('invoice')
    const issued = Number(made.issueDate.slice(0, 4))
    const year = issued + 10
    const older = invoice({ issueDate: `${issued - 1}-12-30` })
    await accept(desk, older.bytes)
    // The year of the issue counts, not that of the sending.
    await clock.set(Date.parse(`${year}-01-02T12:00:00Z`))
    const newYear = await open({ me: await login({ context: desk.me.context }) })
    const outcome = await outcomeOfInvoice(newYear, older.bytes)
    expect(outcome, `issued in ${issued - 1}`).toHaveSucceeded('invoice')
    // The day before the last one, and the last one itself.
    for (const early of [day, 0]) {
      await clock.set(Date.parse(`${year}-12-31T12:00:00Z`) - early)
      const me = await login({ context: desk.me.context })
      const session = await openOnline(me.api, { formCode: formCodes.fa3 })
      for (const { bytes } of [made, packaged]) {
        expect(await outcomeOfInvoice({ api: me.api, session }, bytes)).toBeRejected(
          'duplicate-invoice',
        )
        expect(await sendAlone(me.api, bytes), 'in a package').toBeRejected('duplicate-invoice')
      }
    }
  },
)

test(
  ...rule('invoices.duplicate.ten-years', 'after ten years'),
  async ({ open, login, invoice, clock }) => {
    const desk = await open()
    const kind = 'VAT'
    const [made, packaged] = [invoice({ kind }), invoice({ kind })]
    await accept(desk, made.bytes)
    expect(await sendAlone(desk.api, packaged.bytes), 'in a package').toHaveSucceeded('invoice')
    const year = Number(made.issueDate.slice(0, 4)) + 11
    await clock.set(Date.parse(`${year}-01-02T12:00:00Z`))
    const me = await login({ context: desk.me.context })
    const newDesk = { api: me.api, session: await openOnline(me.api, { formCode: formCodes.fa3 }) }
    for (const { bytes, number } of [made, packaged]) {
      expect(await outcomeOfInvoice(newDesk, bytes)).toHaveSucceeded('invoice')
      // Used again, a number is taken for the ten years after that.
      const again = invoice({ number, kind }).bytes
      expect(await outcomeOfInvoice(newDesk, again), 'used again').toHaveSucceeded('invoice')
      expect(await outcomeOfInvoice(newDesk, again)).toBeRejected('duplicate-invoice')
      expect(await sendAlone(me.api, again), 'in a package').toBeRejected('duplicate-invoice')
    }
  },
)

for (const kind of ['invoice', 'verification'] as const)
  test(
    ...rule('invoices.duplicate.race', `before one is processed, ${kind}`),
    async ({ open, invoice, target, clock }) => {
      const desk = await open()
      const { api } = desk
      const other = { api, session: await openOnline(api, { formCode: formCodes.fa3 }) }
      const done = await hold({ target, clock }, kind)
      const sent = []
      for (const [where, desks] of [
        ['in one session', [desk, desk]],
        ['in two sessions', [desk, other]],
        ['three times', [other, desk, other]],
      ] as const) {
        const { bytes } = invoice()
        for (const { session } of desks) {
          const { referenceNumber } = await submit(api, session, bytes)
          sent.push({ where, session, referenceNumber })
        }
      }
      await done()
      const outcomes = new Map<string, Settled[]>()
      for (const { where, session, referenceNumber } of sent) {
        const settled = await settleInvoice(api, session, referenceNumber)
        outcomes.set(where, [...(outcomes.get(where) ?? []), settled])
      }
      for (const [where, settled] of outcomes) expectOneAccepted(settled, where)
    },
  )

test(...rule('invoices.duplicate.race'), async ({ open, invoice }) => {
  const desk = await open()
  const other = { ...desk, session: await openOnline(desk.api, { formCode: formCodes.fa3 }) }
  const { bytes } = invoice()
  const outcomes = await Promise.all(
    [desk, other, desk, other].map((where) => outcomeOfInvoice(where, bytes)),
  )
  expect(outcomes.filter(wentWell).length, 'accepted of four equal submissions').toBe(1)
  for (const outcome of outcomes)
    if (wentWell(outcome)) expect(outcome).toHaveSucceeded('invoice')
    else expect(outcome).toBeRejected('duplicate-invoice')
})
