import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { open } from 'lmdb'
import type { RootDatabase } from 'lmdb'
import {
  StoreProblem,
  damaged,
  inUse,
  noRoom,
  notWritable,
  otherFormat,
  otherKind,
  writeFailed,
} from './store-problem.ts'
import type { Durable } from './table.ts'

/**
 * The durable store: one LMDB environment with entities by table and key. All writes of one turn of the event loop form
 * one transaction, so related changes are stored together or not at all; `flush` resolves when they are on disk.
 */

/** The format of stored entities; incremented when it changes. */
const format = 1

/** The dialect and environment that a store belongs to; its data cannot be moved to another. */
export interface StoreKind {
  readonly dialect: string
  readonly environment: string
}

interface Row {
  readonly order: number
  readonly value: unknown
}

type Root = RootDatabase<Row, [string, string]>

const kindKey: [string, string] = ['store', 'kind']

/** Locks the folder for one process: two processes would lose each other's data. */
const occupy = (folder: string): (() => void) => {
  const file = join(folder, 'owner.pid')
  const claim = (): void => writeFileSync(file, String(process.pid), { flag: 'wx' })
  try {
    mkdirSync(folder, { recursive: true })
    claim()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST' || syscall === 'mkdir') throw notWritable(folder, error)
    const owner = Number(readFileSync(file, 'utf8'))
    if (owner !== process.pid && isAlive(owner)) throw inUse(folder, owner, error)
    // The owner of the lock was killed.
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

/** Reads an existing store in another process, which survives damage; only compiled sources can do so. */
const probe = (folder: string, path: string): void => {
  if (!existsSync(path)) return
  const found = statSync(path)
  if (!found.isFile()) throw damaged(folder, 'something that is no file')
  if (found.size === 0) throw damaged(folder, 'an empty file')
  const reader = fileURLToPath(new URL('./probe.js', import.meta.url))
  if (!existsSync(reader)) return
  const { status, signal, stderr } = spawnSync(process.execPath, [reader, path], {
    encoding: 'utf8',
    env: {},
  })
  if (status === 0) return
  const said = /^\w*Error: (.*)$/m.exec(stderr)?.[1]
  throw damaged(folder, said ?? `one that ends its reader (${signal ?? status})`)
}

/** Records dialect and environment in a new store, and compares them in an existing one. */
const agree = (folder: string, root: Root, kind: StoreKind): void => {
  const kept = root.get(kindKey)?.value as (StoreKind & { format: unknown }) | undefined
  if (kept === undefined && root.getKeysCount({ limit: 1 }) > 0)
    throw otherFormat(folder, format, undefined)
  if (kept === undefined) return
  if (kept.format !== format) throw otherFormat(folder, format, kept.format)
  for (const what of ['dialect', 'environment'] as const)
    if (kept[what] !== kind[what]) throw otherKind(folder, what, kind[what], kept[what])
}

/**
 * Reports when a transaction of the engine fails. The engine also rejects promises that callers cannot reach.
 * @returns stops listening
 */
const listen = (failed: (error: unknown) => void): (() => void) => {
  const unhandled = (error: unknown): void => {
    if (!(error instanceof Error) || !/[\\/]lmdb[\\/]/.test(error.stack ?? '')) throw error
    failed(error)
  }
  process.on('unhandledRejection', unhandled)
  return () => process.off('unhandledRejection', unhandled)
}

const requiredBytes = 64 * 1024

/** The engine ends the process when it has no room for its first pages. */
const requireRoom = (folder: string): void => {
  const file = join(folder, 'room')
  try {
    writeFileSync(file, Buffer.alloc(requiredBytes))
  } catch (error) {
    throw noRoom(folder, requiredBytes, error)
  } finally {
    rmSync(file, { force: true })
  }
}

const openRoot = (folder: string, path: string): Root => {
  try {
    return open<Row, [string, string]>({ path, encoding: 'msgpack', compression: false })
  } catch (error) {
    throw (error as { code?: unknown }).code === 30 || !existsSync(path)
      ? notWritable(folder, error)
      : damaged(folder, (error as Error).message, error)
  }
}

/**
 * Opens the store in a folder, or creates it.
 * @throws {StoreProblem} when another process has it open, it cannot be written, or its content is not as expected
 */
export const openStore = (folder: string, kind: StoreKind): Durable => {
  const path = join(folder, 'store.mdb')
  const leave = occupy(folder)
  let root: Root
  try {
    requireRoom(folder)
    probe(folder, path)
    root = openRoot(folder, path)
    agree(folder, root, kind)
  } catch (error) {
    leave()
    throw error
  }
  let order = 0
  const orders = new Map<string, number>()
  let failure: StoreProblem | undefined
  let report: (problem: StoreProblem) => void = () => undefined
  const failed = new Promise<StoreProblem>((resolve) => (report = resolve))
  const fail = (error: unknown): void => {
    failure ??= writeFailed(folder, error)
    report(failure)
  }
  const ignore = listen(fail)
  const note = (written: Promise<unknown>): void => {
    written.catch(fail)
  }
  const mark = (): void => note(root.put(kindKey, { order: 0, value: { ...kind, format } }))
  mark()
  return {
    failed,
    load(table) {
      try {
        const rows = [...root.getRange({ start: [table, ''], end: [`${table}\u0001`, ''] })]
          .filter(({ key }) => Array.isArray(key) && key[0] === table)
          .toSorted((a, b) => a.value.order - b.value.order)
        for (const { key, value } of rows) {
          order = Math.max(order, value.order)
          orders.set(`${table}\u0000${key[1]}`, value.order)
        }
        return rows.map(({ key, value }) => [key[1], value.value] as const)
      } catch (error) {
        throw damaged(folder, (error as Error).message, error)
      }
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
      // Queued after earlier writes, which would otherwise restore their entities.
      note(root.clearAsync())
      mark()
    },
    async flush() {
      // The engine reports nothing more after a failure.
      await Promise.race([root.flushed, failed])
      // A call whose data could not be written must not be answered as a success.
      if (failure !== undefined) throw failure
    },
    async close() {
      await Promise.race([root.flushed, failed])
      leave()
      // A failed engine does not close, and may report further errors.
      if (failure !== undefined) return
      await root.close()
      ignore()
    },
  }
}
