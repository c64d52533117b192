import { dialectOf } from '../contract/dialects.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { createClient } from '../lib/client.ts'
import type { Client } from '../lib/client.ts'
import { loginWithToken } from '../lib/flows/login.ts'
import { fetchReceipt, receiptPages } from '../lib/flows/receipt.ts'
import {
  closeOnline,
  openOnline,
  settleInvoice,
  settleSession,
  submit,
} from '../lib/flows/session.ts'
import type { Settled } from '../lib/flows/settle.ts'
import { nodeCodec } from '../lib/node/codec.ts'
import { createSend } from '../lib/node/fetch.ts'

/**
 * A client of the service for tests of your own. Calls return the exchange whatever its status; flows of several calls
 * throw when a step does not succeed.
 */

/** Id of an operation, as `assay list operations` prints them. */
export type Operation = OperationId

export interface ConnectOptions {
  /** With the version prefix, no slash at the end. */
  readonly url: string
  /** Names of the contract that the service has; `svc` when absent. */
  readonly dialect?: 'svc' | 'ksef'
  /** Sent with every call, for example for a gateway. */
  readonly headers?: Readonly<Record<string, string>>
  /** PEM certificates of authorities to trust besides the usual ones. */
  readonly ca?: string
  /** Milliseconds for a whole call; 30,000 when absent. */
  readonly timeoutMs?: number
}

export interface Call {
  /** Values of the parameters of the path. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** A JSON value in the words of the specification; bytes and text are sent as they are. */
  readonly body?: unknown
}

/** A call and its answer, whatever the status was. */
export interface Answer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  readonly text: string
  /** The body as JSON: in the words of the specification when the call succeeded; undefined when it is not JSON. */
  readonly body: unknown
  readonly ms: number
}

/** How asynchronous work ended. */
export interface Outcome {
  readonly succeeded: boolean
  /** The status code that the service reports, for example 200 or 440. */
  readonly code: number
  readonly description: string
  readonly details: readonly string[]
  /** The last record. */
  readonly body: unknown
}

export interface Session {
  readonly referenceNumber: string
  /** Encrypts and sends an invoice, and waits until the service has processed it. */
  send(invoice: Uint8Array): Promise<Outcome>
  /** Closes the session and waits until the service has processed it. */
  close(): Promise<Outcome>
  /** The receipt of the closed session: the XML of each page. */
  receipts(): Promise<readonly string[]>
}

export interface LoggedIn {
  readonly accessToken: string
  readonly refreshToken: string
  call(operation: Operation, call?: Call): Promise<Answer>
  /**
   * Opens an interactive session.
   * @param formCode label of the form, for example `FA (3)`, which is the default
   */
  openSession(formCode?: string): Promise<Session>
}

export interface Connection {
  call(operation: Operation, call?: Call): Promise<Answer>
  /** Logs in with a service token of the context with this NIP. */
  loginWithToken(nip: string, token: string): Promise<LoggedIn>
  /** Closes idle connections. */
  close(): void
}

const outcomeOf = ({ succeeded, status, body }: Settled): Outcome => ({
  succeeded,
  code: status.code,
  description: status.description ?? '',
  details: status.details ?? [],
  body,
})

const callsOf =
  (client: Client) =>
  (operation: Operation, call: Call = {}): Promise<Answer> =>
    client.call(operation, call)

const sessionOf = async (client: Client, formCode: string): Promise<Session> => {
  const session = await openOnline(client, { formCode })
  const { referenceNumber } = session
  return {
    referenceNumber,
    send: async (invoice) => {
      const submitted = await submit(client, session, invoice)
      return outcomeOf(await settleInvoice(client, session, submitted.referenceNumber))
    },
    close: async () => {
      await closeOnline(client, session)
      return outcomeOf(await settleSession(client, session))
    },
    receipts: async () => {
      const pages = receiptPages(await settleSession(client, session))
      const fetched = pages.map(({ referenceNumber: upoReferenceNumber }) =>
        fetchReceipt(client, { sessionReferenceNumber: referenceNumber, upoReferenceNumber }),
      )
      return (await Promise.all(fetched)).map(({ text }) => text)
    },
  }
}

/**
 * Connects to a service. Nothing is called yet.
 * @throws {RangeError} when there is no such dialect
 */
export const connect = (options: ConnectOptions): Connection => {
  const { url, dialect: id = 'svc', headers, ca, timeoutMs } = options
  const dialect = dialectOf(id)
  if (dialect === undefined) throw new RangeError(`dialect: expected svc or ksef, received ${id}`)
  const sender = createSend({
    ...(ca === undefined ? {} : { ca }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(headers === undefined ? {} : { headers }),
  })
  const anyone = createClient({ send: sender.send, baseUrl: url, dialect, codec: nodeCodec })
  return {
    call: callsOf(anyone),
    loginWithToken: async (nip, token) => {
      const context = { type: 'Nip', value: nip } as const
      const { accessToken, refreshToken } = await loginWithToken(anyone, { context, token })
      const me = anyone.with({ bearer: accessToken, context: nip })
      return {
        accessToken,
        refreshToken,
        call: callsOf(me),
        openSession: (formCode = 'FA (3)') => sessionOf(me, formCode),
      }
    },
    close: () => sender.close(),
  }
}
