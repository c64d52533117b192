import { createExport, downloadExport } from '../../../lib/flows/export.ts'
import { callReceipt } from '../../../lib/flows/receipt.ts'
import {
  describedIn,
  describedPackage,
  settleOwn,
  unpack,
} from '../../support/steps/export-parts.ts'
import { issuedAround, subjectTypes } from '../../support/steps/filters.ts'
import { wentWell } from '../../support/judging/matchers.ts'
import { offered } from '../../support/service/offered.ts'
import { withInvalidAmount } from '../../support/documents/malformed.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { numbersOf, page } from '../../support/steps/searches.ts'
import type { SearchOperation } from '../../support/steps/searches.ts'
import { outcomeOfSending, recordOf, retrieve } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'
import { offeredWays } from '../../support/scenes/ways-of-sending.ts'
import { inAscii, wrongDocuments } from '../../support/documents/wrong-documents.ts'

/** A rejected document is no invoice: its number finds nothing for its sender, its seller and its buyer. */

/** Changes that make a valid document one that is rejected, while its number can still be read. */
const faults: Readonly<Record<string, (xml: string, other: string) => string>> = {
  'not valid': withInvalidAmount,
  // A later year would not be valid by the schema.
  'issued in the future': (xml) => xml.replace(/<P_1>.*?</, '<P_1>2049-12-30<'),
  'of another seller': (xml, other) => xml.replace(/(<Podmiot1>.*?<NIP>)\d+/s, `$1${other}`),
  'with a byte order mark': (xml) => `\uFEFF${xml}`,
}

test(
  ...familyRule('invoices.get.rejected-absent', 'rejected document', 'by each way'),
  async ({ login, another, invoice, target }) => {
    await withoutRates(target)
    const me = await login()
    const seller = await login({ context: await another() })
    const buyer = await login({ context: await another() })
    const { codec } = me.api
    for (const [way, { outcome }] of offeredWays())
      for (const [fault, change] of Object.entries(faults)) {
        const made = invoice({ kind: 'VAT', buyer: buyer.context.nip })
        const xml = change(codec.text(made.bytes), seller.context.nip)
        const rejected = await outcome(me, codec.utf8(xml))
        const what = `a document ${fault}, by ${way}`
        expect(wentWell(rejected), `the acceptance of ${what}`).toBe(false)
        for (const [who, { api }] of [
          ['sender', me],
          ['buyer', buyer],
          ...(fault === 'of another seller' ? [['seller', seller] as const] : []),
        ] as const) {
          for (const operation of offered('invoices.byNumber'))
            expect(
              await api.call(operation, { path: { invoiceNumber: made.number } }),
              `${what}, read by its ${who}`,
            ).toBeRefused('invoice-unknown')
          const role = who === 'buyer' ? 'subject2' : 'subject1'
          const filters = { ...issuedAround(target.now(), role, 'permanentStorage') }
          for (const operation of offered('queries.metadata', 'queries.general'))
            expect(
              numbersOf([await page(api, filters, {}, operation as SearchOperation)]),
              `${what}, found by its ${who}`,
            ).toEqual([])
        }
        const record = 'body' in rejected ? recordOf(rejected) : rejected
        const { referenceNumber, sessionReferenceNumber } = record as Readonly<
          Record<string, unknown>
        >
        if (typeof referenceNumber !== 'string' || typeof sessionReferenceNumber !== 'string')
          continue
        const which = { sessionReferenceNumber, invoiceReferenceNumber: referenceNumber }
        expect(await callReceipt(me.api, which), `the receipt of ${what}`).toBeClientError()
      }
    for (const role of subjectTypes.slice(0, 2))
      for (const { api } of [me, seller, buyer]) {
        const filters = issuedAround(target.now(), role, 'permanentStorage')
        const started = await createExport(api, { filters })
        const settled = await settleOwn(api, started)
        if (describedPackage(settled).invoiceCount === 0) continue
        const files = unpack(await downloadExport(api, started, settled))
        expect(describedIn(api, files), 'exported invoices').toEqual([])
      }
  },
)

test(
  ...familyRule('invoices.get.rejected-absent', 'rejected document', 'of a number that is taken'),
  async ({ login, invoice }) => {
    const me = await login()
    const { codec } = me.api
    for (const [first, { send }] of offeredWays()) {
      const made = invoice({ kind: 'VAT' })
      const { svcNumber } = await send(me, made.bytes)
      for (const [way, { outcome }] of offeredWays())
        for (const bytes of [
          invoice({ kind: 'VAT', number: made.number }).bytes,
          codec.utf8(withInvalidAmount(codec.text(made.bytes))),
        ])
          expect(wentWell(await outcome(me, bytes)), `by ${first}, again by ${way}`).toBe(false)
      for (const [operation, path] of [
        ['invoices.bySvcNumber', { svcNumber }],
        ['invoices.byNumber', { invoiceNumber: made.number }],
      ] as const)
        for (const known of offered(operation)) {
          const { bytes } = await retrieve(me.api, known, path)
          expect(Buffer.from(bytes).equals(made.bytes), `${known}, the first by ${first}`).toBe(
            true,
          )
        }
    }
  },
)

for (const { id, refusal, write } of wrongDocuments)
  test(...familyRule(id, 'rejected document', 'without a session'), async ({ login, invoice }) => {
    const { api } = await login()
    const plain = inAscii(invoice({ kind: 'VAT' }).bytes)
    for (const [what, change] of Object.entries(write))
      expect(await outcomeOfSending(api, change(plain)), what).toBeRejected(refusal)
    expect(await outcomeOfSending(api, plain), 'as it was').toHaveSucceeded('invoice')
  })
