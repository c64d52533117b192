import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import type { CorpusLine } from './corpus.ts'

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
const breath = 64

/** The complete lines of an index; what a broken run left half-written is cut off. */
function completeLines(path: string): number {
  if (!existsSync(path)) return 0
  const bytes = readFileSync(path)
  const end = bytes.lastIndexOf(0x0a) + 1
  if (end < bytes.length) truncateSync(path, end)
  let lines = 0
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines++
  return lines
}

/**
 * Writes documents and their index. A line stands in the index only after its file is complete, so a run that
 * was broken off continues where it stopped.
 *
 * @param documents makes the documents from a number on
 * @returns how many were there before, and how many there are now
 * @throws CorpusMismatchError where the directory holds something else
 */
export async function writeCorpus(
  documents: (from: number) => Iterable<WrittenDocument> | AsyncIterable<WrittenDocument>,
  { directory, description, onProgress, onLine, signal }: WriteOptions,
): Promise<{ readonly resumedAt: number; readonly written: number }> {
  mkdirSync(directory, { recursive: true })
  const described = `${JSON.stringify(description, undefined, 2)}\n`
  const descriptionPath = join(directory, descriptionFile)
  if (!existsSync(descriptionPath)) {
    // All of it or nothing, whenever the run ends.
    writeFileSync(`${descriptionPath}.new`, described)
    renameSync(`${descriptionPath}.new`, descriptionPath)
  }
  if (readFileSync(descriptionPath, 'utf8') !== described) {
    throw new CorpusMismatchError(
      `${descriptionPath} describes other documents: empty the directory, or choose another one`,
    )
  }
  const indexPath = join(directory, indexFile)
  const resumedAt = completeLines(indexPath)
  const index = openSync(indexPath, 'a')
  let written = resumedAt
  try {
    for await (const { line, bytes, beside = [] } of documents(resumedAt)) {
      if (signal?.aborted) break
      writeFileSync(join(directory, line.file), bytes)
      for (const each of beside) writeFileSync(join(directory, each.file), each.bytes)
      writeSync(index, `${JSON.stringify(line)}\n`)
      written++
      onLine?.(line)
      onProgress?.(written)
      if (written % breath === 0) await pause()
    }
  } finally {
    closeSync(index)
  }
  return { resumedAt, written }
}
