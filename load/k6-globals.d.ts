// What k6 2.2 has as globals and @types/k6 does not declare, and nothing more: the `dom` library
// would promise `fetch`, `URL`, `atob` and many others that are missing there.
//
// WebCrypto in k6 processes the whole buffer below a typed-array view: pass `view.slice()`.

interface KeyAlgorithm {
  readonly name: string
}

interface CryptoKey {
  readonly algorithm: KeyAlgorithm
  readonly extractable: boolean
  readonly type: 'private' | 'public' | 'secret'
  readonly usages: CryptoKeyUsage[]
}

interface CryptoKeyPair {
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}

type CryptoKeyUsage = 'decrypt' | 'deriveBits' | 'deriveKey' | 'encrypt' | 'sign' | 'verify'

type CryptoBytes = ArrayBuffer | ArrayBufferView

type CryptoHash = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'

interface AesParameters {
  name: 'AES-CBC' | 'AES-CTR' | 'AES-GCM'
  iv?: CryptoBytes
  counter?: CryptoBytes
  length?: number
  additionalData?: CryptoBytes
  tagLength?: number
}

interface RsaOaepParameters {
  name: 'RSA-OAEP'
  label?: CryptoBytes
}

interface SignatureParameters {
  name: 'ECDSA' | 'HMAC' | 'RSA-PSS' | 'RSASSA-PKCS1-v1_5'
  hash?: CryptoHash | { name: CryptoHash }
  saltLength?: number
}

interface KeyParameters {
  name: AesParameters['name'] | 'ECDH' | 'ECDSA' | 'HMAC' | 'RSA-OAEP' | SignatureParameters['name']
  hash?: CryptoHash | { name: CryptoHash }
  length?: number
  namedCurve?: 'P-256' | 'P-384' | 'P-521'
  modulusLength?: number
  publicExponent?: Uint8Array
}

interface SubtleCrypto {
  digest(algorithm: CryptoHash | { name: CryptoHash }, data: CryptoBytes): Promise<ArrayBuffer>
  encrypt(
    algorithm: AesParameters | RsaOaepParameters,
    key: CryptoKey,
    data: CryptoBytes,
  ): Promise<ArrayBuffer>
  decrypt(
    algorithm: AesParameters | RsaOaepParameters,
    key: CryptoKey,
    data: CryptoBytes,
  ): Promise<ArrayBuffer>
  sign(
    algorithm: SignatureParameters | SignatureParameters['name'],
    key: CryptoKey,
    data: CryptoBytes,
  ): Promise<ArrayBuffer>
  verify(
    algorithm: SignatureParameters | SignatureParameters['name'],
    key: CryptoKey,
    signature: CryptoBytes,
    data: CryptoBytes,
  ): Promise<boolean>
  importKey(
    format: 'pkcs8' | 'raw' | 'spki',
    data: CryptoBytes,
    algorithm: KeyParameters | KeyParameters['name'],
    extractable: boolean,
    usages: readonly CryptoKeyUsage[],
  ): Promise<CryptoKey>
  exportKey(format: 'pkcs8' | 'raw' | 'spki', key: CryptoKey): Promise<ArrayBuffer>
}

declare var crypto: {
  readonly subtle: SubtleCrypto
  getRandomValues<T extends ArrayBufferView>(array: T): T
  randomUUID(): string
}

declare var console: Record<
  'debug' | 'error' | 'info' | 'log' | 'warn',
  (...values: unknown[]) => void
>

declare class TextEncoder {
  readonly encoding: 'utf-8'
  encode(text?: string): Uint8Array<ArrayBuffer>
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  readonly encoding: string
  readonly fatal: boolean
  readonly ignoreBOM: boolean
  decode(bytes?: CryptoBytes, options?: { stream?: boolean }): string
}

declare function setTimeout(callback: () => void, milliseconds?: number): number
declare function clearTimeout(timer: number): void
