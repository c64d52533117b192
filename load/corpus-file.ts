import { open as openFile, SeekMode } from 'k6/experimental/fs'
import type { File } from 'k6/experimental/fs'
import { recordBytes } from './assignment.ts'

/**
 * Files that Node prepared, read piece by piece: all virtual users share one copy, so memory does not grow with their
 * number.
 */

export interface Piece {
  /** Milliseconds from the start of the run. */
  readonly due: number
  readonly session: number
  readonly body: () => Promise<Uint8Array>
}

const readAt = async (file: File, from: number, length: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(length)
  await file.seek(from, SeekMode.Start)
  for (let read = 0; read < length;) {
    const piece = read === 0 ? bytes : new Uint8Array(length - read)
    const count = await file.read(piece)
    if (count === null || count === 0) throw new Error('the corpus ends before its index says so')
    if (read > 0) bytes.set(piece.subarray(0, count), read)
    read += count
  }
  return bytes
}

/** Opens the index and the bodies of an online assignment. Call it while k6 loads the script. */
export const openCorpus = (index: string, bodies: string): ((i: number) => Promise<Piece>) => {
  const opening = Promise.all([openFile(index), openFile(bodies)])
  return async (i) => {
    const [records, content] = await opening
    const record = await readAt(records, i * recordBytes, recordBytes)
    const view = new DataView(record.slice().buffer)
    const at = (place: number) => view.getFloat64(place * 8, true)
    return {
      due: at(0),
      session: at(3),
      body: () => readAt(content, at(1), at(2)),
    }
  }
}

/** Opens one file; the function reads all of it. */
export const openWhole = (path: string): (() => Promise<Uint8Array>) => {
  const opening = openFile(path)
  return async () => {
    const file = await opening
    return readAt(file, 0, (await file.stat()).size)
  }
}
