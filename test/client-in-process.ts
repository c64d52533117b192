import { svc } from '../contract/dialects/svc.ts'
import { createClient } from '../lib/client.ts'
import type { Client, ClientOptions } from '../lib/client.ts'
import { contextKey, loginWithDocument } from '../lib/flows/login.ts'
import type { Context } from '../lib/flows/login.ts'
import { nodeCodec } from '../lib/node/codec.ts'
import type { DocumentOptions, OwnContext } from '../suites/support/service/contexts.ts'
import type { InProcess } from '../suites/support/service/target.ts'

/** A client of a service in this process; its waits move the clock of the service. */
export const clientInProcess = (
  { send, url, now, advance }: InProcess,
  more: Partial<ClientOptions> = {},
): Client =>
  createClient({
    send,
    baseUrl: url,
    dialect: svc,
    codec: nodeCodec,
    now,
    sleep: advance,
    polling: { everyMs: 100, times: 60 },
    ...more,
  })

/** Logs in by a signed document: in the context of its signer, unless `options` name another. */
export const loginBy = async (
  client: Client,
  own: OwnContext,
  options: DocumentOptions & { readonly context?: Context } = {},
): Promise<{ readonly me: Client; readonly accessToken: string }> => {
  const { accessToken } = await loginWithDocument(client, {
    sign: (challenge) => own.document(challenge, options),
  })
  const context = contextKey(options.context ?? own)
  return { accessToken, me: client.with({ bearer: accessToken, context }) }
}
