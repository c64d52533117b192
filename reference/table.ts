/**
 * Stores of the service. Each is a table of entities by key, with indexes; a change is a `put`, so that a durable
 * store beneath sees every one of them.
 */

/** Where changes go that shall outlive the process. */
export interface Durable {
  /** Entities of a table as they were kept, in the order of their first keeping. */
  load(table: string): Iterable<readonly [key: string, value: unknown]>
  put(table: string, key: string, value: unknown): void
  delete(table: string, key: string): void
  clear(): void
  /** Resolves when everything put so far is safe against the end of the process. */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface Table<T, Index extends string = never> {
  get(key: string): T | undefined
  /** Stores a new or changed entity under its key. */
  put(value: T): void
  delete(key: string): void
  /** In the order of their first storing. */
  values(): IterableIterator<T>
  /** Entities whose index has this value, in the order of their first storing. */
  by(index: Index, value: string): T[]
  readonly size: number
  clear(): void
}

/** A table; `indexes` give the values under which an entity is found besides its key (these must never change). */
export const createTable = <T, Index extends string = never>(
  name: string,
  key: (value: T) => string,
  indexes: { readonly [I in Index]: (value: T) => string | undefined },
  durable?: Durable,
): Table<T, Index> => {
  const rows = new Map<string, T>()
  const entries = Object.entries(indexes) as [Index, (value: T) => string | undefined][]
  const lookups = new Map<Index, Map<string, Map<string, T>>>(
    entries.map(([index]) => [index, new Map()]),
  )
  const hold = (id: string, value: T): void => {
    rows.set(id, value)
    for (const [index, of] of entries) {
      const at = of(value)
      if (at === undefined) continue
      const lookup = lookups.get(index)!
      const found = lookup.get(at)
      if (found) found.set(id, value)
      else lookup.set(at, new Map([[id, value]]))
    }
  }
  if (durable) for (const [id, value] of durable.load(name)) hold(id, value as T)

  return {
    get: (id) => rows.get(id),
    put(value) {
      const id = key(value)
      hold(id, value)
      durable?.put(name, id, value)
    },
    delete(id) {
      const value = rows.get(id)
      if (value === undefined) return
      rows.delete(id)
      for (const [index, of] of entries) {
        const at = of(value)
        if (at === undefined) continue
        const lookup = lookups.get(index)!
        lookup.get(at)?.delete(id)
        if (lookup.get(at)?.size === 0) lookup.delete(at)
      }
      durable?.delete(name, id)
    },
    values: () => rows.values(),
    by: (index, value) => [...(lookups.get(index)!.get(value)?.values() ?? [])],
    get size() {
      return rows.size
    },
    clear() {
      rows.clear()
      for (const lookup of lookups.values()) lookup.clear()
    },
  }
}
