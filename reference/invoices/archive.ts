/**
 * Packages of documents: reads uploaded ones within bounds, and writes exported ones.
 * Source: gaps batch-package and export-body.
 */

import { promisify } from 'node:util'
import { crc32, deflateRaw, gunzip, gzip, inflateRawSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { fromBuffer, getFileNameLowLevel } from 'yauzl'
import type { Entry, ZipFile } from 'yauzl'
import type { CheckedEntry } from '../policy/sessions.ts'

/** The archive is damaged, hostile, or not of the announced format. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive'
}

export interface ArchiveBounds {
  /** Total bytes of all entries. */
  readonly bytes: number
  /** Maximum number of entries; one more is counted but not read. Folders have a separate limit of the same size. */
  readonly entries: number
  readonly nameAllowed: (name: string) => boolean
  readonly expansionAllowed: (unpacked: number, max: number) => boolean
  readonly entryAllowed: (content: Uint8Array) => boolean
  readonly checkValueFits: (entry: CheckedEntry) => boolean
}

export interface ArchiveEntry {
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * The entries of an archive, in its order.
 * @throws {BadArchive} with the reason
 */
export const readArchive = (
  bytes: Uint8Array,
  kind: 'Zip' | 'TarGz',
  bounds: ArchiveBounds,
): Promise<ArchiveEntry[]> => (kind === 'Zip' ? readZip(bytes, bounds) : readTarGz(bytes, bounds))

/** A name as messages show it. */
const shown = (name: string): string => (name.length <= 100 ? name : `${name.slice(0, 100)}...`)

/** Checks entries against the bounds while they are read. */
const gatherer = (bounds: ArchiveBounds) => {
  const entries: ArchiveEntry[] = []
  let total = 0
  let names = 0
  return {
    entries,
    get full() {
      return entries.length > bounds.entries
    },
    name(name: string) {
      if (++names > 2 * bounds.entries + 1)
        throw new BadArchive(`The package has more than ${bounds.entries} folders`)
      if (!bounds.nameAllowed(name))
        throw new BadArchive(`The name ${shown(name)} leaves the package`)
    },
    grow(by: number) {
      total += by
      if (!bounds.expansionAllowed(total, bounds.bytes))
        throw new BadArchive(`The package unpacks to more than ${bounds.bytes} bytes`)
    },
    add(name: string, content: Uint8Array) {
      if (!bounds.entryAllowed(content))
        throw new BadArchive(`The entry ${shown(name)} is an archive itself`)
      entries.push({ name, bytes: content })
    },
  }
}

const openZip = promisify(
  (bytes: Buffer, done: (error: Error | null, zip?: ZipFile) => void): void => {
    fromBuffer(
      bytes,
      { lazyEntries: true, validateEntrySizes: true, decodeStrings: false },
      (error, zip) => done(error, zip),
    )
  },
)

/** Largest entry, in bytes, that is unpacked at once; a stream for each entry costs several times as much. */
const small = 1_000_000

const isSmall = ({ compressionMethod, compressedSize, uncompressedSize }: Entry): boolean =>
  (compressionMethod === 0 || compressionMethod === 8) &&
  compressedSize <= small &&
  uncompressedSize <= small

/** @throws {BadArchive} when the content does not match the headers */
const unpack = (packed: Uint8Array, { compressionMethod, uncompressedSize }: Entry): Uint8Array => {
  try {
    const content =
      compressionMethod === 0
        ? Uint8Array.from(packed)
        : inflateRawSync(packed, { maxOutputLength: Math.max(uncompressedSize, 1) })
    if (content.length === uncompressedSize) return content
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_BUFFER_TOO_LARGE') throw error
  }
  throw new BadArchive('An entry has not the size that it says')
}

const readSmall = async (
  archive: Uint8Array,
  zip: ZipFile,
  entry: Entry,
  grow: (by: number) => void,
): Promise<Uint8Array> => {
  grow(entry.uncompressedSize)
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const content = unpack(
    archive.subarray(fileDataStart, fileDataStart + entry.compressedSize),
    entry,
  )
  return content
}

const readLarge = (zip: ZipFile, entry: Entry, grow: (by: number) => void): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null) {
        reject(error)
        return
      }
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => {
        try {
          grow(chunk.length)
          chunks.push(chunk)
        } catch (over) {
          stream.destroy(over as Error)
        }
      })
      stream.on('error', reject)
      stream.on('end', () => {
        resolve(Buffer.concat(chunks))
      })
    })
  })

