import { concatBytes } from '../../lib/codec.ts'
import type { Client } from '../../lib/client.ts'
import { decryptAes, sha256 } from '../../lib/crypto.ts'
import { callPart, downloadExport, exportParts, settleExport } from '../../lib/flows/export.ts'
import type { ExportStarted } from '../../lib/flows/export.ts'
import type { Settled } from '../../lib/flows/settle.ts'
import { readTarGz, readZip } from '../../lib/node/archive.ts'
import type { Files } from '../../lib/node/archive.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { expect } from './matchers.ts'
import { ownNumbers } from './own-work.ts'

/** The package of an export, as the status of the export describes it. */
export interface DescribedPackage {
  readonly invoiceCount: number
  readonly isTruncated: boolean
  readonly size: number
  readonly parts: readonly Readonly<Record<string, unknown>>[]
  readonly [more: string]: unknown
}

export const describedPackage = ({ body }: Settled): DescribedPackage =>
  (body as { readonly package: DescribedPackage }).package

/**
 * Downloads every part and expects it to be as described, each under the key and vector of the export.
 * @returns the archive
 */
export const expectParts = async (
  api: Client,
  started: ExportStarted,
  settled: Settled,
): Promise<Uint8Array> => {
  const described = describedPackage(settled)
  expect(described.parts.length, 'parts of the package').toBeGreaterThan(0)
  const base64 = async (bytes: Uint8Array) => api.codec.base64(await sha256(bytes))
  const pieces: Uint8Array[] = []
  for (const [place, part] of exportParts(settled).entries()) {
    const downloaded = await callPart(api, part)
    expect(downloaded, 'a part by its method and address').toBeOk()
    const { bytes } = downloaded
    expect((await callPart(api, part)).bytes, 'the same part again').toEqual(bytes)
    const plain = await decryptAes(bytes, started.key, started.iv).catch(() => undefined)
    expect(plain, `part ${place + 1}, under key and vector of the export`).toBeDefined()
    const reported = described.parts.filter(({ ordinalNumber }) => ordinalNumber === place + 1)
    expect(reported, 'the part as reported').toMatchObject([
      {
        encryptedPartSize: bytes.length,
        encryptedPartHash: await base64(bytes),
        partSize: plain!.length,
        partHash: await base64(plain!),
      },
    ])
    pieces.push(plain!)
  }
  return concatBytes(pieces)
}

/**
 * The files in the package of an export.
 * @throws {Inconclusive} when it is no such archive
 */
export const unpack = (archive: Uint8Array, type: 'Zip' | 'TarGz' = 'Zip'): Files => {
  try {
    return type === 'Zip' ? readZip(archive) : readTarGz(archive)
  } catch (cause) {
    throw new Inconclusive('unpack the package', `an archive of type ${type}`, undefined, cause)
  }
}

/** The service numbers of the documents in a package, of which a check has to look at its own. */
export const documentsIn = (files: Files): readonly string[] =>
  ownNumbers(
    Object.keys(files)
      .filter((name) => name.endsWith('.xml'))
      .map((name) => name.slice(0, -'.xml'.length)),
  )

/**
 * Awaits an export that was created with archive type `Zip`, downloads and unpacks its package.
 * @throws {Inconclusive} when the export fails, or its package cannot be read
 */
export const fetchFiles = async (
  api: Client,
  started: Omit<ExportStarted, 'exchange'>,
): Promise<Files> => unpack(await downloadExport(api, started, await settleExport(api, started)))
