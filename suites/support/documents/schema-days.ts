import { environments } from '../../../contract/environments.ts'
import type { InvoiceSchemaId } from '../../../contract/environments.ts'
import type { CheckClock } from '../service/check-clock.ts'
import { formCodes } from '../checks/forms.ts'
import type { Target } from '../service/target.ts'

/** A day on which FA(2) is in force. */
const inForceOfFa2 = Date.parse('2026-01-15T12:00:00+01:00')

/** An instant on either side of the change of schemas, with what is refused then and what is taken. */
export const sidesOfTheChange = [
  ['2026-01-31T23:30:00+01:00', formCodes.fa3, formCodes.fa2],
  ['2026-02-01T00:30:00+01:00', formCodes.fa2, formCodes.fa3],
] as const

/** Schemas that the target takes on any day, whatever the calendar says. */
export const alwaysTaken = ({ environment, dialect }: Target): readonly InvoiceSchemaId[] => {
  const row = { ...environments[environment], ...dialect.environments?.[environment] }
  return row.schemasAlways ?? []
}

/** Turns the clock to a day on which the target takes documents of a schema. */
export const toDayOf = async (schema: InvoiceSchemaId, target: Target, clock: CheckClock) => {
  if (schema === 'fa2' && !alwaysTaken(target).includes(schema)) await clock.set(inForceOfFa2)
}
