import type { State } from '../../model/state.ts'
import type { Table } from '../../model/table.ts'
import type { Authentication } from '../../model/entities.ts'
import { nipOf } from '../../model/entities.ts'
import type { Mutant, Place } from '../mutant.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'
import type { TableName } from './writers.ts'
import { places, written } from './writers.ts'

/** A setting of one caller applies to everyone without such a setting: the default is changed, and not one row. */

type Row = Readonly<Record<string, unknown>>
type AnyTable = Table<Row, string>

/** The setting as that of another caller who logged in. */
const rows: { readonly [Name in TableName]?: (set: Row, login: Authentication) => Row } = {
  rates: (set, { context }) => ({ ...set, context }),
  contextLimits: (set, { context }) => ({ ...set, context }),
  subjectLimits: (set, { subject }) => ({ ...set, subject }),
  consents: (set, { context }) => ({ ...set, nip: nipOf(context) }),
  blocks: (_set, { context }) => ({ ...context }),
}

const forEveryone = (
  at: Place,
  name: TableName,
  rowOf: (set: Row, login: Authentication) => Row,
): Mutant => ({
  at: [at],
  tables: {
    [name]: {
      write(next: Row, _before: unknown, state: State) {
        const table = state[name] as unknown as AnyTable
        for (const login of state.authentications.values()) {
          if (login.subject === undefined) continue
          const row = rowOf(next, login)
          if (table.get(table.keyOf(row)) === undefined) table.put(row)
        }
        return next
      },
    },
  },
})

export const settingsForEveryone = (): Generated[] =>
  places.flatMap(([place, writer]) =>
    written(writer).flatMap((name) => {
      const rowOf = rows[name]
      return rowOf === undefined
        ? []
        : [generated('everyone', `${place}.${name}`, writer.rules, forEveryone(place, name, rowOf))]
    }),
  )
