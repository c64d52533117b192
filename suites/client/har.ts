import { Buffer } from 'node:buffer'
import type { Dialect } from '../../contract/dialect.ts'
import type { HarEntry, HarHeader } from '../../lib/node/har.ts'
import type { History } from './history.ts'
import { createRecorder } from './recorder.ts'
import { inOrder } from './steps.ts'

/** Reads a HAR file, as browsers and debugging proxies write it. */

const headersOf = (headers: readonly HarHeader[] = []): Record<string, string> =>
  Object.fromEntries(
    headers
      .map(({ name, value }): [string, string] => [name.toLowerCase(), value])
      // The text of a HAR is decoded already.
      .filter(([name]) => name !== 'content-encoding'),
  )

/**
 * The history in a HAR file. An entry without a status got no answer.
 * @throws {Error} when the text is no HAR
 */
export function readHar(text: string, dialect: Dialect): History {
  const { log } = JSON.parse(text) as { log?: { entries?: readonly HarEntry[] } }
  if (!Array.isArray(log?.entries)) throw new Error('expected log.entries, as HAR 1.2 has them')
  const entries = (log.entries as HarEntry[]).toSorted(
    (a, b) => Date.parse(a.startedDateTime) - Date.parse(b.startedDateTime),
  )
  const zero = Date.parse(entries[0]?.startedDateTime ?? '')
  const recorder = createRecorder(dialect)
  for (const [place, { startedDateTime, time = 0, request, response }] of entries.entries()) {
    const at = Date.parse(startedDateTime) - zero
    if (!URL.canParse(request?.url) || Number.isNaN(at))
      throw new Error(
        `entry ${place + 1}: expected startedDateTime and request.url, received ${JSON.stringify(startedDateTime)} and ${JSON.stringify(request?.url)}`,
      )
    const { pathname, search } = new URL(request.url)
    const { text: content = '', encoding } = response?.content ?? {}
    const isAnswered = response?.status !== undefined && response.status > 0
    recorder.add({
      run: 1,
      method: request.method,
      url: pathname + search,
      headers: headersOf(request.headers),
      body: Buffer.from(request.postData?.text ?? ''),
      // Browsers leave out what is secret, and long bodies.
      isPartial: true,
      answer: isAnswered
        ? {
            status: response.status ?? 0,
            headers: headersOf(response.headers),
            body: Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'),
          }
        : undefined,
      at,
      ended: at + Math.max(0, time),
    })
  }
  return { source: 'har', epoch: zero, events: [], steps: inOrder(recorder.steps) }
}
