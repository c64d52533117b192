import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Fault } from './condition.ts'
import { sleep } from '../../../lib/poll.ts'

/** Delivers answers, whole or as a fault leaves them. */

/** An answer as it is to reach the client. */
export interface Plain {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Delivers an answer as the fault says; what of it reached the client. */
export async function delivered(
  outgoing: ServerResponse,
  answer: Plain,
  fault: Fault | undefined,
  asked: Readonly<Record<string, string>>,
): Promise<Plain | undefined> {
  const socket = outgoing.socket
  if (fault?.kind === 'lost-after') {
    socket?.destroy()
    return undefined
  }
  if (fault?.kind === 'cut') {
    outgoing.writeHead(answer.status, {
      ...withoutLength(answer.headers),
      'content-length': String(Math.max(2, answer.body.length)),
    })
    outgoing.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)))
    await sleep(20)
    socket?.destroy()
    return undefined
  }
  if (fault?.kind === 'slow') await sleep(fault.ms)
  if (fault?.kind === 'dribble') {
    await dribble(outgoing, answer, fault.ms)
    return outgoing.writableFinished ? answer : undefined
  }
  const form = fault?.kind === 'form' ? fault.how : undefined
  const zips = form === 'gzip' && /\bgzip\b/.test(asked['accept-encoding'] ?? '')
  const sent: Plain = zips
    ? {
        ...answer,
        headers: { ...answer.headers, 'content-encoding': 'gzip' },
        body: gzipSync(answer.body),
      }
    : answer
  await deliver(outgoing, sent, form === 'chunked', form === 'close')
  return outgoing.writableFinished ? sent : undefined
}

const withoutLength = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-length'))

const ended = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (outgoing.writableFinished || outgoing.destroyed) resolve()
    outgoing.once('finish', () => resolve())
    outgoing.once('close', () => resolve())
  })

export async function deliver(
  outgoing: ServerResponse,
  { status, headers, body }: Plain,
  chunked = false,
  close = false,
): Promise<void> {
  const length = chunked || status === 204 ? {} : { 'content-length': String(body.length) }
  outgoing.writeHead(status, {
    ...withoutLength(headers),
    ...length,
    ...(close && { connection: 'close' }),
  })
  if (chunked)
    for (let place = 0; place < body.length; place += 7)
      outgoing.write(body.subarray(place, place + 7))
  else if (status !== 204) outgoing.write(body)
  outgoing.end()
  await ended(outgoing)
}

async function dribble(
  outgoing: ServerResponse,
  { status, headers, body }: Plain,
  ms: number,
): Promise<void> {
  const pieces = 10
  const size = Math.max(1, Math.ceil(body.length / pieces))
  outgoing.writeHead(status, { ...withoutLength(headers), 'content-length': String(body.length) })
  for (let place = 0; place < body.length; place += size) {
    if (place > 0) await sleep(ms / pieces)
    outgoing.write(body.subarray(place, place + size))
  }
  outgoing.end()
  await ended(outgoing)
}