// yauzl would reject names itself; here the policy of the service decides.
const nameOf = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string =>
  getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)

/** Whether an entry is a link, device or similar; writers without modes leave 0. */
const special = (entry: Entry): boolean =>
  ![0, 0o100000, 0o040000].includes((entry.externalFileAttributes >>> 16) & 0o170000)

const readZip = async (bytes: Uint8Array, bounds: ArchiveBounds): Promise<ArchiveEntry[]> => {
  const into = gatherer(bounds)
  try {
    const zip = await openZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (zip === undefined) throw new BadArchive('The package is no ZIP archive')
    await new Promise<void>((resolve, reject) => {
      zip.on('error', reject)
      zip.on('end', resolve)
      zip.on('entry', (entry: Entry) => {
        const read = async (): Promise<void> => {
          const name = nameOf(entry)
          into.name(name)
          if (name.endsWith('/')) return
          if ((entry.generalPurposeBitFlag & 1) !== 0)
            throw new BadArchive(`The entry ${shown(name)} is encrypted`)
          if (special(entry)) throw new BadArchive(`The entry ${shown(name)} is no regular file`)
          const grow = (by: number): void => into.grow(by)
          const content = isSmall(entry)
            ? await readSmall(bytes, zip, entry, grow)
            : await readLarge(zip, entry, grow)
          const found = { found: crc32(content), bytes: content.length }
          if (!bounds.checkValueFits({ stated: entry.crc32, ...found }))
            throw new BadArchive('The check value of an entry is wrong')
          into.add(name, content)
        }
        read().then(() => {
          if (into.full) resolve()
          else zip.readEntry()
        }, reject)
      })
      zip.readEntry()
    })
  } catch (error) {
    throw error instanceof BadArchive
      ? error
      : new BadArchive(error instanceof Error ? error.message : String(error))
  }
  return into.entries
}

const inflate = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip)

const readTarGz = async (bytes: Uint8Array, bounds: ArchiveBounds): Promise<ArchiveEntry[]> => {
  const into = gatherer(bounds)
  let tar: Buffer
  try {
    // 2 KB for the header and padding of each entry.
    tar = await inflate(bytes, { maxOutputLength: bounds.bytes + 2048 * (bounds.entries + 2) })
  } catch (error) {
    throw new BadArchive(
      (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
        ? `The package unpacks to more than ${bounds.bytes} bytes`
        : 'The package is not compressed by gzip',
    )
  }
  const reader = extract()
  reader.end(tar)
  try {
    for await (const entry of reader) {
      const { name, type } = entry.header
      into.name(name)
      if (type !== 'file' && type !== 'directory')
        throw new BadArchive(`The entry ${shown(name)} is a ${type}`)
      const chunks: Buffer[] = []
      for await (const chunk of entry) {
        into.grow((chunk as Buffer).length)
        chunks.push(chunk as Buffer)
      }
      if (type === 'file') into.add(name, Buffer.concat(chunks))
      if (into.full) break
    }
  } catch (error) {
    throw error instanceof BadArchive
      ? error
      : new BadArchive(error instanceof Error ? error.message : String(error))
  }
  return into.entries
}

const deflate = promisify<Uint8Array, Buffer>(deflateRaw)

/** A ZIP archive of entries in their order; names in UTF-8. Up to 65,535 entries and 4 GB. */
const writeZip = async (entries: readonly ArchiveEntry[]): Promise<Uint8Array> => {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of entries) {
    const label = Buffer.from(name)
    const packed = await deflate(bytes)
    // Of a local header: version 2.0, names in UTF-8, deflate, midnight of 1 January 1980.
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x0800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt16LE(0, 6)
    common.writeUInt16LE(0x21, 8)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(label.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, label])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, label]),
    )
    pieces.push(local, packed)
    offset += local.length + packed.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...pieces, central, end])
}

const compress = promisify<Uint8Array, Buffer>(gzip)

const writeTarGz = async (entries: readonly ArchiveEntry[], at: Date): Promise<Uint8Array> => {
  const writer = pack()
  for (const { name, bytes } of entries) writer.entry({ name, mtime: at }, Buffer.from(bytes))
  writer.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of writer) chunks.push(chunk as Buffer)
  return compress(Buffer.concat(chunks))
}

/** An archive of entries in their order. */
export const writeArchive = (
  entries: readonly ArchiveEntry[],
  kind: 'Zip' | 'TarGz',
  at: Date,
): Promise<Uint8Array> => (kind === 'Zip' ? writeZip(entries) : writeTarGz(entries, at))
