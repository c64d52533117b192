import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import type { Durable } from './table.ts'

/**
 * The durable store: one LMDB environment, entities by table and key. Writes of one turn of the event loop are one
 * transaction, so what belongs together is there as a whole or not at all; `flush` resolves when they are on disk.
 */

/** A folder is one process's alone: two would each forget what the other accepted. */
const occupy = (folder: string): (() => void) => {
  const file = join(folder, 'owner.pid')
  const claim = (): void => writeFileSync(file, String(process.pid), { flag: 'wx' })
  try {
    claim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const owner = Number(readFileSync(file, 'utf8'))
    if (owner !== process.pid && isAlive(owner)) {
      throw new Error(`the store ${folder} is in use by process ${owner}`, { cause: error })
    }
    // Its owner was killed.
    rmSync(file, { force: true })
    claim()
  }
  return () => rmSync(file, { force: true })
}

const isAlive = (pid: number): boolean => {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Opens or makes the store in a folder.
 * @throws {Error} when another process has it open, or the folder cannot be written
 */
export const openStore = (folder: string): Durable => {
  mkdirSync(folder, { recursive: true })
  const leave = occupy(folder)
  const root = open<{ order: number; value: unknown }, [string, string]>({
    path: join(folder, 'store.mdb'),
    encoding: 'msgpack',
    compression: false,
  })
  let order = 0
  const orders = new Map<string, number>()
  let failure: unknown
  const note = (written: Promise<unknown>): void => {
    written.catch((error: unknown) => (failure ??= error))
  }
  return {
    load(table) {
      const rows = [...root.getRange({ start: [table, ''], end: [`${table}\u0001`, ''] })]
        .filter(({ key }) => Array.isArray(key) && key[0] === table)
        .toSorted((a, b) => a.value.order - b.value.order)
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
      note(root.put([table, key], { order: at, value }))
    },
    delete(table, key) {
      orders.delete(`${table}\u0000${key}`)
      note(root.remove([table, key]))
    },
    clear() {
      orders.clear()
      // In turn with the writes before it, which would else come back.
      note(root.clearAsync())
    },
    async flush() {
      await root.flushed
      // What could not be written must not be answered as if it were.
      if (failure !== undefined) throw new Error('the store cannot be written', { cause: failure })
    },
    async close() {
      await root.flushed
      await root.close()
      leave()
    },
  }
}
