import { decryptOaep, isPkcs1 } from '../base/crypto.ts'
import type { KeyUsage, ServiceKey } from './service-key.ts'

/**
 * Whether something that no key opens was encrypted in a wrong way, rather than for a wrong certificate: with the
 * padding of another scheme, or not with RSA at all.
 */
export function isMisencrypted(
  listed: readonly ServiceKey[],
  usage: KeyUsage,
  encrypted: Uint8Array,
): boolean {
  const sizeOf = ({ privateKey }: ServiceKey): number =>
    (privateKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8
  if (listed.every((key) => sizeOf(key) !== encrypted.length)) return true
  return listed.some(
    (key) =>
      key.usage.includes(usage) &&
      sizeOf(key) === encrypted.length &&
      (decryptOaep(key.privateKey, encrypted, 'sha1') !== undefined ||
        isPkcs1(key.privateKey, encrypted)),
  )
}
