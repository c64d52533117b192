import { createHash } from 'node:crypto'
import { svc } from '../../../contract/dialects/svc.ts'
import type { Client } from '../../../lib/client.ts'
import { createClient } from '../../../lib/client.ts'
import type { PublicKey } from '../../../lib/flows/keys.ts'
import { fetchKeys } from '../../../lib/flows/keys.ts'
import { loginWithDocument, loginWithToken } from '../../../lib/flows/login.ts'
import { nodeCodec } from '../../../lib/node/codec.ts'
import { Unreachable, createSend } from '../../../lib/node/fetch.ts'
import type { Credentials } from '../../../lib/node/pki.ts'
import { documentSigner } from '../../../lib/node/signer.ts'
import type { Served } from '../../served.ts'

/** The user of a service that is killed and restarted: one context, its token, its certificate. */
export interface Owner {
  readonly nip: string
  readonly token: string
  readonly credentials: Credentials
}

/** The owner during one life of the service. */
export interface World {
  readonly owner: Owner
  /** Logged in by the certificate. */
  readonly api: Client
  readonly keys: readonly PublicKey[]
  /** Scheme, host and port of this life: links of an earlier one name another. */
  readonly origin: string
  readonly close: () => void
}

/** Something that the service answered, and how to check that it still holds. */
export interface Fact {
  readonly what: string
  /** @throws {Error} which says what no longer holds */
  check(world: World): Promise<void>
}

/** Receives the facts that the work produces. */
export type Tell = (fact: Fact) => void

/** A client of a service. */
export const clientOf = ({
  url,
}: {
  readonly url: string
}): { readonly client: Client; readonly close: () => void } => {
  const send = createSend()
  const client = createClient({
    send: send.send,
    baseUrl: url,
    dialect: svc,
    codec: nodeCodec,
    polling: { everyMs: 20, times: 500 },
  })
  return { client, close: () => send.close() }
}

/** Logs in at a service, the second time too. */
export const enter = async ({ profile }: Served, owner: Owner): Promise<World> => {
  const { client, close } = clientOf(profile)
  const context = { type: 'Nip', value: owner.nip } as const
  try {
    const { accessToken } = await loginWithDocument(
      client,
      documentSigner({ context, credentials: owner.credentials }),
    )
    return {
      owner,
      api: client.with({ bearer: accessToken }),
      keys: await fetchKeys(client),
      origin: new URL(profile.url).origin,
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

/** Whether a service token opens the context. */
export const opens = async ({ api, owner }: World, token: string): Promise<boolean> => {
  const context = { type: 'Nip', value: owner.nip } as const
  try {
    await loginWithToken(api.with({}), { context, token })
    return true
  } catch (error) {
    if (error instanceof Unreachable) throw error
    return false
  }
}

/** The address of a link at this life of the service. */
export const moved = ({ origin }: World, url: string): string => {
  const { pathname, search } = new URL(url)
  return origin + pathname + search
}

export const digest = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64')

/** @throws {Error} when a value differs from the one that was reported */
export const same = (what: string, found: unknown, reported: unknown): void => {
  if (found !== reported)
    throw new Error(`${what}: told ${String(reported)}, found ${String(found)}`)
}
