import { base64 } from './payload.ts'
import type { Recipients } from './wrap.ts'
import { wrap } from './wrap.ts'

/** A session to be opened: its secret, and the available keys. */
export interface OpeningDraft extends Recipients {
  readonly key: Uint8Array
  readonly iv: Uint8Array
  readonly formCode: {
    readonly systemCode: string
    readonly schemaVersion: string
    readonly value: string
  }
}

/** The fields as they should be. */
export function opening(draft: OpeningDraft): Record<string, unknown> {
  return {
    formCode: draft.formCode,
    encryptedSymmetricKey: base64(wrap(draft.key, draft, 'session')),
    initVector: base64(draft.iv),
  }
}
