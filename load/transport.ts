import encoding from 'k6/encoding'
import http from 'k6/http'
import type { RefinedResponse } from 'k6/http'
import { dialects } from '../contract/dialects.ts'
import { createCallerContexts } from '../lib/caller-contexts.ts'
import { createClient } from '../lib/client.ts'
import type { Client } from '../lib/client.ts'
import type { Codec } from '../lib/codec.ts'
import { endOf, guarded } from '../lib/consent.ts'
import type { Send, WireRequest } from '../lib/exchange.ts'
import type { Addressed, Reach } from './assignment.ts'

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** The codecs that are built into k6; by hand they would be some hundred times slower. */
export const codec: Codec = {
  base64: (bytes) => encoding.b64encode(bytes.slice().buffer),
  fromBase64: (text) => new Uint8Array(encoding.b64decode(text)),
  utf8: (text) => encoder.encode(text),
  text: (bytes) => decoder.decode(bytes),
}

/** Headers as the portable core knows them. */
export const lower = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Milliseconds for a whole exchange, where the profile names none. */
const defaultTimeoutMs = 60_000

/** Carries a request by k6. `name` keeps one metric per operation instead of one per address. */
export const send: Send = async (request, options) => {
  const body =
    request.body === undefined || typeof request.body === 'string'
      ? request.body
      : request.body.slice().buffer
  const answer = await http.asyncRequest(request.method, request.url, body ?? null, {
    headers: { ...request.headers },
    responseType: 'binary',
    timeout: `${options?.timeoutMs ?? defaultTimeoutMs}ms`,
    tags: { name: 'service' },
  })
  if (answer.error_code >= 1000 && answer.status === 0)
    throw new Error(`no answer from ${request.url}: ${answer.error}`)
  return {
    status: answer.status,
    headers: lower(answer.headers),
    body: new Uint8Array(answer.body ?? new ArrayBuffer(0)),
  }
}

/** Whose tokens this virtual user has. */
export const callers = createCallerContexts(codec)

type Place = Addressed & Reach

const dialectIn = ({ dialect }: Place) => dialects[dialect as keyof typeof dialects]

/**
 * A sender to the service of a profile: its headers, unless the request sets them itself, its timeout, and the guard of
 * its consent.
 */
const sendTo = (place: Place): Send => {
  const { headers, timeoutMs = defaultTimeoutMs, consent, baseUrl } = place
  const plain: Send = (request, options) =>
    send({ ...request, headers: { ...headers, ...request.headers } }, { timeoutMs, ...options })
  if (consent === undefined) return plain
  return guarded(plain, {
    baseUrl,
    dialect: dialectIn(place),
    consent,
    callers,
    work: 'load',
    refuse: (reason) => new Error(reason),
  })
}

/**
 * Sends the same request with one body after another; status 0 says that no answer came. The virtual user
 * is blocked meanwhile: promises, copies and headers that no code reads would cost k6 as much as the request itself.
 */
export const repeat = (
  { method, url, headers }: WireRequest,
  reach: Reach,
): ((body: ArrayBuffer) => RefinedResponse<'text'>) => {
  const parameters = {
    headers: { ...reach.headers, ...headers },
    responseType: 'text',
    timeout: `${reach.timeoutMs ?? defaultTimeoutMs}ms`,
    tags: { name: 'service' },
  } as const
  const { consent } = reach
  const until = consent === undefined ? Number.POSITIVE_INFINITY : endOf(consent)
  return (body) => {
    if (Date.now() >= until) throw new Error(`the consent for ${url} has ended`)
    return http.request(method, url, body, parameters)
  }
}

/** The portable client of the suite, over k6. */
export const clientOf = (assignment: Place): Client =>
  createClient({
    send: sendTo(assignment),
    codec,
    dialect: dialectIn(assignment),
    baseUrl: assignment.baseUrl,
    polling: {
      everyMs: assignment.pollEveryMs,
      times: assignment.polls,
      atMostMs: assignment.pollEveryMs,
    },
  })
