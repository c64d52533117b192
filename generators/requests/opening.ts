import { base64 } from './payload.ts'
import { wrap } from './wrap.ts'

/** A session to be opened: its secret, and the certificates' keys that there are. */
export interface OpeningDraft {
  readonly key: Uint8Array
  readonly iv: Uint8Array
  /** Public keys as SPKI (DER): the right one, the one for tokens, and one that is not the service's. */
  readonly sessionSpki: Uint8Array
  readonly tokenSpki: Uint8Array
  readonly strangerSpki: Uint8Array
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
    encryptedSymmetricKey: base64(wrap(draft.key, draft.sessionSpki)),
    initVector: base64(draft.iv),
  }
}
