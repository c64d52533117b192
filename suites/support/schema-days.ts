import { environments } from '../../contract/environments.ts'
import type { InvoiceSchemaId } from '../../contract/environments.ts'
import type { CheckClock } from './check-clock.ts'
import type { Target } from './target.ts'

/** A day on which FA(2) is in force. */
const inForceOfFa2 = Date.parse('2026-01-15T12:00:00+01:00')

/** Turns the clock to a day on which the target takes documents of a schema. */
export const toDayOf = async (
  schema: InvoiceSchemaId,
  { environment, dialect }: Target,
  clock: CheckClock,
) => {
  const row = { ...environments[environment], ...dialect.environments?.[environment] }
  const always: readonly string[] = row.schemasAlways ?? []
  if (schema === 'fa2' && !always.includes(schema)) await clock.set(inForceOfFa2)
}
