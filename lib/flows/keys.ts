import { certificateDer, spkiOf } from '../der.ts'
import type { Client } from '../client.ts'
import { encryptRsaOaep } from '../crypto.ts'
import { Inconclusive, expectOk } from '../outcome.ts'

export type KeyUsage = 'SvcTokenEncryption' | 'SymmetricKeyEncryption'

/** An entry of the service's list of public key certificates. */
export interface PublicKey {
  readonly usage: readonly string[]
  /** PEM or Base64 of the DER, as given. */
  readonly certificate: string
  /** Unix milliseconds. */
  readonly validFrom: number
  /** Unix milliseconds; infinite when not given. */
  readonly validTo: number
  /** Base64 of the SHA-256 of the key; undefined where the service does not name its keys. */
  readonly publicKeyId: string | undefined
}

/**
 * The service's public key certificates, fetched anew. Source: specification, Authentication, certificate list.
 * @throws {Inconclusive} when the list cannot be had or read
 */
export async function fetchKeys(client: Client): Promise<PublicKey[]> {
  const step = 'fetch the public key certificates'
  const exchange = expectOk(await client.call('keys.list'), step)
  if (!Array.isArray(exchange.body)) throw new Inconclusive(step, 'a JSON array', exchange)
  return exchange.body.map((entry: unknown) => {
    const { usage, certificate, validFrom, validTo, publicKeyId } = entry as Record<string, unknown>
    if (typeof certificate !== 'string' || !Array.isArray(usage)) {
      throw new Inconclusive(step, 'entries with usage and certificate', exchange)
    }
    return {
      usage: usage.map(String),
      certificate,
      validFrom: typeof validFrom === 'string' ? Date.parse(validFrom) : -Infinity,
      validTo: typeof validTo === 'string' ? Date.parse(validTo) : Infinity,
      publicKeyId: typeof publicKeyId === 'string' ? publicKeyId : undefined,
    }
  })
}

/** The entry to encrypt with: of the usage, valid at `now` (Unix milliseconds), the latest of them. */
export function chooseKey(
  keys: readonly PublicKey[],
  usage: KeyUsage,
  now: number,
): PublicKey | undefined {
  return keys
    .filter((key) => key.usage.includes(usage) && key.validFrom <= now && now <= key.validTo)
    .reduce<PublicKey | undefined>(
      (best, key) => (best === undefined || key.validFrom > best.validFrom ? key : best),
      undefined,
    )
}

/**
 * The key of a usage that is valid now and to be used, of the given keys or those that the service lists.
 * @throws {Inconclusive} when no key of the usage is valid now
 */
export async function keyFor(
  client: Client,
  usage: KeyUsage,
  keys?: readonly PublicKey[],
): Promise<PublicKey> {
  const key = chooseKey(keys ?? (await fetchKeys(client)), usage, client.now())
  if (key === undefined) throw new Inconclusive(`choose a key for ${usage}`, 'an entry valid now')
  return key
}

/**
 * Encrypts for the service (RSAES-OAEP, SHA-256) with the key of a usage, fetching the list when none is given.
 * @returns Base64, and the name of the key where the service names its keys
 * @throws {Inconclusive} when no key of the usage is valid now
 */
export async function encryptFor(
  client: Client,
  usage: KeyUsage,
  plain: Uint8Array,
  keys?: readonly PublicKey[],
): Promise<{ readonly encrypted: string; readonly publicKeyId: string | undefined }> {
  const key = await keyFor(client, usage, keys)
  const spki = spkiOf(certificateDer(client.codec, key.certificate))
  return {
    encrypted: client.codec.base64(await encryptRsaOaep(plain, spki)),
    publicKeyId: key.publicKeyId,
  }
}
