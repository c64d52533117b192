import type { InvoiceSchemaId } from '../../contract/environments.ts'
import { candidates } from '../../generators/corpus/streams.ts'
import { invoiceMalformationsOf } from '../../generators/faults/invoices.ts'
import { withOneFault } from '../../generators/faults/one-fault.ts'
import { seedFrom } from '../../lib/random.ts'
import type { MadeInvoice } from './invoice-source.ts'
import { runOptions } from './run-options.ts'

/** Malformed invoices that are sent to the target. */

export type Malformation = ReturnType<typeof invoiceMalformationsOf>[number]

/** A document that is no invoice, and is rejected. */
export const spoilt = new TextEncoder().encode('<Faktura>no invoice</Faktura>')

/** The classes that each way of sending must reject as the same, by rule and layer. */
export const malformationGroups = (schema: InvoiceSchemaId): Malformation[][] => {
  const groups = new Map<string, Malformation[]>()
  for (const entry of invoiceMalformationsOf(schema)) {
    // What only an interactive session refuses cannot be tried in a package, what only some environments refuse only there.
    if (entry.refusedAs === 'attachment-not-allowed' || entry.onlyIn !== undefined) continue
    const key = `${entry.rule} ${entry.layer}`
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  return [...groups.values()]
}

/** A malformed document of a class, put into the first invoice that has a place for the fault. */
export const malformedOf = (
  entry: Malformation,
  schema: InvoiceSchemaId,
  seller: string,
  { number, issueDate }: MadeInvoice,
) => {
  const seed = seedFrom(runOptions.seed, runOptions.namespace, entry.id)
  const options = { schema, seed, namespace: number, count: 1, sellers: [seller], issueDate }
  const { malformed, candidate } = withOneFault(entry, candidates(options, 0), () => [])
  return { entry, seed: candidate.seed, bytes: malformed.bytes }
}
