import { encryptRsaOaep } from '../../lib/crypto.ts'
import { certificateDer, spkiOf } from '../../lib/der.ts'
import type { Codec } from '../../lib/codec.ts'
import type { Exchange } from '../../lib/exchange.ts'
import type { KeyUsage, PublicKey } from '../../lib/flows/keys.ts'
import type { Conduct } from './conduct.ts'
import type { Connection } from './connection.ts'

/** The service's certificates, read before they are used and again when the service refuses one. */
export interface KeyList {
  /**
   * Encrypts for the service and sends it; reads the list again and repeats when the key is refused.
   * @throws {Error} when no key of the usage is valid
   */
  using(
    usage: KeyUsage,
    plain: Uint8Array,
    now: () => number,
    send: (encrypted: string) => Promise<Exchange>,
  ): Promise<Exchange>
  /** The next use reads the list again. */
  forget(): void
}

/** How long a list is good, ms: the certificates are rotated without notice. */
const goodFor = 3_600_000
const attempts = 3

/** How far the time of the service may be ahead of what a slow answer made of it, ms: a new key is valid at once. */
const clockError = 60_000

/** What the list needs of a connection. */
interface Reader extends Pick<Connection, 'call'> {
  readonly client: { readonly codec: Codec }
}

export function createKeyList(connection: Reader, conduct: Conduct): KeyList {
  let keys: readonly PublicKey[] | undefined
  let readAt = 0

  async function list(): Promise<readonly PublicKey[]> {
    if (keys !== undefined && Date.now() - readAt < goodFor) return keys
    const { body } = await connection.call('keys.list', {}, 'safe')
    readAt = Date.now()
    keys = (body as Record<string, unknown>[]).map((entry) => ({
      usage: (entry['usage'] as string[]).map(String),
      certificate: String(entry['certificate']),
      validFrom: Date.parse(String(entry['validFrom'])),
      validTo: typeof entry['validTo'] === 'string' ? Date.parse(entry['validTo']) : Infinity,
      publicKeyId: undefined,
    }))
    return keys
  }

  async function encrypted(usage: KeyUsage, plain: Uint8Array, now: () => number): Promise<string> {
    const listed = await list()
    const at = now()
    const key =
      conduct.chooseKey(listed, usage, at) ?? conduct.chooseKey(listed, usage, at + clockError)
    if (key === undefined) throw new Error(`no certificate for ${usage} is valid`)
    const spki = spkiOf(certificateDer(connection.client.codec, key.certificate))
    return connection.client.codec.base64(await encryptRsaOaep(plain, spki))
  }

  return {
    async using(usage, plain, now, send) {
      for (let attempt = 1; ; attempt += 1) {
        const exchange = await send(await encrypted(usage, plain, now))
        if (exchange.status !== 400 || attempt === attempts) return exchange
        if (conduct.readsKeysAgain) keys = undefined
      }
    },
    forget() {
      if (conduct.readsKeysAgain) keys = undefined
    },
  }
}
