import type { OperationId } from '../../../contract/endpoints.ts'
import type { Mutant } from '../mutant.ts'
import type { Fields } from '../rewrite.ts'
import { lists } from '../rewrite.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Lists in which an invoice carries what is said of another one that failed with the same code. */

interface Row {
  readonly status: Fields
}

const tables = {
  'sessions.failed': ['sessions.batch.failed-list'],
  'sessions.invoices': ['sessions.invoices.complete'],
} as const satisfies Partial<Record<OperationId, Rules>>

/** The fields that may be taken over from the other. */
const parts = {
  status: ['description', 'details', 'extensions'],
  details: ['details'],
} as const

const takenOver = (
  operation: OperationId,
  fields: readonly string[],
  of: (alike: readonly Row[]) => Row | undefined,
): Mutant =>
  lists<Row>([operation], 'invoices', (rows) =>
    rows.map((row) => {
      const other = of(rows.filter(({ status }) => status['code'] === row.status['code']))
      const taken = Object.fromEntries(fields.map((name) => [name, other?.status[name]]))
      return { ...row, status: { ...row.status, ...taken } }
    }),
  )

export const reasonsOfOthers = (): Generated[] =>
  (Object.entries(tables) as [OperationId, Rules][]).flatMap(([operation, rules]) =>
    Object.entries(parts).flatMap(([what, fields]) => [
      generated(
        'reason-of-another',
        `${operation}.${what}-of-the-first`,
        rules,
        takenOver(operation, fields, (alike) => alike[0]),
      ),
      generated(
        'reason-of-another',
        `${operation}.${what}-of-the-last`,
        rules,
        takenOver(operation, fields, (alike) => alike.at(-1)),
      ),
    ]),
  )
