/**
 * The cryptography of the contract over WebCrypto, which Node and k6 both have. Every view is copied before it goes
 * in, because k6 processes the whole buffer below a view.
 */

/** Bytes of the session key. Source: specification, Session. */
export const keyBytes = 32
/** Bytes of the initialization vector. */
export const ivBytes = 16

/** Cryptographically random bytes. */
export function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(count))
}

/** SHA-256, 32 bytes. */
export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice()))
}

// Named through the function, because Node's types have no global `CryptoKey`.
type Imported = Awaited<ReturnType<typeof crypto.subtle.importKey>>

// Importing costs k6 more than encrypting; a key is imported once for as long as its bytes are in use.
const aesKeys = new WeakMap<Uint8Array, Promise<Imported>>()
const rsaKeys = new Map<string, Promise<Imported>>()

function aesKey(key: Uint8Array): Promise<Imported> {
  let imported = aesKeys.get(key)
  if (imported === undefined) {
    imported = crypto.subtle.importKey('raw', key.slice(), { name: 'AES-CBC' }, false, [
      'encrypt',
      'decrypt',
    ])
    aesKeys.set(key, imported)
  }
  return imported
}

/** AES-256-CBC with PKCS#7 padding; the IV is not put in front. Source: specification, Sessions, invoice encryption. */
export async function encryptAes(
  plain: Uint8Array,
  key: Uint8Array,
  iv: Uint8Array,
): Promise<Uint8Array> {
  const imported = await aesKey(key)
  return new Uint8Array(
    await crypto.subtle.encrypt({ name: 'AES-CBC', iv: iv.slice() }, imported, plain.slice()),
  )
}

/** The inverse of {@link encryptAes}; rejects when the padding is wrong. */
export async function decryptAes(
  encrypted: Uint8Array,
  key: Uint8Array,
  iv: Uint8Array,
): Promise<Uint8Array> {
  const imported = await aesKey(key)
  return new Uint8Array(
    await crypto.subtle.decrypt({ name: 'AES-CBC', iv: iv.slice() }, imported, encrypted.slice()),
  )
}

/** Bytes of an AES-CBC ciphertext with PKCS#7 padding of a plaintext of `bytes` bytes. */
export const encryptedSize = (bytes: number): number => bytes - (bytes % 16) + 16

function rsaKey(spki: Uint8Array): Promise<Imported> {
  const id = spki.join()
  let imported = rsaKeys.get(id)
  if (imported === undefined) {
    imported = crypto.subtle.importKey(
      'spki',
      spki.slice(),
      { name: 'RSA-OAEP', hash: 'SHA-256' },
      false,
      ['encrypt'],
    )
    rsaKeys.set(id, imported)
  }
  return imported
}

/** RSAES-OAEP with SHA-256 and MGF1 with SHA-256, empty label, under a public key given as SPKI (DER). */
export async function encryptRsaOaep(plain: Uint8Array, spki: Uint8Array): Promise<Uint8Array> {
  const imported = await rsaKey(spki)
  return new Uint8Array(await crypto.subtle.encrypt({ name: 'RSA-OAEP' }, imported, plain.slice()))
}
