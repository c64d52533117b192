import { createExport } from '../../../lib/flows/export.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { fromWire } from '../../../lib/wire.ts'
import { fetchFiles } from '../../support/steps/export-parts.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { meaningOfRow } from '../../support/answers/meaning.ts'
import { allowAttachments, sendAlone } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { findAll } from '../../support/steps/searches.ts'
import type { Found, Page } from '../../support/steps/searches.ts'
import { correctionOf, accept, outcomeOfInvoice, recordOf } from '../../support/steps/steps.ts'
import { describedPlainly, documentOf } from '../../support/documents/stock-document.ts'
import { expect, test } from '../../support/harness/test.ts'

/** An export describes each invoice as a search does, whatever is special about the invoice. */

const day = 24 * 3_600_000

test(
  ...familyRule('exports.package.content', 'exported metadata'),
  async ({ login, invoice, rng, target }) => {
    const { api, context } = await login()
    await allowAttachments(api, context.nip)
    const session = await openOnline(api, { formCode: formCodes.fa3 })
    const desk = { api, session }
    const made = describedPlainly({
      seller: context.nip,
      number: `E-${rng.digits(10)}`,
      issueDate: isoDay(target.now()),
    })
    const broken = api.codec.utf8('<Faktura/>')
    await outcomeOfInvoice(desk, broken, { offlineMode: true })
    const correction = await correctionOf(api, broken)
    const corrected = await outcomeOfInvoice(desk, invoice().bytes, correction)
    const declared = await outcomeOfInvoice(desk, invoice().bytes, { offlineMode: true })
    const records = [
      recordOf(corrected),
      recordOf(declared),
      await accept(desk, documentOf(made, { third: context.nip })),
      await accept(desk, invoice({ kind: 'KOR' }).bytes),
      await accept(desk, invoice({ issueDate: isoDay(target.now() - 2 * day) }).bytes),
      await sendAlone(api, invoice({ attachment: true }).bytes),
    ]
    const numbers = records.map(({ svcNumber }) => String(svcNumber))
    for (const role of ['subject1', 'subject3'] as const) {
      const filters = issuedAround(target.now(), role, 'permanentStorage')
      const found = await findAll(api, filters, role === 'subject1' ? numbers : [])
      const started = await createExport(api, { filters, onlyMetadata: true })
      const files = await fetchFiles(api, started)
      const text = new TextDecoder().decode(files['_metadata.json'])
      const page = fromWire(JSON.parse(text), 'MetadataPage', api.dialect) as Page
      const stated = (rows: readonly Found[]) =>
        rows
          .toSorted((a, b) => (a.svcNumber < b.svcNumber ? -1 : 1))
          .map((row) => meaningOfRow('queries.metadata', 'invoices', row))
      expect(stated(page.invoices), `of the invoices as ${role}`).toEqual(stated(found))
    }
  },
)
