import type { InvoiceSchemaId } from '../../../contract/environments.ts'
import { invoiceCoverage } from '../../../generators/invoice/coverage.ts'
import { InvoiceOptionsError, invoiceKinds, profiles } from '../../../generators/invoice/options.ts'
import type { ProfileId } from '../../../generators/invoice/options.ts'
import { serialize } from '../../../generators/schema/serialize.ts'
import { createExport } from '../../../lib/flows/export.ts'
import { poll } from '../../../lib/poll.ts'
import { seedFrom } from '../../../lib/random.ts'
import { moved } from '../../support/documents/documents.ts'
import { observe } from '../../support/run/explain.ts'
import { fetchFiles } from '../../support/steps/export-parts.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { formCodes } from '../../support/checks/forms.ts'
import type { MadeInvoice } from '../../support/documents/invoice-source.ts'
import {
  allowAttachments,
  listInvoices,
  nameOf,
  packed,
  sendBatch,
} from '../../support/steps/packages.ts'
import type { LoginOptions, Me } from '../../support/service/contexts.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { runOptions } from '../../support/checks/run-options.ts'
import { toDayOf } from '../../support/documents/schema-days.ts'
import type { Target } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/**
 * Valid documents of both schemas, sent, accepted and returned byte for byte. Those of one check go in one package,
 * so that they cost a target with narrow limits only a few calls, whatever their number.
 */

const schemas = ['fa3', 'fa2'] as const

interface Scene {
  readonly login: (options?: LoginOptions) => Promise<Me>
  readonly schema: InvoiceSchemaId
  readonly target: Target
}

/** A service may store accepted invoices later; exports are few, because their rate limit is narrow. */
const storing = { everyMs: 5_000, times: 4 }

/** Sends documents in one package, and expects each to be accepted and returned unchanged. */
const expectKept = async (
  { login, schema, target }: Scene,
  documents: readonly { readonly bytes: Uint8Array; readonly what: string }[],
): Promise<void> => {
  expect(documents.length, 'documents to send').toBeGreaterThan(0)
  observe(`${documents.length} documents`)
  const { api, context } = await login()
  // Only this schema has attachments.
  if (schema === 'fa3') await allowAttachments(api, context.nip)
  const sent = await sendBatch(api, await packed(documents), { formCode: formCodes[schema] })
  expect(sent.settled).toHaveSucceeded('batchSession')
  const rows = new Map(
    (await listInvoices(api, sent.referenceNumber)).map((row) => [row.invoiceFileName, row]),
  )
  const refused = documents.flatMap(({ what }, place) => {
    const { svcNumber, status } = rows.get(nameOf(place)) ?? {}
    return svcNumber === undefined ? [`${what}: ${JSON.stringify(status)}`] : []
  })
  expect(refused, 'valid documents that were not accepted').toEqual([])
  const altered = async (): Promise<readonly string[]> => {
    const started = await createExport(api, { filters: issuedAround(target.now()) })
    const files = await fetchFiles(api, started)
    const back = new Set(Object.values(files).map((bytes) => Buffer.from(bytes).toString('base64')))
    return documents.flatMap(({ bytes, what }) =>
      back.has(Buffer.from(bytes).toString('base64')) ? [] : [what],
    )
  }
  const { last } = await poll(altered, (left) => left.length === 0, {
    ...storing,
    sleep: api.sleep,
  })
  expect(last, 'documents that do not come back byte for byte').toEqual([])
}

/** Documents that together cover as much of a schema as their number allows. */
const reaching = (schema: InvoiceSchemaId, count: number, place: (n: number) => MadeInvoice) => {
  const seed = seedFrom(runOptions.seed, runOptions.namespace, schema, 'every element')
  return [...invoiceCoverage(schema, seed, count).documents()].map((document, at) => ({
    bytes: moved(serialize(document), place(at)),
    what: `document ${at} of seed ${seed}`,
  }))
}

for (const schema of schemas) {
  const needs = schema === 'fa3' ? 'generated document' : 'generated FA(2) document'

  test(
    ...familyRule('invoices.submit.accepted', needs, `${schema}, every element`),
    async ({ login, invoice, clock, target }) => {
      test.setTimeout(180_000)
      await toDayOf(schema, target, clock)
      await expectKept(
        { login, schema, target },
        reaching(schema, runOptions.documents, () => invoice()),
      )
    },
  )

  for (const profile of Object.keys(profiles) as ProfileId[])
    if (profile !== 'ten-thousand-lines')
      test(
        ...familyRule('invoices.submit.accepted', needs, `${schema}, every kind, ${profile}`),
        async ({ login, invoice, clock, target }) => {
          await toDayOf(schema, target, clock)
          const documents = invoiceKinds.flatMap((kind) => {
            try {
              const { bytes } = invoice({ schema, kind, profile })
              return [{ bytes, what: `${kind}, ${profile}` }]
            } catch (error) {
              // Not every kind goes with every profile.
              if (error instanceof InvoiceOptionsError) return []
              throw error
            }
          })
          await expectKept({ login, schema, target }, documents)
        },
      )
}

test(
  ...familyRule('invoices.submit.accepted', 'generated document', 'fa3, with an attachment'),
  async ({ login, invoice, target }) => {
    const documents = Array.from({ length: 3 }, (_, at) => ({
      ...invoice({ attachment: true, profile: 'general' }),
      what: `attachment ${at}`,
    }))
    await expectKept({ login, schema: 'fa3', target }, documents)
  },
)
