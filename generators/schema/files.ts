import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type { SchemaLoader } from './components.ts'
import type { Schema } from './model.ts'
import { SchemaError } from './model.ts'
import { parseSchema } from './parse.ts'

/** The encoding of a document: that of its byte order mark, else the declared one, else UTF-8. */
function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  return (
    /^(?:\u00EF\u00BB\u00BF)?<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)["']/.exec(head)?.[1] ??
    'utf-8'
  )
}

/**
 * The text of a schema file, without a byte order mark.
 *
 * @throws SchemaError where its bytes are not what its encoding says
 */
function textOf(path: string): string {
  const bytes = readFileSync(path)
  const encoding = encodingOf(bytes)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new SchemaError(`the file cannot be read as ${encoding}`, path, 1)
  }
}

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
