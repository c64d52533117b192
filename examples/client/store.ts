import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'

/**
 * A small durable store: an append-only file of `{ key, value }` lines, each on the disk before `put` returns. The last
 * line of a key counts. A line that a crash cut short is the last one, was never confirmed, and is left out.
 */
export interface Store {
  get(key: string): unknown
  put(key: string, value: unknown): void
  /** Entries whose keys begin so, in the order of their first writing. */
  entries(prefix: string): [string, unknown][]
  close(): void
}

/** Opens the store in a folder, which is created where it is missing. */
export function openStore(folder: string): Store {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'store.ndjson')
  const values = new Map<string, unknown>()
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  for (const line of whole.split('\n').filter((one) => one !== '')) {
    const { key, value } = JSON.parse(line) as { key: string; value: unknown }
    values.set(key, value)
  }
  const descriptor = openSync(file, 'a')
  // What was cut short gets a line of its own, so that the next one is whole.
  if (whole.length < text.length) writeSync(descriptor, '\n')
  return {
    get: (key) => values.get(key),
    put(key, value) {
      writeSync(descriptor, `${JSON.stringify({ key, value })}\n`)
      fsyncSync(descriptor)
      values.set(key, value)
    },
    entries: (prefix) => [...values].filter(([key]) => key.startsWith(prefix)),
    close: () => closeSync(descriptor),
  }
}
