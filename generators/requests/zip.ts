import { crc32 } from '../../lib/identifiers/crc32.ts'
import { deflateRawSync } from 'node:zlib'
import { concatBytes } from '../../lib/codec.ts'

/** A ZIP archive written by hand, so that every field of it can be wrong. */

export interface ZipEntry {
  readonly name: string
  readonly content: Uint8Array
  /** 0 stored, 8 deflated; any other number is written as it is. */
  readonly method?: number
  /** General purpose flags; bit 11 says that names are UTF-8. */
  readonly flags?: number
  readonly crc?: number
  /** Sizes that the headers state, where they should be wrong. */
  readonly declaredSize?: number
  /** Bytes as they stand in the archive, where they are not what the method makes of the content. */
  readonly raw?: Uint8Array
  /** Attributes of the operating system; a symbolic link for example. */
  readonly external?: number
}

interface Fields {
  readonly [offset: number]: readonly [bytes: 2 | 4, value: number]
}

function record(length: number, fields: Fields): Uint8Array {
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  for (const [offset, [size, value]] of Object.entries(fields) as [string, [2 | 4, number]][]) {
    if (size === 2) view.setUint16(Number(offset), value & 0xffff, true)
    else view.setUint32(Number(offset), value >>> 0, true)
  }
  return bytes
}

const utf8Names = 0x800

export interface ZipOptions {
  readonly comment?: string
  /** Leave the central directory out. */
  readonly withoutDirectory?: boolean
  /** Number of entries as the end record gives it. */
  readonly declaredEntries?: number
}

/** The archive, piece by piece; of the entries only the names are kept. */
export function* zipChunks(
  entries: Iterable<ZipEntry>,
  options: ZipOptions = {},
): Generator<Uint8Array> {
  const directory: Uint8Array[] = []
  let offset = 0
  let entriesWritten = 0
  for (const entry of entries) {
    const { method = 8, flags = utf8Names, external = 0 } = entry
    const name = new TextEncoder().encode(entry.name)
    const data = entry.raw ?? (method === 8 ? deflateRawSync(entry.content) : entry.content)
    const crc = entry.crc ?? crc32(entry.content)
    const size = entry.declaredSize ?? entry.content.length
    const local = record(30, {
      0: [4, 0x04034b50],
      4: [2, 20],
      6: [2, flags],
      8: [2, method],
      // 1 January 2026: the same bytes every time.
      12: [2, (46 << 9) | (1 << 5) | 1],
      14: [4, crc],
      18: [4, data.length],
      22: [4, size],
      26: [2, name.length],
    })
    const central = record(46, {
      0: [4, 0x02014b50],
      4: [2, external === 0 ? 20 : (3 << 8) | 20],
      6: [2, 20],
      8: [2, flags],
      10: [2, method],
      14: [2, (46 << 9) | (1 << 5) | 1],
      16: [4, crc],
      20: [4, data.length],
      24: [4, size],
      28: [2, name.length],
      38: [4, external],
      42: [4, offset],
    })
    yield* [local, name, data]
    directory.push(central, name)
    entriesWritten++
    offset += local.length + name.length + data.length
  }
  if (options.withoutDirectory) return
  const central = concatBytes(directory)
  const comment = new TextEncoder().encode(options.comment ?? '')
  const count = options.declaredEntries ?? entriesWritten
  const end = record(22, {
    0: [4, 0x06054b50],
    8: [2, count],
    10: [2, count],
    12: [4, central.length],
    16: [4, offset],
    20: [2, comment.length],
  })
  yield* [central, end, comment]
}

/** The archive. */
export const zip = (entries: readonly ZipEntry[], options: ZipOptions = {}): Uint8Array =>
  concatBytes([...zipChunks(entries, options)])
