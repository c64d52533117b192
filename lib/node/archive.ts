import { gunzipSync } from 'node:zlib'
import { gzipSync, unzipSync, zipSync } from 'fflate'
import type { BatchPackage } from '../flows/batch.ts'
import { encryptAes, sha256 } from '../crypto.ts'
import { drawSecret } from '../flows/session.ts'
import type { Secret } from '../flows/session.ts'
import { nodeCodec } from './codec.ts'

/** Archives of batch packages and exports. Source: specification, Sessions; gap batch-package. */

/** File name -> contents, in order. */
export type Files = Readonly<Record<string, Uint8Array>>

/** A ZIP archive. `level` 0 stores, 1 is fastest, 9 compresses most. */
export const makeZip = (files: Files, level: 0 | 1 | 6 | 9 = 1): Uint8Array =>
  zipSync(files, { level, mtime: new Date(2026, 0, 1) })

/** Maximum number of bytes that an archive of a target may unpack to: a target must not be able to crash the tool. */
const maxUnpacked = 1_000_000_000

/**
 * The files of a ZIP archive.
 * @param most maximum number of bytes of all files together
 * @throws when it is not an archive, or unpacks to more
 */
export function readZip(archive: Uint8Array, most = maxUnpacked): Files {
  let total = 0
  return unzipSync(archive, {
    // No file is given more room than its entry announces.
    filter: ({ name, originalSize }) => {
      total += originalSize
      if (total > most) throw new RangeError(`the archive unpacks to more than ${most} bytes`)
      return !name.endsWith('/')
    },
  })
}

/** Entries of a TAR archive that are not files, and their type flags. */
const tarKinds = { 'hard link': '1', 'symbolic link': '2', device: '3', folder: '5' } as const

export interface TarEntry {
  readonly name: string
  readonly kind: keyof typeof tarKinds
  /** Of a link. */
  readonly target?: string
}

/**
 * A gzipped TAR archive (ustar); names of at most 100 bytes.
 * @param odd entries before the files
 */
export function makeTarGz(files: Files, odd: readonly TarEntry[] = []): Uint8Array {
  const blocks = Object.entries(files).flatMap(([name, contents]) => [
    tarHeader(name, contents.length),
    Buffer.from(contents),
    Buffer.alloc((512 - (contents.length % 512)) % 512),
  ])
  const before = odd.map(({ name, kind, target }) => tarHeader(name, 0, tarKinds[kind], target))
  return gzipSync(Buffer.concat([...before, ...blocks, Buffer.alloc(1024)]), { mtime: 0 })
}

/**
 * The regular files of a gzipped TAR archive.
 * @param most maximum number of bytes that it may unpack to
 * @throws when it is not an archive, or unpacks to more
 */
export function readTarGz(archive: Uint8Array, most = maxUnpacked): Files {
  const tar = gunzipSync(archive, { maxOutputLength: most })
  const files: Record<string, Uint8Array> = {}
  for (let offset = 0; offset + 512 <= tar.length;) {
    const header = tar.subarray(offset, offset + 512)
    if (header.every((byte) => byte === 0)) break
    const name = textField(header, 0, 100)
    const size = Number.parseInt(textField(header, 124, 12), 8)
    if (Number.isNaN(size)) throw new Error('no TAR archive')
    const kind = header[156]
    if (kind === 0x30 || kind === 0) {
      files[name] = new Uint8Array(tar.subarray(offset + 512, offset + 512 + size))
    }
    offset += 512 + Math.ceil(size / 512) * 512
  }
  return files
}

const textField = (header: Buffer, start: number, length: number): string =>
  header
    .toString('utf8', start, start + length)
    .replace(/\0.*$/s, '')
    .trim()

function tarHeader(name: string, size: number, kind = '0', target = ''): Buffer {
  if (Buffer.byteLength(name) > 100) throw new RangeError(`${name} is too long for a TAR archive`)
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(kind, 156)
  header.write(target, 157)
  header.write('ustar\0', 257)
  header.write('00', 263)
  // The sum is over the header with blanks in the place of the sum itself.
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

export interface PackageOptions {
  /** Maximum number of plain bytes per part; `parts` decides when absent. */
  readonly partBytes?: number
  /** Number of parts of about the same size; one when absent. */
  readonly parts?: number
  readonly compressionType?: 'Zip' | 'TarGz'
  /** A fresh one when absent. */
  readonly secret?: Secret
}

/** Packs files, cuts the archive into parts and encrypts each of them. */
export async function packBatch(files: Files, options: PackageOptions = {}): Promise<BatchPackage> {
  // To compress thousands of documents takes longer than to send them as they are.
  const level = Object.keys(files).length > 1000 ? 0 : 1
  const archive = options.compressionType === 'TarGz' ? makeTarGz(files) : makeZip(files, level)
  return sealArchive(archive, options)
}

/** Cuts an archive, or a fake one, into parts and encrypts each of them separately. */
export async function sealArchive(
  archive: Uint8Array,
  options: PackageOptions = {},
): Promise<BatchPackage> {
  const { compressionType, secret = drawSecret() } = options
  const partBytes =
    options.partBytes ?? Math.max(1, Math.ceil(archive.length / (options.parts ?? 1)))
  const parts = await Promise.all(
    cut(archive, partBytes).map(async (plain, place) => {
      const bytes = await encryptAes(plain, secret.key, secret.iv)
      return {
        ordinalNumber: place + 1,
        fileSize: bytes.length,
        fileHash: nodeCodec.base64(await sha256(bytes)),
        bytes,
      }
    }),
  )
  return {
    ...secret,
    fileSize: archive.length,
    fileHash: nodeCodec.base64(await sha256(archive)),
    ...(compressionType === undefined ? {} : { compressionType }),
    parts,
  }
}

function cut(archive: Uint8Array, bytes: number): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let offset = 0; offset < Math.max(1, archive.length); offset += bytes) {
    parts.push(archive.subarray(offset, offset + bytes))
  }
  return parts
}
