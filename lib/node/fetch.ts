import http from 'node:http'
import https from 'node:https'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { rootCertificates } from 'node:tls'
import { HttpProxyAgent } from 'http-proxy-agent'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { maxAnswerBytes } from '../answer-bounds.ts'
import { withOutcome } from '../outcome.ts'
import type { HeldBody, Send, SendOptions, WireRequest, WireResponse } from '../exchange.ts'

/** No answer came: the target cannot be reached, closed the connection, or took too long. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  /** For example `ECONNREFUSED`, `ENOTFOUND`, `ETIMEDOUT`. */
  readonly code: string
  readonly url: string

  constructor(url: string, code: string, cause: unknown, maxBytes = maxAnswerBytes) {
    const why = explain(code, maxBytes)
    super(`no answer from ${url.split('?', 1)[0]}: ${why}`, { cause })
    this.code = code
    this.url = url
    const tooLong = code === 'EMSGSIZE'
    withOutcome(this, {
      kind: 'inconclusive',
      reason: this.message,
      expected: tooLong ? `an answer of at most ${mebibytes(maxBytes)}` : 'an answer',
      actual: why,
      cause: tooLong ? why : `no answer: ${why}`,
      // A service is to blame for an answer that is too long, but anything on the way can keep an answer from arriving.
      fault: tooLong ? 'shape' : 'environment',
      unreachable: code,
    })
  }
}

const mebibytes = (bytes: number): string => `${bytes / 2 ** 20} MiB`

const explain = (code: string, maxBytes: number): string => {
  const words: Record<string, string> = {
    ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
    ENOTFOUND: 'no such host (ENOTFOUND)',
    ETIMEDOUT: 'it took too long (ETIMEDOUT)',
    ECONNRESET: 'the connection was closed before an answer (ECONNRESET)',
    EMSGSIZE: `the answer is longer than ${mebibytes(maxBytes)} (EMSGSIZE)`,
    HPE_HEADER_OVERFLOW: 'the headers of the answer are too long (HPE_HEADER_OVERFLOW)',
  }
  return words[code] ?? code
}

export interface FetchOptions {
  /** Source address, where the machine has several. */
  readonly localAddress?: string
  /** Milliseconds for a whole exchange; 30 000 when absent. */
  readonly timeoutMs?: number
  /** Connections at the same time for one origin; unbounded when absent. */
  readonly maxSockets?: number
  /** PEM certificates of authorities that TLS certificates are checked against, besides the usual ones. */
  readonly ca?: string
  /** Address of an HTTP proxy. */
  readonly proxy?: string
  /** Sent with every request that does not set them itself. Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface NodeSend {
  readonly send: Send
  /** Closes the idle connections. */
  close(): void
}

/**
 * A sender over Node's own HTTP with connections that are kept alive. Redirects are not followed, and nothing is
 * sent again. `send` rejects with {@link Unreachable} when no answer came.
 */
export function createSend(options: FetchOptions = {}): NodeSend {
  const pool = {
    keepAlive: true,
    // Many servers close a connection that is idle for 5 s, perhaps just as the next request leaves: we close earlier.
    timeout: 4_000,
    ...(options.maxSockets === undefined ? {} : { maxSockets: options.maxSockets }),
  }
  // With the request and not with the agent: an agent of a proxy would trust them for the proxy alone.
  const tls = options.ca === undefined ? {} : { ca: [...rootCertificates, options.ca] }
  const { localAddress } = options
  const connection = { ...tls, ...(localAddress === undefined ? {} : { localAddress }) }
  const { proxy, headers } = options
  const plain = proxy === undefined ? new http.Agent(pool) : new HttpProxyAgent(proxy, pool)
  const secure = proxy === undefined ? new https.Agent(pool) : new HttpsProxyAgent(proxy, pool)
  const withHeaders = (request: WireRequest): WireRequest =>
    headers === undefined ? request : { ...request, headers: { ...headers, ...request.headers } }
  return {
    send: (request, { timeoutMs = options.timeoutMs ?? 30_000, ...more }: SendOptions = {}) =>
      exchange(withHeaders(request), { timeoutMs, ...more }, connection, plain, secure),
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}

function exchange(
  { url, method, headers, body }: WireRequest,
  { timeoutMs, maxBytes = maxAnswerBytes, held }: SendOptions & { readonly timeoutMs: number },
  connection: https.RequestOptions,
  plain: http.Agent,
  secure: https.Agent,
): Promise<WireResponse> {
  const encrypted = url.startsWith('https:')
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      reject(new Unreachable(url, error.code ?? error.message, error, maxBytes))
    }
    const request = (encrypted ? https : http).request(
      url,
      {
        method,
        headers,
        agent: encrypted ? secure : plain,
        ...connection,
      },
      (answer) => {
        const chunks: Buffer[] = []
        let bytes = 0
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes <= maxBytes) chunks.push(chunk)
          else request.destroy(Object.assign(new Error('too long'), { code: 'EMSGSIZE' }))
        })
        answer.on('error', fail)
        answer.on('end', () => {
          clearTimeout(timer)
          resolve({
            status: answer.statusCode ?? 0,
            headers: joinHeaders(answer),
            body: Buffer.concat(chunks),
          })
        })
      },
    )
    const timer = setTimeout(() => {
      request.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }))
    }, timeoutMs)
    request.on('error', fail)
    if (held === undefined || body === undefined) request.end(body)
    else endHeld(request, Buffer.from(body), held)
  })
}

/** Sends the head and half of the body, and the rest on its release, whether or not an answer came meanwhile. */
function endHeld(request: ClientRequest, body: Buffer, { begun, release }: HeldBody): void {
  const half = Math.floor(body.length / 2)
  request.setHeader('content-length', body.length)
  request.write(body.subarray(0, half), () => begun())
  void release.then(() => request.end(body.subarray(half)))
}

// All values of a name, because `headers` drops the repetitions that a check may want to see.
function joinHeaders({ rawHeaders }: IncomingMessage): Record<string, string> {
  const joined: Record<string, string> = {}
  for (let place = 0; place + 1 < rawHeaders.length; place += 2) {
    const name = rawHeaders[place]?.toLowerCase() ?? ''
    const value = rawHeaders[place + 1] ?? ''
    joined[name] = joined[name] === undefined ? value : `${joined[name]}, ${value}`
  }
  return joined
}
