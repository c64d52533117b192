import { after } from './after.ts'
import { recordBytes } from './assignment.ts'

/** Files that Node prepared, read piece by piece. */

/** A file of which all virtual users share one copy, or that is not held in memory at all. */
export interface CorpusFile {
  size(): number | Promise<number>
  /** Fails where the file is shorter. */
  read(from: number, length: number): ArrayBuffer | Promise<ArrayBuffer>
}

/** Opens a file. k6 allows it only while it loads the script. */
export type OpenCorpusFile = (path: string) => CorpusFile

export interface Piece {
  /** Milliseconds from the start of the run. */
  readonly due: number
  readonly session: number
  readonly body: ArrayBuffer
}

/** The pieces of an online assignment, by its index. */
export const openCorpus = (
  open: OpenCorpusFile,
  index: string,
  bodies: string,
): ((i: number) => Piece | Promise<Piece>) => {
  const records = open(index)
  const content = open(bodies)
  return (i) =>
    after(records.read(i * recordBytes, recordBytes), (record) => {
      const values = new Float64Array(record)
      const at = (place: number): number => values[place] ?? 0
      return after(content.read(at(1), at(2)), (body) => ({ due: at(0), session: at(3), body }))
    })
}

/** Opens one file; the function reads all of it. */
export const openWhole = (open: OpenCorpusFile, path: string): (() => Promise<Uint8Array>) => {
  const file = open(path)
  return async () => new Uint8Array(await file.read(0, await file.size()))
}
