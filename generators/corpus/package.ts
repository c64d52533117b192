import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { BatchPart } from '../requests/package.ts'
import { encrypted, hash64 } from '../requests/payload.ts'
import type { ZipEntry } from '../requests/zip.ts'
import { zipChunks } from '../requests/zip.ts'
import type { Secret } from '../requests/payload.ts'

/** Offsets in an archive are 32 bits wide. */
const maxBytes = 2 ** 32 - 1

/** The archive is larger than the format can express, or has more parts than the service accepts. */
export class PackageError extends Error {
  override readonly name = 'PackageError'
}

/** Writes pieces into a file; returns its size and its hash in Base64. */
function writeAll(path: string, pieces: Iterable<Uint8Array>): { size: number; hash: string } {
  const file = openSync(path, 'w')
  const hash = createHash('sha256')
  let size = 0
  try {
    for (const piece of pieces) {
      size += piece.length
      if (size > maxBytes) throw new PackageError(`the package is larger than ${maxBytes} bytes`)
      hash.update(piece)
      writeSync(file, piece)
    }
  } finally {
    closeSync(file)
  }
  return { size, hash: hash.digest('base64') }
}

/**
 * Writes a batch package of documents: `package.zip`, its encrypted parts, and `batch.json` with the fields that
 * describe them in the opening of a batch session. Holds one document or one part at a time.
 *
 * @param documents read one by one
 * @param partBytes plain bytes of each part but the last
 * @param maxParts the maximum number of parts that the service accepts
 * @returns the names of the files
 * @throws PackageError where the archive would pass 4 GB, or needs more parts
 */
export function writePackage(
  directory: string,
  documents: Iterable<ZipEntry>,
  secret: Secret,
  { partBytes, maxParts }: { readonly partBytes: number; readonly maxParts: number },
): string[] {
  const archive = 'package.zip'
  const { size, hash } = writeAll(join(directory, archive), zipChunks(documents))
  const needed = Math.ceil(size / partBytes)
  if (needed > maxParts)
    throw new PackageError(
      `--part-bytes: ${size} bytes in parts of ${partBytes} are ${needed} parts; the service takes at most ${maxParts}. Choose larger parts, or --allow-invalid`,
    )
  const fileParts: BatchPart[] = []
  const names: string[] = []
  const file = openSync(join(directory, archive), 'r')
  try {
    for (let at = 0; at < size; at += partBytes) {
      const plain = new Uint8Array(Math.min(partBytes, size - at))
      readSync(file, plain, 0, plain.length, at)
      const bytes = encrypted(plain, secret)
      const ordinalNumber = fileParts.length + 1
      const name = `package.part-${String(ordinalNumber).padStart(2, '0')}`
      writeFileSync(join(directory, name), bytes)
      names.push(name)
      fileParts.push({ ordinalNumber, fileSize: bytes.length, fileHash: hash64(bytes) })
    }
  } finally {
    closeSync(file)
  }
  const batchFile = { fileSize: size, fileHash: hash, fileParts }
  writeFileSync(join(directory, 'batch.json'), `${JSON.stringify({ batchFile }, undefined, 2)}\n`)
  return [archive, ...names, 'batch.json']
}
