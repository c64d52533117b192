import { concatBytes } from '../../../lib/codec.ts'
import type { Client } from '../../../lib/client.ts'
import { decryptAes, sha256 } from '../../../lib/crypto.ts'
import {
  callPart,
  createExport,
  downloadExport,
  exportParts,
  settleExport,
} from '../../../lib/flows/export.ts'
import type { ExportStarted } from '../../../lib/flows/export.ts'
import type { Settled } from '../../../lib/flows/settle.ts'
import { readTarGz, readZip } from '../../../lib/node/archive.ts'
import type { Files } from '../../../lib/node/archive.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import { fromWire } from '../../../lib/wire.ts'
import { expect } from '../judging/matchers.ts'
import { notOffered } from '../run/not-offered.ts'
import { ownNumbers, ownOnly, sharesContext } from '../run/own-work.ts'
import type { Me } from '../service/contexts.ts'
import type { Filters } from './filters.ts'
import { numbersOf, page } from './searches.ts'
import type { Found, Page, Paging, SearchOperation } from './searches.ts'

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

/** The rows in the metadata of a package, of which a check has to look at those of its own invoices. */
export const describedIn = (
  { dialect }: Pick<Client, 'dialect'>,
  files: Files,
): readonly Found[] => {
  const text = new TextDecoder().decode(files['_metadata.json'])
  return ownOnly((fromWire(JSON.parse(text), 'MetadataPage', dialect) as Page).invoices)
}

/**
 * Awaits an export in which a check looks for its own documents.
 * @throws {Inconclusive} when it fails
 * @throws {NotOffered} where documents of other checks may have left no room for them
 */
export const settleOwn = async (
  api: Client,
  started: Pick<ExportStarted, 'referenceNumber'>,
): Promise<Settled> => {
  const settled = await settleExport(api, started)
  if (sharesContext() && describedPackage(settled).isTruncated)
    throw notOffered('fresh', 'the context has more invoices than an export contains')
  return settled
}

/**
 * Awaits an export that was created with archive type `Zip`, downloads and unpacks its package.
 * @throws {Inconclusive} when the export fails, or its package cannot be read
 * @throws {NotOffered} where it may lack documents of the check
 */
export const fetchFiles = async (
  api: Client,
  started: Omit<ExportStarted, 'exchange'>,
): Promise<Files> => unpack(await downloadExport(api, started, await settleOwn(api, started)))

/** How many of its invoices a range finds, by a search (in the order of a paging, if it is given) or by an export. */
export const countsBy = (
  operation: SearchOperation | 'exports.create',
  { api }: Me,
  paging: Paging = {},
) =>
  operation === 'exports.create'
    ? async (filters: Filters) => {
        const started = await createExport(api, { filters, onlyMetadata: true })
        const { body } = await settleExport(api, started)
        return (body['package'] as { readonly invoiceCount?: number } | undefined)?.invoiceCount
      }
    : async (filters: Filters) => numbersOf([await page(api, filters, paging, operation)]).length
