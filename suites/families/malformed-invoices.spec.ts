import type { InvoiceSchemaId } from '../../contract/environments.ts'
import { refusal } from '../../contract/errors.ts'
import { seedFrom } from '../../lib/random.ts'
import { candidates } from '../../generators/corpus/streams.ts'
import { invoiceMalformationsOf } from '../../generators/faults/invoices.ts'
import { withOneFault } from '../../generators/faults/one-fault.ts'
import { expectations } from '../support/expectations.ts'
import { formCodes } from '../support/forms.ts'
import type { MadeInvoice } from '../support/invoice-source.ts'
import { listInvoices, nameOf, packed, sendBatch } from '../support/packages.ts'
import type { ListedInvoice } from '../support/packages.ts'
import { familyRule } from '../support/rule.ts'
import { runOptions } from '../support/run-options.ts'
import { toDayOf } from '../support/schema-days.ts'
import { expect, test } from '../support/test.ts'

/**
 * Every class of malformed invoice, sent to the target. The classes of one layer go in one batch package, since an
 * error is that of its invoice alone, beside a good invoice that must be accepted: few calls, whatever their number.
 */

type Entry = ReturnType<typeof invoiceMalformationsOf>[number]

/** Classes by rule and layer. */
const groupsOf = (schema: InvoiceSchemaId): Entry[][] => {
  const groups = new Map<string, Entry[]>()
  for (const entry of invoiceMalformationsOf(schema)) {
    // What only an interactive session refuses cannot be tried in a package, what only some environments refuse only there.
    if (entry.refusedAs === 'attachment-not-allowed' || entry.onlyIn !== undefined) continue
    const key = `${entry.rule} ${entry.layer}`
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  return [...groups.values()]
}

const faultOf = (entry: Entry, row: ListedInvoice | undefined, seed: number): string[] => {
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

/** A malformed document of a class, put into the first invoice that has a place for the fault. */
const madeOf = (
  entry: Entry,
  schema: InvoiceSchemaId,
  seller: string,
  { number, issueDate }: MadeInvoice,
) => {
  const seed = seedFrom(runOptions.seed, runOptions.namespace, entry.id)
  const options = { schema, seed, namespace: number, count: 1, sellers: [seller], issueDate }
  const { malformed, candidate } = withOneFault(entry, candidates(options, 0), () => [])
  return { entry, seed: candidate.seed, bytes: malformed.bytes }
}

for (const schema of ['fa3', 'fa2'] as const)
  for (const [first, ...others] of groupsOf(schema)) {
    if (first === undefined) continue
    const group = [first, ...others]
    const hostile = first.layer === 'doctype'
    test(
      ...familyRule(
        first.rule,
        schema === 'fa2'
          ? hostile
            ? 'hostile FA(2) invoice'
            : 'malformed FA(2) invoice'
          : hostile
            ? 'hostile invoice'
            : 'malformed invoice',
        first.layer,
      ),
      async ({ login, invoice, own, clock, target }) => {
        test.setTimeout(180_000)
        await toDayOf(schema, target, clock)
        const good = invoice({ schema })
        const made = group.map((entry) => madeOf(entry, schema, own.nip, invoice({ schema })))
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
