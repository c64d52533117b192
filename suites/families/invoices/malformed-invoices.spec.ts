import { refusal } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { expectations } from '../../support/service/expectations.ts'
import { formCodes } from '../../support/checks/forms.ts'
import {
  malformationGroups,
  malformedOf,
  withInvalidAmount,
} from '../../support/documents/malformed.ts'
import type { Malformation } from '../../support/documents/malformed.ts'
import { listInvoices, nameOf, packed, sendBatch } from '../../support/steps/packages.ts'
import type { ListedInvoice } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { toDayOf } from '../../support/documents/schema-days.ts'
import { outcomeOfInvoice } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/**
 * Every class of malformed invoice, sent to the target. To save calls, the classes of one layer go in one package with
 * a valid invoice, which must be accepted: an error concerns its own invoice only.
 */

const faultOf = (entry: Malformation, row: ListedInvoice | undefined, seed: number): string[] => {
  const { state } = {
    ...refusal(entry.refusedAs),
    ...expectations().dialect.refusals[entry.refusedAs],
  }
  const code = row?.status.code
  if (code !== undefined && state?.codes.includes(code)) return []
  const got = code === undefined ? 'is not listed' : `ended in ${code}`
  return [
    `${entry.id} (${entry.summary}; seed ${seed}) ${got} instead of ${state?.codes.join(' or ')}`,
  ]
}

for (const schema of ['fa3', 'fa2'] as const)
  for (const { rule, layer, classes } of malformationGroups(schema)) {
    const hostile = layer === 'doctype'
    test(
      ...familyRule(
        rule,
        schema === 'fa2'
          ? hostile
            ? 'hostile FA(2) invoice'
            : 'malformed FA(2) invoice'
          : hostile
            ? 'hostile invoice'
            : 'malformed invoice',
        layer,
      ),
      async ({ login, invoice, own, clock, target }) => {
        test.setTimeout(180_000)
        await toDayOf(schema, target, clock)
        const good = invoice({ schema })
        const made = classes().map((entry) =>
          malformedOf(entry, schema, own.nip, invoice({ schema })),
        )
        const { api } = await login()
        const { settled, referenceNumber } = await sendBatch(api, await packed([good, ...made]), {
          formCode: formCodes[schema],
        })
        expect(settled).toHaveSucceeded('batchSession')
        const rows = await listInvoices(api, referenceNumber)
        const named = new Map(rows.map((row) => [row.invoiceFileName, row]))
        expect(named.get(nameOf(0)) ?? { status: { code: 0 } }).toHaveSucceeded('invoice')
        const faults = made.flatMap(({ entry, seed }, place) =>
          faultOf(entry, named.get(nameOf(place + 1)), seed),
        )
        expect(faults, 'malformed invoices with an unexpected outcome').toEqual([])
      },
    )
  }

/** Faults that nobody finds who looks at the beginning of a document alone. */
const faultsOfLarge: Readonly<Record<string, (xml: string) => string>> = {
  'an amount that is no number': withInvalidAmount,
  'a discouraged character': (xml) => {
    const end = xml.lastIndexOf('</P_7>')
    return `${xml.slice(0, end)}\u0086${xml.slice(end)}`
  },
}

for (const [what, spoil] of Object.entries(faultsOfLarge))
  test(
    ...familyRule('invoices.content.invalid-rejected', 'malformed invoice', `the largest, ${what}`),
    async ({ open, invoice }) => {
      const desk = await open()
      const bytes = limits['invoice.bytes'].value - 100
      const large = () => invoice({ bytes, kind: 'VAT' })
      const [alone, packaged] = [large(), large()]
      const spoiled = (good: Uint8Array) => Buffer.from(spoil(Buffer.from(good).toString()))
      const refused = 'invoice-invalid'
      const outcome = await outcomeOfInvoice(desk, spoiled(alone.bytes))
      expect(outcome, 'in a session').toBeRejected(refused)
      expect(await outcomeOfInvoice(desk, alone.bytes), 'as it was').toHaveSucceeded('invoice')
      const batch = await packed([invoice(), { bytes: spoiled(packaged.bytes) }])
      const { settled, referenceNumber } = await sendBatch(desk.api, batch)
      expect(settled, 'the package').toHaveSucceeded('batchSession')
      const rows = await listInvoices(desk.api, referenceNumber)
      const row = rows.find(({ invoiceFileName }) => invoiceFileName === nameOf(1))
      expect(row ?? { status: { code: 0 } }, 'in a package').toBeRejected(refused)
    },
  )
