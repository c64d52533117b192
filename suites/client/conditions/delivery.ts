import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { sleep } from '../../../lib/poll.ts'
import type { Fault } from './condition.ts'

/** Delivers answers, whole or as a fault leaves them. */

/** An answer as it should reach the client. */
export interface Plain {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What reached the client, and when: not before the answer was handed to the connection. */
export interface Delivery {
  readonly answer: Plain | undefined
  readonly at: number
}

/** Delivers an answer as the fault says. */
export async function delivered(
  outgoing: ServerResponse,
  answer: Plain,
  fault: Fault | undefined,
  { asked, now }: { readonly asked: Readonly<Record<string, string>>; readonly now: () => number },
): Promise<Delivery> {
  const socket = outgoing.socket
  if (fault?.kind === 'lost-after') {
    socket?.destroy()
    return { answer: undefined, at: now() }
  }
  if (fault?.kind === 'cut') {
    outgoing.writeHead(answer.status, {
      ...withoutLength(answer.headers),
      'content-length': String(Math.max(2, answer.body.length)),
    })
    outgoing.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)))
    await sleep(20)
    socket?.destroy()
    return { answer: undefined, at: now() }
  }
  if (fault?.kind === 'slow') await sleep(fault.ms)
  if (fault?.kind === 'dribble') {
    const arrived = await dribble(outgoing, answer, fault.ms)
    return { answer: arrived ? answer : undefined, at: now() }
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
  const at = now()
  const arrived = await deliver(outgoing, sent, form === 'chunked', form === 'close')
  return { answer: arrived ? sent : undefined, at }
}

const withoutLength = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-length'))

/** Whether all of it went out. A client that hung up before received nothing. */
const ended = (outgoing: ServerResponse): Promise<boolean> =>
  new Promise((resolve) => {
    const finish = () => resolve(outgoing.writableFinished)
    if (outgoing.writableFinished || outgoing.destroyed) finish()
    outgoing.once('finish', finish)
    outgoing.once('close', finish)
  })

/** Sends an answer; returns whether it reached the connection whole. */
async function deliver(
  outgoing: ServerResponse,
  { status, headers, body }: Plain,
  chunked = false,
  close = false,
): Promise<boolean> {
  if (outgoing.destroyed) return false
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
  return ended(outgoing)
}

async function dribble(
  outgoing: ServerResponse,
  { status, headers, body }: Plain,
  ms: number,
): Promise<boolean> {
  const pieces = 10
  const size = Math.max(1, Math.ceil(body.length / pieces))
  outgoing.writeHead(status, { ...withoutLength(headers), 'content-length': String(body.length) })
  for (let place = 0; place < body.length; place += size) {
    if (place > 0) await sleep(ms / pieces)
    outgoing.write(body.subarray(place, place + size))
  }
  outgoing.end()
  return ended(outgoing)
}
