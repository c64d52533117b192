import { refusal } from '../../contract/errors.ts'
import { seedFrom } from '../../lib/random.ts'
import { seededDraw } from '../../generators/draw/draw.ts'
import { buildInvoice } from '../../generators/invoice/build.ts'
import { invoiceMalformationsOf, malform } from '../../generators/faults/invoices.ts'
import { expectations } from '../support/expectations.ts'
import { listInvoices, nameOf, packed, sendBatch } from '../support/packages.ts'
import type { ListedInvoice } from '../support/packages.ts'
import { familyRule } from '../support/rule.ts'
import { runOptions } from '../support/run-options.ts'
import { expect, test } from '../support/test.ts'

/**
 * Every class of malformed invoice, sent to the target. The classes of one layer go in one batch package, since an
 * error is that of its invoice alone, beside a good invoice that must be accepted: few calls, whatever their number.
 */

type Entry = ReturnType<typeof invoiceMalformationsOf>[number]

// What only an interactive session refuses cannot be tried in a package, what only some environments refuse only there.
const entries = invoiceMalformationsOf('fa3').filter(
  ({ refusedAs, onlyIn }) => refusedAs !== 'attachment-not-allowed' && onlyIn === undefined,
)
const groups = new Map<string, Entry[]>()
for (const entry of entries) {
  const key = `${entry.rule} ${entry.layer}`
  groups.set(key, [...(groups.get(key) ?? []), entry])
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

for (const [first, ...others] of groups.values()) {
  if (first === undefined) continue
  const group = [first, ...others]
  test(
    ...familyRule(
      first.rule,
      first.layer === 'doctype' ? 'hostile invoice' : 'malformed invoice',
      first.layer,
    ),
    async ({ login, invoice, own }) => {
      test.setTimeout(180_000)
      const good = invoice()
      const made = group.map((entry) => {
        const seed = seedFrom(runOptions.seed, runOptions.namespace, entry.id)
        const { number, issueDate } = invoice()
        const options = { schema: 'fa3', seller: own.nip, number, issueDate } as const
        const { document } = buildInvoice({ ...options, profile: 'general' }, seededDraw(seed))
        return { entry, seed, bytes: malform(entry, document, seed).bytes }
      })
      const { api } = await login()
      const { settled, referenceNumber } = await sendBatch(api, await packed([good, ...made]))
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
