import type { KeyObject } from 'node:crypto'
import { createHash, createPublicKey, sign, verify } from 'node:crypto'

/** Dead Simple Signing Envelope, version 1: a payload with its type, and signatures over both. */

export interface Envelope {
  readonly payloadType: string
  /** Base64. */
  readonly payload: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

/** Pre-authentication encoding: what is signed, so that neither type nor payload can be replaced. */
function encoded(type: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `
  return Buffer.concat([Buffer.from(head), payload])
}

/** The public half of a key. */
const publicOf = (key: KeyObject): KeyObject =>
  key.type === 'private' ? createPublicKey(key) : key

/** SHA-256 of the public key (SPKI, DER), hexadecimal: the id of a key. */
export const keyIdOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(publicOf(key).export({ type: 'spki', format: 'der' }))
    .digest('hex')

/** Ed25519 includes its hash; ECDSA is used with SHA-256. */
const digestOf = (key: KeyObject): 'sha256' | null =>
  key.asymmetricKeyType === 'ed25519' ? null : 'sha256'

/** Whether a key is of a kind that envelopes are signed with: ECDSA on P-256, or Ed25519. */
export const isFit = (key: KeyObject): boolean =>
  key.asymmetricKeyType === 'ed25519' ||
  (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1')

export function seal(type: string, payload: Uint8Array, key: KeyObject | undefined): Envelope {
  return {
    payloadType: type,
    payload: Buffer.from(payload).toString('base64'),
    signatures:
      key === undefined
        ? []
        : [
            {
              keyid: keyIdOf(key),
              sig: sign(digestOf(key), encoded(type, payload), key).toString('base64'),
            },
          ],
  }
}

/** An envelope as the text of a file. */
export const serialized = (envelope: Envelope): string =>
  `${JSON.stringify(envelope, undefined, 2)}\n`

/** The payload, if the key signed it. */
export function opened(envelope: Envelope, key: KeyObject): Buffer | undefined {
  const payload = Buffer.from(envelope.payload, 'base64')
  const isSigned = envelope.signatures.some(({ sig }) =>
    verify(
      digestOf(key),
      encoded(envelope.payloadType, payload),
      publicOf(key),
      Buffer.from(sig, 'base64'),
    ),
  )
  return isSigned ? payload : undefined
}
