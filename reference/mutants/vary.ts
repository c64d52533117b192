import type { Service } from '../call/service.ts'
import type { State } from '../model/state.ts'
import type { Table } from '../model/table.ts'
import type { Mutant, TableEffects } from './mutant.ts'

/** The parts of a service that a mutant may vary. */
export type Parts = Pick<
  Service,
  'policy' | 'environment' | 'limit' | 'state' | 'schedule' | 'verifier'
>

const varyTable = <T>(
  table: Table<T, string>,
  { read, find, write, remove }: TableEffects<T>,
  state: State,
): Table<T, string> => ({
  ...table,
  get: (key) => (read ? read(table.get(key), key, state) : table.get(key)),
  by(index, value) {
    const found = table.by(index, value)
    return find ? find(found, index, value, table) : found
  },
  put(next) {
    const stored = write ? write(next, table.get(table.keyOf(next)), state) : next
    if (stored !== undefined) table.put(stored)
  },
  delete(key) {
    if (remove === undefined || remove(key, state)) table.delete(key)
  },
})

const varyState = (state: State, tables: NonNullable<Mutant['tables']>): State => ({
  ...state,
  ...Object.fromEntries(
    Object.entries(tables).map(([name, effects]) => [
      name,
      varyTable(
        state[name as keyof State] as Table<unknown, string>,
        effects as TableEffects<unknown>,
        state,
      ),
    ]),
  ),
})

/** The parts of a service with a defect in them. */
export const vary = (parts: Parts, mutant: Mutant): Parts => {
  const { limits, tables, later } = mutant
  return {
    policy: { ...parts.policy, ...mutant.policy },
    environment: { ...parts.environment, ...mutant.environment },
    limit: (id) => limits?.[id]?.(parts.limit(id)) ?? parts.limit(id),
    state: tables ? varyState(parts.state, tables) : parts.state,
    schedule: {
      ...parts.schedule,
      later(kind, subject, ms, prepare) {
        const delay = later ? later(kind, ms) : ms
        if (delay !== undefined) parts.schedule.later(kind, subject, delay, prepare)
      },
    },
    // Other threads know nothing of defects.
    verifier: undefined,
  }
}
