import { base64 } from './payload.ts'
import { wrap } from './wrap.ts'

/** A service token to log in with, the challenge that it answers, and the keys that there are (SPKI, DER). */
export interface TokenDraft {
  readonly token: string
  /** Instant of the challenge, Unix milliseconds. */
  readonly timestamp: number
  readonly tokenSpki: Uint8Array
  readonly sessionSpki: Uint8Array
  readonly strangerSpki: Uint8Array
}

/** The envelope as it should be: token, bar, Unix milliseconds, under the key for tokens. */
export const tokenEnvelope = ({ token, timestamp, tokenSpki }: TokenDraft): string =>
  base64(wrap(Buffer.from(`${token}|${timestamp}`), tokenSpki))
