import type { OperationId } from '../contract/endpoints.ts'

/** One request as it goes over the wire. */
export interface WireRequest {
  readonly method: string
  readonly url: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

/** One answer as it came over the wire. */
export interface WireResponse {
  readonly status: number
  /** Lower-case names; several values of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A body of which the second half is held back. */
export interface HeldBody {
  /** Called when the head and the first half have left. */
  readonly begun: () => void
  /** The rest leaves when this settles. */
  readonly release: Promise<void>
}

export interface SendOptions {
  /** Timeout in milliseconds. */
  readonly timeoutMs?: number
  /** Maximum number of bytes of the body; a longer answer is abandoned. `maxAnswerBytes` when absent. */
  readonly maxBytes?: number
  /** Holds the body back, where the sender can; it leaves at once when absent. */
  readonly held?: HeldBody
}

/** Carries one request to the target. Rejects only when no answer came. */
export type Send = (request: WireRequest, options?: SendOptions) => Promise<WireResponse>

/** One call and its answer, whatever the status was. */
export interface Exchange {
  /** Undefined for calls outside the contract. */
  readonly operation: OperationId | undefined
  readonly request: WireRequest
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as it came. */
  readonly bytes: Uint8Array
  /** The body as UTF-8 text. */
  readonly text: string
  /** The body as JSON, in the contract's words if the answer is a success, otherwise as sent; undefined if not JSON. */
  readonly body: unknown
  /** Unix milliseconds of the client's clock. */
  readonly startedAt: number
  /** Milliseconds from sending to the end of the answer. */
  readonly ms: number
  /** When it began and ended, by a count of all beginnings and ends: of two exchanges, they tell which came first. */
  readonly span: readonly [began: number, ended: number]
}

/** Whether an answer reports success: some 2xx. */
export const succeeded = ({ status }: Pick<Exchange, 'status'>): boolean =>
  status >= 200 && status < 300

/** Whether an answer blames the caller: some 4xx. */
export const refused = ({ status }: Pick<Exchange, 'status'>): boolean =>
  status >= 400 && status < 500

/** The token that a request carries. */
export const bearerOf = ({ headers }: Pick<WireRequest, 'headers'>): string | undefined =>
  headers['authorization']?.replace(/^Bearer /, '')

/** The JSON body that was sent, in the words of the target; empty where there is none. */
export const sentBody = ({
  request,
}: Pick<Exchange, 'request'>): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(String(request.body))) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}
