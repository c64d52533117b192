import { isAscii } from 'node:buffer'
import type { OperationId } from '../../contract/endpoints.ts'
import { endpoint } from '../../contract/endpoints.ts'
import { refuse } from '../base/refusals.ts'

/** Reading the body of a call: bounded, of the media type that the operation takes, JSON where it takes JSON. */

/** The decisions that reading a body takes. */
export interface BodyDecisions {
  readonly mediaTypeFits: (given: string, wanted: string) => boolean
  readonly bodyLimit: (operation: OperationId) => number
  readonly bodyFits: (bytes: number, limit: number) => boolean
}

export interface ReadBody {
  readonly bytes: Uint8Array
  /** Present where the operation takes JSON. */
  readonly json?: { readonly value: unknown }
}

const none = new Uint8Array()
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws {TypeError} when the bytes are not UTF-8 */
const textOf = (bytes: Uint8Array): string =>
  // Nearly every body is ASCII, which is copied instead of decoded.
  isAscii(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    : utf8.decode(bytes)

const essence = (contentType: string): { type: string; charset: string } => {
  if (!contentType.includes(';'))
    return { type: contentType.trim().toLowerCase(), charset: 'utf-8' }
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim())
  const charset = parameters
    .map((parameter) => /^charset="?([^"]*)"?$/i.exec(parameter)?.[1])
    .find((found) => found !== undefined)
  return { type: type.toLowerCase(), charset: (charset ?? 'utf-8').toLowerCase() }
}

/** A call whose body may be read, once. */
export interface Sender {
  readonly request: Request
  readonly headers: Readonly<Record<string, string>>
  /** All of it. */
  readonly body: () => Promise<Uint8Array>
}

const gather = async (
  { request, headers, body }: Sender,
  fits: (bytes: number) => boolean,
): Promise<Uint8Array> => {
  const tooLarge = () => refuse('body-too-large')
  const announced = headers['content-length']
  if (!fits(Number(announced ?? 0))) throw tooLarge()
  // With its length announced it cannot grow beyond it, and is read in one go.
  if (announced !== undefined && headers['transfer-encoding'] === undefined) {
    try {
      return await body()
    } catch {
      throw refuse('unreadable-body')
    }
  }
  if (request.body === null) return none
  // One buffer that grows: chunks may be of one byte each, and to keep a chunk costs a hundred times that.
  let room = Buffer.allocUnsafe(65_536)
  let length = 0
  try {
    for await (const chunk of request.body) {
      const end = length + chunk.length
      if (!fits(end)) throw tooLarge()
      if (end > room.length) {
        const larger = Buffer.allocUnsafe(2 * end)
        room.copy(larger, 0, 0, length)
        room = larger
      }
      room.set(chunk, length)
      length = end
    }
  } catch (error) {
    // The connection broke or the transfer encoding is wrong: what was received is not a body.
    if (error instanceof Error && error.name !== 'Refused') throw refuse('unreadable-body')
    throw error
  }
  return new Uint8Array(room.subarray(0, length))
}

/** Whether a call came without a body: of length 0, or without any header that announces one. */
const leftOut = (headers: Readonly<Record<string, string>>): boolean => {
  const length = headers['content-length']
  if (length !== undefined) return length === '0'
  return headers['transfer-encoding'] === undefined && headers['content-type'] === undefined
}

/**
 * The body of a call; empty where the operation takes none.
 * @throws refusals body-too-large, media-type, unreadable-body
 */
export const readBody = async (
  sender: Sender,
  operation: OperationId,
  policy: BodyDecisions,
): Promise<ReadBody> => {
  const { request, bearer } = endpoint(operation)
  if (request === undefined) return { bytes: none }
  const { headers } = sender
  const { media, optional } = request
  if (optional && leftOut(headers)) return { bytes: none, json: { value: {} } }
  if (bearer !== 'link') {
    const { type, charset } = essence(headers['content-type'] ?? '')
    if (!policy.mediaTypeFits(type, media)) throw refuse('media-type', `${media} is expected`)
    if (media === 'application/json' && charset !== 'utf-8') {
      throw refuse('media-type', 'JSON is written in UTF-8')
    }
  }
  const limit = policy.bodyLimit(operation)
  const fits = (length: number): boolean => policy.bodyFits(length, limit)
  const bytes = await gather(sender, fits)
  return media === 'application/json' ? readJson(bytes) : { bytes }
}

/** @throws refusal unreadable-body */
const readJson = (bytes: Uint8Array): ReadBody => {
  try {
    return { bytes, json: { value: JSON.parse(textOf(bytes)) as unknown } }
  } catch {
    throw refuse('unreadable-body')
  }
}
