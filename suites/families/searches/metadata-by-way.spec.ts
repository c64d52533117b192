import { sha256 } from '../../../lib/crypto.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { offered } from '../../support/service/offered.ts'
import { meaningOf, meaningOfRow } from '../../support/answers/meaning.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { findAll, page } from '../../support/steps/searches.ts'
import type { SearchOperation } from '../../support/steps/searches.ts'
import { recordOf, settleById } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'
import { describedPlainly, documentOf } from '../../support/documents/stock-document.ts'
import { offeredWays } from '../../support/scenes/ways-of-sending.ts'

/** What a search says of an invoice follows from its document, in whichever way it was sent. */

test(
  ...familyRule('queries.metadata.described', 'metadata by way', 'each'),
  async ({ login, own, rng, target }) => {
    await withoutRates(target)
    const me = await login()
    const filters = issuedAround(target.now())
    for (const [way, { send }] of offeredWays()) {
      const made = describedPlainly({
        seller: own.nip,
        number: `M-${rng.digits(10)}`.padEnd(256, 'ż'),
        issueDate: isoDay(target.now()),
      })
      const seller = { ...made.seller, name: made.seller.name.padEnd(512, 'ż') }
      const described = {
        ...made,
        seller,
        netAmount: 1107.5,
        vatAmount: 230.6,
        grossAmount: 1338.1,
      }
      const bytes = documentOf(described, { third: '5265877635' })
      const { svcNumber, referenceNumber } = await send(me, bytes)
      await findAll(me.api, filters, [svcNumber])
      const dates: Record<string, unknown> = {}
      if (offered('invoices.status').length > 0) {
        const status = meaningOf(
          'invoices.status',
          recordOf(await settleById(me.api, referenceNumber)),
        ) as Readonly<Record<string, unknown>>
        for (const name of ['invoicingDate', 'acquisitionDate', 'invoicingMode'])
          if (status[name] !== undefined) dates[name] = status[name]
      }
      for (const operation of offered('queries.metadata', 'queries.general') as SearchOperation[]) {
        const { invoices } = await page(me.api, { ...filters, svcNumber }, {}, operation)
        const found = meaningOfRow(operation, 'invoices', invoices[0] ?? {})
        for (const [name, told] of Object.entries(dates))
          expect(found[name], `${name}, ${way}, by ${operation}`).toBe(told)
        expect(invoices, `${way}, by ${operation}`).toMatchObject([
          {
            invoiceNumber: described.invoiceNumber,
            issueDate: described.issueDate,
            invoiceHash: me.api.codec.base64(await sha256(bytes)),
            seller: { nip: own.nip, name: described.seller.name },
            buyer: { identifier: described.buyer.identifier, name: described.buyer.name },
            netAmount: described.netAmount,
            vatAmount: described.vatAmount,
            grossAmount: described.grossAmount,
            currency: 'PLN',
            invoiceType: 'Vat',
            isSelfInvoicing: false,
            hasAttachment: false,
          },
        ])
      }
    }
  },
)
