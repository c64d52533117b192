import { mkdirSync } from 'node:fs'
import { open } from 'lmdb'
import type { Durable } from './table.ts'

/**
 * The durable store: one LMDB environment, entities by table and key. Writes of one turn of the event loop are one
 * transaction; `flush` resolves when they are on disk.
 */

/** Opens or makes the store in a folder. */
export const openStore = (folder: string): Durable => {
  mkdirSync(folder, { recursive: true })
  const root = open<{ order: number; value: unknown }, [string, string]>({
    path: folder,
    encoding: 'msgpack',
    compression: false,
  })
  let order = 0
  const orders = new Map<string, number>()
  return {
    load(table) {
      const rows = [...root.getRange({ start: [table, ''], end: [`${table}\u0001`, ''] })]
        .filter(({ key }) => Array.isArray(key) && key[0] === table)
        .sort((a, b) => a.value.order - b.value.order)
      for (const { key, value } of rows) {
        order = Math.max(order, value.order)
        orders.set(`${table}\u0000${key[1]}`, value.order)
      }
      return rows.map(({ key, value }) => [key[1], value.value] as const)
    },
    put(table, key, value) {
      const name = `${table}\u0000${key}`
      let at = orders.get(name)
      if (at === undefined) orders.set(name, (at = ++order))
      void root.put([table, key], { order: at, value })
    },
    delete(table, key) {
      orders.delete(`${table}\u0000${key}`)
      void root.remove([table, key])
    },
    clear() {
      orders.clear()
      root.clearSync()
    },
    flush: async () => {
      await root.flushed
    },
    close: () => root.close(),
  }
}
