import { createClient } from '../../lib/client.ts'
import type { Client } from '../../lib/client.ts'
import type { Dialect } from '../../contract/dialect.ts'
import type { FormCode } from '../../contract/environments.ts'
import type { WireRequest } from '../../lib/exchange.ts'
import { loginWithToken } from '../../lib/flows/login.ts'
import { closeOnline, openOnline, settleInvoice, submit } from '../../lib/flows/session.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { textOf } from './answers.ts'

/** Issues invoices for the examiner itself: those that the client finds at the start, and those that arrive later. */

/**
 * Calls a service in this process, from varying addresses: rate limits count per address, and these calls must not
 * count as the client's.
 */
export const inProcess = (
  dialect: Dialect,
  origin: string,
  serve: (request: Request, address: string) => Promise<Response>,
  now: () => number,
): Client => {
  let calls = 0
  return createClient({
    dialect,
    codec: nodeCodec,
    baseUrl: origin + dialect.prefix,
    now,
    polling: { everyMs: 20, times: 400, atMostMs: 100 },
    send: async ({ method, url, headers, body }: WireRequest) => {
      const request = new Request(url, {
        method,
        headers,
        ...(body !== undefined && { body: typeof body === 'string' ? body : Buffer.from(body) }),
      })
      calls += 1
      const response = await serve(request, `127.0.1.${1 + (calls % 250)}`)
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: new Uint8Array(await response.arrayBuffer()),
      }
    },
  })
}

/** Issues documents in a separate session; returns their service numbers, in order. */
export async function issueAll(
  client: Client,
  credentials: { readonly nip: string; readonly token: string },
  formCode: FormCode,
  documents: readonly Uint8Array[],
): Promise<string[]> {
  const { accessToken } = await loginWithToken(client, {
    context: { type: 'Nip', value: credentials.nip },
    token: credentials.token,
  })
  const own = client.with({ bearer: accessToken })
  const session = await openOnline(own, { formCode })
  const references: string[] = []
  for (const xml of documents) references.push((await submit(own, session, xml)).referenceNumber)
  const numbers: string[] = []
  for (const reference of references) {
    const { body } = await settleInvoice(own, session, reference)
    numbers.push(textOf(body, 'svcNumber') ?? '')
  }
  await closeOnline(own, session)
  return numbers
}
