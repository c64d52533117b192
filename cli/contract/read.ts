import { readFile } from 'node:fs/promises'
import { dialects } from '../../contract/dialects.ts'
import { Unreachable } from '../../lib/node/fetch.ts'
import { sendToTarget } from '../../lib/node/target-send.ts'
import { couldNotRun, interrupted, usageError } from '../io.ts'
import type { Io } from '../io.ts'
import { systemError } from '../system-error.ts'

/** Reads an OpenAPI description from a file or a URL. */

export interface Description {
  readonly text: string
  readonly value: unknown
}

/** Descriptions are often published behind a redirect to the current version. */
const maxRedirects = 5

const utf8 = new TextDecoder()

/** The sender bounds the length and the time of a response: whatever answers at the URL ends. */
const fetchText = async (where: string, signal: AbortSignal): Promise<string> => {
  let url = where
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const sender = sendToTarget({ url }, { dialect: dialects.svc })
    const stop = () => sender.close()
    signal.addEventListener('abort', stop, { once: true })
    try {
      signal.throwIfAborted()
      const request = { method: 'GET', url, headers: { accept: 'application/json' } }
      const { status, headers, body } = await sender.send(request)
      if (status === 200) return utf8.decode(body)
      const { location } = headers
      if (status < 300 || status >= 400 || location === undefined)
        throw couldNotRun(`${url}: expected status 200, received ${status}`)
      url = new URL(location, url).href
    } catch (error) {
      if (signal.aborted) throw interrupted(`interrupted while ${url} was read`)
      if (!(error instanceof Unreachable)) throw error
      throw couldNotRun(
        `${url} cannot be read: ${error.message}. Check the URL and the network, or name a file.`,
      )
    } finally {
      signal.removeEventListener('abort', stop)
      sender.close()
    }
  }
  throw couldNotRun(`${where}: more than ${maxRedirects} redirects. Name the final URL.`)
}

/** @throws {Explained} when it cannot be read, or is not JSON */
export const readDescriptionAt = async (
  where: string,
  { signal }: Pick<Io, 'signal'>,
): Promise<Description> => {
  const text = /^https?:/.test(where)
    ? await fetchText(where, signal)
    : await readFile(where, 'utf8').catch((cause: unknown) => {
        throw (
          systemError(cause) ?? usageError(`${where} cannot be read: ${(cause as Error).message}`)
        )
      })
  try {
    return { text, value: JSON.parse(text) as unknown }
  } catch {
    throw usageError(`${where} is not valid JSON: expected an OpenAPI description in JSON`)
  }
}
