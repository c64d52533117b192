import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type { SchemaLoader } from './components.ts'
import type { Schema } from './model.ts'
import { parseSchema } from './parse.ts'

/** The text of a file, without the byte order mark that editors on Windows put before it. */
const textOf = (path: string) => readFileSync(path, 'utf8').replace(/^\uFEFF/, '')

/**
 * Finds included and imported schemas as files: relative to the one that names them, or, for an address on
 * the network, by its last part beside it. Nothing is fetched.
 */
export const fileLoader: SchemaLoader = (location, from) => {
  const remote = /^[a-z][a-z0-9+.-]*:\/\//i.test(location)
  const path = remote
    ? join(dirname(from), basename(decodeURIComponent(new URL(location).pathname)))
    : isAbsolute(location)
      ? location
      : join(dirname(from), decodeURIComponent(location))
  return existsSync(path) ? { text: textOf(path), file: path } : undefined
}

/**
 * Reads a schema file with all that it includes and imports.
 *
 * @throws SchemaError with file and line
 */
export function readSchema(path: string): Schema {
  return parseSchema({ text: textOf(path), file: path }, fileLoader)
}
