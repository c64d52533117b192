import { concatBytes } from './codec.ts'

/**
 * The cryptography of the contract: Node's own where there is Node, otherwise WebCrypto, which k6 has. Node has WebCrypto
 * too, but sends each call to another thread and waits for it, which takes longer than the work on most documents.
 */

/** Bytes of the session key. Source: specification, Session. */
export const keyBytes = 32
/** Bytes of the initialization vector. */
export const ivBytes = 16

/** Cryptographically random bytes. */
export function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(count))
}

/** Bytes of an AES-CBC ciphertext with PKCS#7 padding of a plaintext of `bytes` bytes. */
export const encryptedSize = (bytes: number): number => bytes - (bytes % 16) + 16

type Bytes = Uint8Array | Promise<Uint8Array>

interface Primitives {
  sha256(bytes: Uint8Array): Bytes
  encryptAes(plain: Uint8Array, key: Uint8Array, iv: Uint8Array): Bytes
  decryptAes(encrypted: Uint8Array, key: Uint8Array, iv: Uint8Array): Bytes
  encryptRsaOaep(plain: Uint8Array, spki: Uint8Array): Bytes
}

// Named through the function, because Node's types have no global `CryptoKey`.
type Imported = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** Public keys, SPKI, are read once: reading one takes longer than encrypting under it. */
const remembered = <Key>(read: (spki: Uint8Array) => Key): ((spki: Uint8Array) => Key) => {
  const keys = new Map<string, Key>()
  return (spki) => {
    const id = spki.join()
    const key = keys.get(id) ?? read(spki)
    keys.set(id, key)
    return key
  }
}

/** Over WebCrypto. Every view is copied before it goes in, because k6 processes the whole buffer below a view. */
export const webCrypto = (): Primitives => {
  // Importing costs k6 more than encrypting; a key is imported once for as long as its bytes are in use.
  const aesKeys = new WeakMap<Uint8Array, Promise<Imported>>()
  const aesKey = (key: Uint8Array): Promise<Imported> => {
    const known = aesKeys.get(key)
    if (known !== undefined) return known
    const usages = ['encrypt', 'decrypt'] as const
    const made = crypto.subtle.importKey('raw', key.slice(), { name: 'AES-CBC' }, false, usages)
    aesKeys.set(key, made)
    return made
  }
  const rsaKey = remembered((spki) => {
    const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' } as const
    return crypto.subtle.importKey('spki', spki.slice(), algorithm, false, ['encrypt'])
  })
  const aes =
    (way: 'encrypt' | 'decrypt') =>
    async (bytes: Uint8Array, key: Uint8Array, iv: Uint8Array): Promise<Uint8Array> => {
      const algorithm = { name: 'AES-CBC', iv: iv.slice() } as const
      return new Uint8Array(await crypto.subtle[way](algorithm, await aesKey(key), bytes.slice()))
    }
  return {
    sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice())),
    encryptAes: aes('encrypt'),
    decryptAes: aes('decrypt'),
    encryptRsaOaep: async (plain, spki) =>
      new Uint8Array(
        await crypto.subtle.encrypt({ name: 'RSA-OAEP' }, await rsaKey(spki), plain.slice()),
      ),
  }
}

interface Cipher {
  update(bytes: Uint8Array): Uint8Array
  final(): Uint8Array
}

interface Hash {
  update(bytes: Uint8Array): Hash
  digest(): Uint8Array
}

/** What is used of Node's module; k6's types have nothing of Node. */
interface NodeCrypto {
  createHash(name: string): Hash
  createCipheriv(name: string, key: Uint8Array, iv: Uint8Array): Cipher
  createDecipheriv(name: string, key: Uint8Array, iv: Uint8Array): Cipher
  createPublicKey(given: { key: Uint8Array; format: 'der'; type: 'spki' }): object
  publicEncrypt(
    under: { key: object; padding: number; oaepHash: string },
    plain: Uint8Array,
  ): Uint8Array
  readonly constants: { readonly RSA_PKCS1_OAEP_PADDING: number }
}

interface NodeGlobals {
  readonly process?: { getBuiltinModule?(name: 'node:crypto'): NodeCrypto }
}

const ofNode = (node: NodeCrypto): Primitives => {
  const whole = (cipher: Cipher, bytes: Uint8Array): Uint8Array =>
    concatBytes([cipher.update(bytes), cipher.final()])
  const named = (key: Uint8Array): string => `aes-${key.length * 8}-cbc`
  const rsaKey = remembered((spki) =>
    node.createPublicKey({ key: spki, format: 'der', type: 'spki' }),
  )
  return {
    sha256: (bytes) => new Uint8Array(node.createHash('sha256').update(bytes).digest()),
    encryptAes: (plain, key, iv) => whole(node.createCipheriv(named(key), key, iv), plain),
    decryptAes: (encrypted, key, iv) =>
      whole(node.createDecipheriv(named(key), key, iv), encrypted),
    encryptRsaOaep: (plain, spki) => {
      const padding = node.constants.RSA_PKCS1_OAEP_PADDING
      const under = { key: rsaKey(spki), padding, oaepHash: 'sha256' }
      return new Uint8Array(node.publicEncrypt(under, plain))
    },
  }
}

const builtIn = (globalThis as NodeGlobals).process?.getBuiltinModule?.('node:crypto')

const primitives = builtIn === undefined ? webCrypto() : ofNode(builtIn)

/** SHA-256, 32 bytes. */
export const sha256 = async (bytes: Uint8Array): Promise<Uint8Array> => primitives.sha256(bytes)

/** AES-256-CBC with PKCS#7 padding; the IV is not put in front. Source: specification, Sessions, invoice encryption. */
export const encryptAes = async (
  plain: Uint8Array,
  key: Uint8Array,
  iv: Uint8Array,
): Promise<Uint8Array> => primitives.encryptAes(plain, key, iv)

/** The inverse of {@link encryptAes}; rejects when the padding is wrong. */
export const decryptAes = async (
  encrypted: Uint8Array,
  key: Uint8Array,
  iv: Uint8Array,
): Promise<Uint8Array> => primitives.decryptAes(encrypted, key, iv)

/** RSAES-OAEP with SHA-256 and MGF1 with SHA-256, empty label, under a public key given as SPKI (DER). */
export const encryptRsaOaep = async (plain: Uint8Array, spki: Uint8Array): Promise<Uint8Array> =>
  primitives.encryptRsaOaep(plain, spki)
