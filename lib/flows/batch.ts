import type { FormCode } from '../../contract/environments.ts'
import type { Client } from '../client.ts'
import type { Exchange } from '../exchange.ts'
import { Inconclusive, expectObject, expectOk, expectText } from '../outcome.ts'
import type { PublicKey } from './keys.ts'
import { encryptionFields } from './session.ts'
import type { Secret } from './session.ts'

/** A package that is ready to be uploaded. Hashes are Base64 of SHA-256. */
export interface BatchPackage extends Secret {
  /** Of the plain archive. */
  readonly fileSize: number
  readonly fileHash: string
  readonly compressionType?: 'Zip' | 'TarGz'
  readonly parts: readonly BatchPart[]
}

/** One encrypted part; size and hash are those of the encrypted bytes. */
export interface BatchPart {
  readonly ordinalNumber: number
  readonly fileSize: number
  readonly fileHash: string
  readonly bytes: Uint8Array
}

/** Where a part goes, as the opening says. */
export interface PartUpload {
  readonly ordinalNumber: number
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface BatchSession {
  readonly referenceNumber: string
  readonly uploads: readonly PartUpload[]
  readonly exchange: Exchange
}

/** The body that opens a batch session. */
export async function batchBody(
  client: Client,
  batch: BatchPackage,
  formCode: FormCode | string,
  keys?: readonly PublicKey[],
): Promise<Record<string, unknown>> {
  const { fileSize, fileHash, compressionType } = batch
  return {
    formCode,
    ...(await encryptionFields(client, batch, keys)),
    batchFile: {
      fileSize,
      fileHash,
      ...(compressionType === undefined ? {} : { compressionType }),
      fileParts: batch.parts.map((part) => ({
        ordinalNumber: part.ordinalNumber,
        fileSize: part.fileSize,
        fileHash: part.fileHash,
      })),
    },
  }
}

/**
 * Opens a batch session for a package.
 * @throws {Inconclusive} when it is not opened, or the answer does not say where the parts go
 */
export async function openBatch(
  client: Client,
  batch: BatchPackage,
  {
    formCode,
    keys,
    overrides = {},
  }: {
    readonly formCode: FormCode | string
    readonly keys?: readonly PublicKey[]
    /** Fields of the body that replace or add to those of the package. */
    readonly overrides?: Readonly<Record<string, unknown>>
  },
): Promise<BatchSession> {
  const body = { ...(await batchBody(client, batch, formCode, keys)), ...overrides }
  return readBatchOpened(await client.call('sessions.openBatch', { body }))
}

/**
 * What the answer to the opening of a batch session holds.
 * @throws {Inconclusive} when it was not opened
 */
export function readBatchOpened(exchange: Exchange): BatchSession {
  const step = 'open a batch session'
  const { partUploadRequests } = expectObject(exchange, step)
  if (!Array.isArray(partUploadRequests)) {
    throw new Inconclusive(step, 'a list `partUploadRequests`', exchange)
  }
  const uploads = partUploadRequests.map((entry: unknown): PartUpload => {
    const { ordinalNumber, method, url, headers } = (entry ?? {}) as Record<string, unknown>
    if (typeof ordinalNumber !== 'number' || typeof url !== 'string') {
      throw new Inconclusive(step, 'an ordinal number and an address for every part', exchange)
    }
    return {
      ordinalNumber,
      method: typeof method === 'string' ? method : 'PUT',
      url,
      headers: (headers ?? {}) as Record<string, string>,
    }
  })
  return { referenceNumber: expectText(exchange, step, 'referenceNumber'), uploads, exchange }
}

/** Uploads one part as the opening says, without a bearer; returns the exchange, whatever its status. */
export const callUpload = (
  client: Client,
  upload: PartUpload,
  bytes: Uint8Array,
): Promise<Exchange> =>
  client.request(upload.method, upload.url, {
    operation: 'sessions.uploadPart',
    headers: upload.headers,
    media: 'application/octet-stream',
    body: bytes,
  })

/**
 * Uploads one part of a package to its address; returns the exchange, whatever its status.
 * @throws {Inconclusive} when the part has no address
 */
export async function uploadPart(
  client: Client,
  { uploads, exchange }: BatchSession,
  { ordinalNumber, bytes }: BatchPart,
): Promise<Exchange> {
  const upload = uploads.find((one) => one.ordinalNumber === ordinalNumber)
  if (upload === undefined)
    throw new Inconclusive(`upload part ${ordinalNumber}`, 'an address for it', exchange)
  return callUpload(client, upload, bytes)
}

/**
 * Uploads every part of a package, one after the other.
 * @throws {Inconclusive} when a part has nowhere to go, or is refused
 */
export async function uploadParts(
  client: Client,
  session: BatchSession,
  parts: readonly BatchPart[],
): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  for (const part of parts) {
    const uploaded = await uploadPart(client, session, part)
    exchanges.push(expectOk(uploaded, `upload part ${part.ordinalNumber}`))
  }
  return exchanges
}

/**
 * Closes a batch session, which starts its processing.
 * @throws {Inconclusive} when it is not closed
 */
export async function closeBatch(
  client: Client,
  session: { readonly referenceNumber: string },
): Promise<Exchange> {
  const path = { referenceNumber: session.referenceNumber }
  return expectOk(await client.call('sessions.closeBatch', { path }), 'close the batch session')
}
