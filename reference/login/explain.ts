/**
 * Explains why what a caller encrypted for a login with a service token does not fit. It decides nothing: the outcome
 * is the same without it. Source: specification, Authentication (service token).
 */

import type { KeyObject } from 'node:crypto'
import { decryptOaep, isPkcs1 } from '../base/crypto.ts'
import { isMisencrypted } from '../keys/misencrypted.ts'
import type { Instant } from '../base/instants.ts'
import type { Service } from '../call/service.ts'

const hourMs = 3_600_000
/** Clocks and their conversions are compared this exactly. */
const nearMs = 120_000

const near = (a: number, b: number): boolean => Math.abs(a - b) <= nearMs

/** One wrong way to write the time: a sentence if the text is written that way. */
type Mistake = (given: string, now: number) => string | undefined

const scaled =
  (digits: number, factor: number, unit: string): Mistake =>
  (given, now) =>
    given.length === digits && /^\d+$/.test(given) && near(Number(given) * factor, now)
      ? `The time is in ${unit}; milliseconds are expected`
      : undefined

const mistakes: readonly Mistake[] = [
  scaled(10, 1000, 'seconds'),
  scaled(16, 1e-3, 'microseconds'),
  scaled(19, 1e-6, 'nanoseconds'),
  (given) => (given === '' ? 'Behind the last | there is no time' : undefined),
  (given) =>
    /^\d{4}-\d{2}-\d{2}T/.test(given)
      ? 'The time is written out; milliseconds since 1970 are expected'
      : undefined,
  (given) =>
    /^\d{13}[.,]\d+$/.test(given)
      ? 'The time has a fraction; whole milliseconds are expected'
      : undefined,
  (given, now) => {
    if (!/^\d{13}$/.test(given)) return undefined
    const hours = Math.round((Number(given) - now) / hourMs)
    return hours !== 0 && Math.abs(hours) <= 14 && near(Number(given), now + hours * hourMs)
      ? `The time is local: it is off by ${Math.abs(hours)} h from UTC`
      : undefined
  },
  (given) =>
    /^\d{13}$/.test(given)
      ? 'The time is not that of the challenge, and the clocks differ'
      : undefined,
]

/** Why the time of a token is not accepted; `given` is the text after the last separator. */
export const explainTime = (given: string, now: number): string | undefined => {
  for (const mistake of mistakes) {
    const text = mistake(given, now)
    if (text !== undefined) return text
  }
  return undefined
}

/** A private key of the service and what it is for. */
interface HeldKey {
  readonly usage: string
  readonly key: KeyObject
}

/** Why an encrypted token does not decrypt. */
export const explainToken = (encrypted: Uint8Array, held: readonly HeldKey[]): string => {
  if (/\|\d{9,}$/.test(Buffer.from(encrypted).toString('latin1')))
    return 'The token is not encrypted'
  for (const { key, usage } of held) {
    const size = (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8
    if (size !== encrypted.length) continue
    if (decryptOaep(key, encrypted) !== undefined)
      return `The token was encrypted with the key for ${usage}`
    if (decryptOaep(key, encrypted, 'sha1') !== undefined)
      return 'The token was encrypted with OAEP over SHA-1'
    if (isPkcs1(key, encrypted)) return 'The token was encrypted with PKCS#1 v1.5'
  }
  return 'The token was encrypted with a certificate that the service does not have'
}

/** The same, with the keys that a service publishes. */
export const explainTokenOf = (
  { keys, policy }: Service,
  encrypted: Uint8Array,
  now: Instant,
): string =>
  explainToken(
    encrypted,
    keys
      .published(policy, now)
      .flatMap(({ usage, privateKey }) => usage.map((one) => ({ usage: one, key: privateKey }))),
  )

/** What the journal records of an encrypted token that the service cannot read. */
export const unreadable = (
  { keys, policy }: Service,
  { problem, explanation }: { readonly problem: string; readonly explanation?: string },
  plain: Uint8Array | undefined,
  encrypted: Uint8Array,
  now: Instant,
) => ({
  refusal: 'token-refused',
  explanation: explanation === undefined ? [problem] : [problem, explanation],
  // What decrypts but cannot be read was encrypted for the right certificate.
  misencrypted:
    plain !== undefined ||
    isMisencrypted(keys.published(policy, now), 'SvcTokenEncryption', encrypted),
})
