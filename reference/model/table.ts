/**
 * Stores of the service. Each is a table of entities by key, with indexes; a change is a `put`, so that a durable
 * store beneath sees every one of them.
 */

/** Where changes go that must outlive the process. */
export interface Durable {
  /** Entities of a table as they were stored, in the order of their first storing. */
  load(table: string): Iterable<readonly [key: string, value: unknown]>
  put(table: string, key: string, value: unknown): void
  delete(table: string, key: string): void
  clear(): void
  /** Resolves with the reason when something could not be written: from then on nothing may be answered. */
  readonly failed: Promise<Error>
  /** Resolves when everything put so far is safe against the end of the process. */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface Table<T, Index extends string = never> {
  get(key: string): T | undefined
  keyOf(value: T): string
  /** Stores a new or changed entity under its key. */
  put(value: T): void
  delete(key: string): void
  /** In the order of their first storing. */
  values(): IterableIterator<T>
  /** Entities whose index has this value, in the order of their first storing. */
  by(index: Index, value: string): T[]
  size(): number
  clear(): void
}

/** The entities under one value of an index: mostly one, and a map of one costs many times its content. */
type Found<T> = { readonly one: T } | Map<string, T>

/** A table; `indexes` give the values under which an entity is found besides its key (these must never change). */
export const createTable = <T, Index extends string = never>(
  name: string,
  key: (value: T) => string,
  indexes: { readonly [I in Index]: (value: T) => string | undefined },
  durable?: Durable,
): Table<T, Index> => {
  const rows = new Map<string, T>()
  const indexed = (Object.entries(indexes) as [Index, (value: T) => string | undefined][]).map(
    ([index, of]) => ({ index, of, found: new Map<string, Found<T>>() }),
  )
  const lookups = new Map(indexed.map(({ index, found }) => [index, found]))
  const hold = (id: string, value: T): void => {
    rows.set(id, value)
    for (const { of, found } of indexed) {
      const at = of(value)
      if (at === undefined) continue
      const there = found.get(at)
      if (there === undefined) found.set(at, { one: value })
      else if (there instanceof Map) there.set(id, value)
      else {
        const other = key(there.one)
        found.set(
          at,
          other === id
            ? { one: value }
            : new Map([
                [other, there.one],
                [id, value],
              ]),
        )
      }
    }
  }
  if (durable) for (const [id, value] of durable.load(name)) hold(id, value as T)

  return {
    get: (id) => rows.get(id),
    keyOf: key,
    put(value) {
      const id = key(value)
      hold(id, value)
      durable?.put(name, id, value)
    },
    delete(id) {
      const value = rows.get(id)
      if (value === undefined) return
      rows.delete(id)
      for (const { of, found } of indexed) {
        const at = of(value)
        if (at === undefined) continue
        const there = found.get(at)
        if (there instanceof Map && there.size > 1) there.delete(id)
        else found.delete(at)
      }
      durable?.delete(name, id)
    },
    values: () => rows.values(),
    by(index, value) {
      const there = lookups.get(index)!.get(value)
      if (there === undefined) return []
      return there instanceof Map ? [...there.values()] : [there.one]
    },
    size: () => rows.size,
    clear() {
      rows.clear()
      for (const { found } of indexed) found.clear()
    },
  }
}
