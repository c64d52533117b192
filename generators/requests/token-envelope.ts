import { base64 } from './payload.ts'
import type { Recipients } from './wrap.ts'
import { wrap } from './wrap.ts'

/** A service token to log in with, the challenge that it answers, and the available keys. */
export interface TokenDraft extends Recipients {
  readonly token: string
  /** Instant of the challenge, Unix milliseconds. */
  readonly timestamp: number
}

/** The envelope as it should be: token, `|`, Unix milliseconds, encrypted with the key for tokens. */
export const tokenEnvelope = (draft: TokenDraft): string =>
  base64(wrap(Buffer.from(`${draft.token}|${draft.timestamp}`), draft, 'token'))
