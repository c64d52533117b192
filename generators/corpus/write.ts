import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../lib/node/make-directory.ts'
import { setImmediate as pause } from 'node:timers/promises'
import type { CorpusLine } from './corpus.ts'
import { sha256Hex } from './corpus.ts'

export interface WrittenDocument {
  readonly line: CorpusLine
  readonly bytes: Uint8Array
  /** Further files beside the document, such as a request body. */
  readonly beside?: readonly { readonly file: string; readonly bytes: Uint8Array }[]
}

export interface WriteOptions {
  readonly directory: string
  /** What the documents are; another description in the same directory is an error. */
  readonly description: Readonly<Record<string, unknown>>
  readonly onProgress?: (written: number) => void
  readonly onLine?: (line: CorpusLine) => void
  readonly signal?: AbortSignal
}

/** The directory holds documents of another description. */
export class CorpusMismatchError extends Error {
  override readonly name = 'CorpusMismatchError'
}

const indexFile = 'index.ndjson'
const descriptionFile = 'corpus.json'
/** Documents between two pauses, in which signals and timers get their turn. */
const yieldInterval = 64

/** The value of a JSON text; undefined where the text is not JSON. */
function parsed<T>(text: string): Partial<T> | undefined {
  try {
    return JSON.parse(text) as Partial<T>
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * The contents of a file that an earlier run left beside its documents.
 *
 * @throws CorpusMismatchError where it is damaged
 */
export function readLeft<T>(path: string): Partial<T> {
  const left = parsed<T>(readFileSync(path, 'utf8'))
  if (left !== undefined) return left
  throw new CorpusMismatchError(
    `${path} is damaged: expected JSON. Empty the directory, or choose another with --out`,
  )
}

/** A line of an index; undefined where it is damaged. */
function readLine(text: string): CorpusLine | undefined {
  const line = parsed<CorpusLine>(text)
  return line?.file !== undefined && line.bytes !== undefined && line.sha256 !== undefined
    ? (line as CorpusLine)
    : undefined
}

/** The lines of an index up to the first that is damaged or half-written; the file is cut off there. */
function completeLines(path: string): CorpusLine[] {
  if (!existsSync(path)) return []
  const bytes = readFileSync(path)
  const lines: CorpusLine[] = []
  let end = 0
  for (;;) {
    const next = bytes.indexOf(0x0a, end)
    const line = next < 0 ? undefined : readLine(bytes.subarray(end, next).toString('utf8'))
    if (line === undefined) break
    lines.push(line)
    end = next + 1
  }
  if (end < bytes.length) truncateSync(path, end)
  return lines
}

/** Whether a file of an earlier run has the size and hash that the index states. */
function isIntact(directory: string, { file, bytes, sha256 }: CorpusLine): boolean {
  const path = join(directory, file)
  if (!existsSync(path) || statSync(path).size !== bytes) return false
  return sha256Hex(readFileSync(path)) === sha256
}

/** The options in which two descriptions differ, in words. */
function differences(path: string, here: Readonly<Record<string, unknown>>): string {
  const old = readLeft<Record<string, unknown>>(path)
  const shown = (value: unknown) => (value === undefined ? 'absent' : JSON.stringify(value))
  return [...new Set([...Object.keys(old), ...Object.keys(here)])]
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(here[name]))
    .map((name) => `${name} is ${shown(old[name])} there and ${shown(here[name])} here`)
    .join('; ')
}

/**
 * Writes documents and their index. A line is added to the index only after its file is complete, so a run that
 * was interrupted continues where it stopped.
 *
 * @param documents makes the documents from a number on
 * @returns how many were there before, and how many there are now
 * @throws CorpusMismatchError where the directory holds something else
 */
export async function writeCorpus(
  documents: (from: number) => Iterable<WrittenDocument> | AsyncIterable<WrittenDocument>,
  { directory, description, onProgress, onLine, signal }: WriteOptions,
): Promise<{ readonly resumedAt: number; readonly written: number; readonly repaired: number }> {
  makeDirectory(directory)
  const described = `${JSON.stringify(description, undefined, 2)}\n`
  const descriptionPath = join(directory, descriptionFile)
  if (!existsSync(descriptionPath)) {
    // Written completely or not at all, whenever the run ends.
    writeFileSync(`${descriptionPath}.new`, described)
    renameSync(`${descriptionPath}.new`, descriptionPath)
  }
  const there = readFileSync(descriptionPath, 'utf8')
  if (there !== described) {
    throw new CorpusMismatchError(
      `${descriptionPath} describes other documents: ${differences(descriptionPath, description)}. Empty the directory, or choose another with --out`,
    )
  }
  const indexPath = join(directory, indexFile)
  const lines = completeLines(indexPath)
  const damaged = new Set([...lines.keys()].filter((place) => !isIntact(directory, lines[place]!)))
  const resumedAt = lines.length
  const [firstDamaged = resumedAt] = damaged
  const index = openSync(indexPath, 'a')
  let written = resumedAt
  let place = firstDamaged
  try {
    for await (const { line, bytes, beside = [] } of documents(firstDamaged)) {
      if (signal?.aborted) break
      const isNew = place >= resumedAt
      const known = lines[place++]
      if (!isNew && known && !damaged.has(place - 1)) continue
      if (known && known.sha256 !== line.sha256) {
        throw new CorpusMismatchError(
          `${line.file} is damaged, and these options give another document: the index is of another version. Choose another directory with --out`,
        )
      }
      writeFileSync(join(directory, line.file), bytes)
      for (const each of beside) writeFileSync(join(directory, each.file), each.bytes)
      if (!isNew) continue
      writeSync(index, `${JSON.stringify(line)}\n`)
      written++
      onLine?.(line)
      onProgress?.(written)
      if (written % yieldInterval === 0) await pause()
    }
  } finally {
    closeSync(index)
  }
  return { resumedAt, written, repaired: damaged.size }
}
