import { createExport } from '../../../lib/flows/export.ts'
import { callReceipt, callReceiptLink } from '../../../lib/flows/receipt.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import type { Me } from '../../support/service/contexts.ts'
import { fetchFiles } from '../../support/steps/export-parts.ts'
import { instantKind } from '../../support/steps/filters.ts'
import type { Filters } from '../../support/steps/filters.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import type { MadeInvoice } from '../../support/documents/invoice-source.ts'
import { offered } from '../../support/service/offered.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import { familyRule } from '../../support/checks/rule.ts'
import {
  correctionOf,
  fields,
  outcomeOfInvoice,
  recordOf,
  reported,
  retrieve,
} from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import { offeredWays } from '../../support/scenes/ways-of-sending.ts'

/** An accepted invoice is still one when its day, its session and its login are long over. */

type Fields = Readonly<Record<string, unknown>>

const day = 24 * 3_600_000
const weeks = 40 * day

interface Kept {
  readonly way: string
  readonly made: MadeInvoice
  readonly svcNumber: string
  readonly referenceNumber: string
  readonly session: string
}

/** Has an invoice accepted by each way, and returns weeks later as its seller. */
const weeksLater = async ({
  login,
  invoice,
  clock,
}: Pick<Fixtures, 'login' | 'invoice' | 'clock'>): Promise<{
  me: Me
  all: readonly Kept[]
  rejected: ReadonlyMap<string, string>
}> => {
  const before = await login()
  const all: Kept[] = []
  const rejected = new Map<string, string>()
  for (const [way, { send, needs, outcome }] of offeredWays()) {
    const refused =
      needs === undefined
        ? await outcome(before, spoilt)
        : await before.api.call(needs, { body: spoilt })
    const record: Fields = 'body' in refused ? fields(refused) : { ...refused }
    const { referenceNumber } = record
    // What was refused at once has no status of its own.
    if (typeof referenceNumber === 'string') rejected.set(way, referenceNumber)
    const made = invoice()
    all.push({ way, made, ...(await send(before, made.bytes)) })
  }
  await clock.advance(weeks)
  return { me: await login({ context: before.context }), all, rejected }
}

for (const [id, operation] of [
  ['invoices.get.by-service-number', 'invoices.bySvcNumber'],
  ['invoices.get.by-invoice-number', 'invoices.byNumber'],
] as const)
  test(...familyRule(id, 'weeks later', operation), async ({ login, invoice, clock }) => {
    const { me, all } = await weeksLater({ login, invoice, clock })
    for (const { way, made, svcNumber } of all) {
      const path = { svcNumber, invoiceNumber: made.number }
      const answer = await retrieve(me.api, operation, path)
      expect(answer, way).toBeOk()
      expect(Buffer.from(answer.bytes).equals(made.bytes), `${way}, byte for byte`).toBe(true)
    }
  })

test(
  ...familyRule('invoices.status.outcome', 'weeks later', 'each status'),
  async ({ login, invoice, clock }) => {
    const { me, all, rejected } = await weeksLater({ login, invoice, clock })
    for (const [way, invoiceId] of rejected) {
      const answer = await me.api.call('invoices.status', { path: { invoiceId } })
      expect(answer, `the status of one rejected by ${way}`).toBeOk()
      expect(reported(answer), `${way}, rejected`).toBeRejected('invoice-invalid')
    }
    for (const { way, svcNumber, referenceNumber, session } of all)
      for (const operation of offered('invoices.status', 'invoices.statusBySvcNumber')) {
        const path = { invoiceId: referenceNumber, svcNumber }
        expect(
          fields(await me.api.call(operation, { path })),
          `${operation}, ${way}`,
        ).toMatchObject({
          svcNumber,
          sessionReferenceNumber: session,
          status: { code: 200 },
        })
      }
  },
)

test(
  ...familyRule('receipts.ways', 'weeks later', 'by link, and through the original'),
  async ({ login, invoice, clock }) => {
    const { me, all } = await weeksLater({ login, invoice, clock })
    const session = await openOnline(me.api, { formCode: formCodes.fa3 })
    for (const { way, made, svcNumber } of all) {
      const again = recordOf(await outcomeOfInvoice({ api: me.api, session }, made.bytes))
      const sessionReferenceNumber = String(again['originalSessionReferenceNumber'])
      const receipts = [await callReceipt(me.api, { sessionReferenceNumber, svcNumber })]
      for (const operation of offered('invoices.statusBySvcNumber')) {
        const { upoDownloadUrl } = fields(await me.api.call(operation, { path: { svcNumber } }))
        receipts.push(await callReceiptLink(me.api, String(upoDownloadUrl)))
      }
      for (const receipt of receipts) {
        expect(receipt, way).toBeOk()
        expect(readReceipt(receipt.bytes).documents, way).toMatchObject([
          { serviceNumber: svcNumber },
        ])
      }
    }
  },
)

test(
  ...familyRule('invoices.correction', 'weeks later', 'of an accepted invoice'),
  async ({ login, invoice, clock }) => {
    const { me, all } = await weeksLater({ login, invoice, clock })
    const { api } = me
    const desk = { api, session: await openOnline(api, { formCode: formCodes.fa3 }) }
    for (const { way, made } of all) {
      const correction = await correctionOf(api, made.bytes)
      const outcome = await outcomeOfInvoice(desk, invoice().bytes, correction)
      expect(outcome, way).toBeRejected('correction-forbidden')
    }
  },
)

test(
  ...familyRule('exports.package.content', 'weeks later', 'each kind of date'),
  async ({ login, invoice, clock }) => {
    const { me, all } = await weeksLater({ login, invoice, clock })
    const now = clock.now()
    for (const dateType of [instantKind(me.api.dialect), 'issue'] as const) {
      const [from, to] = [now - weeks - 2 * day, now].map((at) => new Date(at).toISOString())
      const filters: Filters = {
        subjectType: 'subject1',
        dateRange: { dateType, from: from!, to: to! },
      }
      const files = await fetchFiles(me.api, await createExport(me.api, { filters }))
      for (const { way, made, svcNumber } of all)
        expect(
          Buffer.from(files[`${svcNumber}.xml`] ?? []).equals(made.bytes),
          `sent by ${way}, exported by the date of ${dateType}`,
        ).toBe(true)
    }
  },
)
