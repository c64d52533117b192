import type { InvoiceSchemaId } from '../../../contract/environments.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { candidates } from '../../../generators/corpus/streams.ts'
import { malformationCandidates } from '../../../generators/faults/invoices.ts'
import { withOneFault } from '../../../generators/faults/one-fault.ts'
import { seedFrom } from '../../../lib/random.ts'
import type { MadeInvoice } from './invoice-source.ts'
import { runOptions } from '../checks/run-options.ts'

/** Malformed invoices that are sent to the target. */

export type Malformation = ReturnType<typeof malformationCandidates>[number]

/** A document that is no invoice, and is rejected. */
export const spoilt = new TextEncoder().encode('<Faktura>no invoice</Faktura>')

/** An invoice with an amount that is no number: its content is rejected, and its number can be read. */
export const withInvalidAmount = (xml: string): string =>
  xml.replace(/<P_15>.*?<\/P_15>/, '<P_15>one</P_15>')

/** Classes that every way of sending must reject in the same way. */
export interface MalformationGroup {
  readonly rule: RuleId
  readonly layer: string
  /** Takes time when first called. */
  readonly classes: () => Malformation[]
}

/** The groups of a schema, by rule and layer. */
export const malformationGroups = (schema: InvoiceSchemaId): MalformationGroup[] => {
  const groups = new Map<string, Malformation[]>()
  for (const entry of malformationCandidates()) {
    // A refusal that only interactive sessions or some environments know cannot be tried in a package.
    if (entry.refusedAs === 'attachment-not-allowed' || entry.onlyIn !== undefined) continue
    const key = `${entry.rule} ${entry.layer}`
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  const isOf = ({ schemas }: Malformation): boolean => schemas.includes(schema)
  return [...groups.values()].flatMap((group) => {
    // The first class of the schema is enough to learn rule and layer.
    const some = group.find(isOf)
    if (some === undefined) return []
    return [{ rule: some.rule, layer: some.layer, classes: () => group.filter(isOf) }]
  })
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
