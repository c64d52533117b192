import type { Secret } from './payload.ts'
import { encrypted, hash64 } from './payload.ts'
import type { ZipEntry } from './zip.ts'
import { zip } from './zip.ts'

/** File name -> document. */
export type Documents = Readonly<Record<string, Uint8Array>>

export const entriesOf = (documents: Documents): ZipEntry[] =>
  Object.entries(documents).map(([name, content]) => ({ name, content }))

/** The archive as it should be. */
export const goodArchive = (documents: Documents): Uint8Array => zip(entriesOf(documents))

/** An archive to be sent in parts under a secret. */
export interface BatchDraft extends Secret {
  readonly archive: Uint8Array
  /** Plain bytes of each part but the last. */
  readonly partBytes: number
}

export interface BatchPart {
  readonly ordinalNumber: number
  readonly fileSize: number
  readonly fileHash: string
}

/** The description of the package in the body of the opening. */
export interface BatchFile {
  readonly fileSize: number
  readonly fileHash: string
  readonly fileParts: readonly BatchPart[]
}

export interface Package {
  readonly batchFile: BatchFile
  /** The bytes of the parts, by their place; undefined is not uploaded. */
  readonly parts: readonly (Uint8Array | undefined)[]
}

/** Cuts the archive into parts and encrypts each on its own, as it should be. */
export function goodPackage(draft: BatchDraft): Package {
  const { archive, partBytes } = draft
  const parts: Uint8Array[] = []
  for (let at = 0; at < Math.max(1, archive.length); at += partBytes) {
    parts.push(encrypted(archive.slice(at, at + partBytes), draft))
  }
  return { batchFile: describePackage(archive, parts), parts }
}

export function describePackage(archive: Uint8Array, parts: readonly Uint8Array[]): BatchFile {
  return {
    fileSize: archive.length,
    fileHash: hash64(archive),
    fileParts: parts.map((bytes, i) => ({
      ordinalNumber: i + 1,
      fileSize: bytes.length,
      fileHash: hash64(bytes),
    })),
  }
}
