import type { Client } from '../client.ts'
import { concatBytes } from '../codec.ts'
import { decryptAes, sha256 } from '../crypto.ts'
import type { Exchange } from '../exchange.ts'
import { Inconclusive, expectOk, expectText } from '../outcome.ts'
import type { PublicKey } from './keys.ts'
import { drawSecret, encryptionFields } from './session.ts'
import type { Secret } from './session.ts'
import { settle } from './settle.ts'
import type { Settled } from './settle.ts'

export interface ExportStarted extends Secret {
  readonly referenceNumber: string
  readonly exchange: Exchange
}

export interface ExportOptions {
  /** The filter, as that of a metadata query. */
  readonly filters: Readonly<Record<string, unknown>>
  readonly onlyMetadata?: boolean
  readonly compressionType?: 'Zip' | 'TarGz'
  readonly keys?: readonly PublicKey[]
  readonly secret?: Secret
}

/** The body that creates an export. */
export async function exportBody(
  client: Client,
  options: ExportOptions,
  secret: Secret,
): Promise<Record<string, unknown>> {
  const { filters, onlyMetadata, compressionType, keys } = options
  return {
    ...(await encryptionFields(client, secret, keys)),
    filters,
    ...(onlyMetadata === undefined ? {} : { onlyMetadata }),
    ...(compressionType === undefined ? {} : { compressionType }),
  }
}

/**
 * Creates an export; its processing is not awaited.
 * @throws {Inconclusive} when it is not created
 */
export async function createExport(client: Client, options: ExportOptions): Promise<ExportStarted> {
  const secret = options.secret ?? drawSecret()
  const body = await exportBody(client, options, secret)
  const exchange = await client.call('exports.create', { body })
  const referenceNumber = expectText(exchange, 'create an export', 'referenceNumber')
  return { referenceNumber, exchange, ...secret }
}

/**
 * Awaits the outcome of an export, good or bad.
 * @throws {Inconclusive} when it does not settle
 */
export const settleExport = (
  client: Client,
  started: { readonly referenceNumber: string },
): Promise<Settled> =>
  settle(client, 'export', 'await the export', () =>
    client.call('exports.status', { path: { referenceNumber: started.referenceNumber } }),
  )

/** One part of a finished export, as its status describes it. Hashes are Base64 of SHA-256. */
export interface ExportPart {
  readonly ordinalNumber: number
  readonly method: string
  readonly url: string
  readonly partHash: string | undefined
  readonly encryptedPartHash: string | undefined
}

/**
 * The parts of a finished export, in order.
 * @throws {Inconclusive} when the status names none
 */
export function exportParts(settled: Settled): ExportPart[] {
  const { package: described } = settled.body as { package?: { parts?: unknown } }
  const parts = described?.parts
  if (!settled.succeeded || !Array.isArray(parts)) {
    throw new Inconclusive('find the package', 'a status with parts', settled.exchanges.at(-1))
  }
  return (parts as Record<string, unknown>[])
    .map((part) => ({
      ordinalNumber: Number(part['ordinalNumber']),
      method: typeof part['method'] === 'string' ? part['method'] : 'GET',
      url: String(part['url']),
      partHash: textOf(part['partHash']),
      encryptedPartHash: textOf(part['encryptedPartHash']),
    }))
    .toSorted((a, b) => a.ordinalNumber - b.ordinalNumber)
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

/** Downloads one part without a bearer; returns the exchange, whatever its status. */
export const callPart = (client: Client, part: ExportPart): Promise<Exchange> =>
  client.request(part.method, part.url, { operation: 'exports.part' })

/**
 * Downloads, checks and decrypts the parts, and joins them to the archive.
 * @throws {Inconclusive} when a part cannot be had, or is not what the status describes
 */
export async function downloadExport(
  client: Client,
  secret: Secret,
  settled: Settled,
): Promise<Uint8Array> {
  const plain: Uint8Array[] = []
  for (const part of exportParts(settled)) {
    const step = `download part ${part.ordinalNumber}`
    const exchange = expectOk(await callPart(client, part), step)
    await expectHash(client, exchange.bytes, part.encryptedPartHash, step, exchange)
    let decrypted: Uint8Array
    try {
      decrypted = await decryptAes(exchange.bytes, secret.key, secret.iv)
    } catch (cause) {
      throw new Inconclusive(step, 'bytes that decrypt', exchange, cause)
    }
    await expectHash(client, decrypted, part.partHash, step, exchange)
    plain.push(decrypted)
  }
  return concatBytes(plain)
}

async function expectHash(
  client: Client,
  bytes: Uint8Array,
  wanted: string | undefined,
  step: string,
  exchange: Exchange,
): Promise<void> {
  if (wanted === undefined || client.codec.base64(await sha256(bytes)) === wanted) return
  throw new Inconclusive(step, `bytes with the hash ${wanted}`, exchange)
}
