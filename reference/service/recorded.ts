import type { Context } from 'hono'
import type { OperationId } from '../../contract/endpoints.ts'
import type { Service } from '../call/service.ts'
import type { Exchange } from './exchange.ts'
import { beginExchange } from './exchange.ts'
import { weightOf } from '../model/journal.ts'
import { Refused } from '../base/refusals.ts'
import type { Responses } from './responses.ts'
import type { Soon } from '../base/soon.ts'

/**
 * Calls that are recorded: each ends in an answer, whatever comes of it, and in an entry of the journal. Functions
 * are made once and not for every call, which would cost as much as what they do.
 */

export interface Bindings {
  /** Address of the connection. */
  readonly address: string
  /** Headers of the request by their lower-case names, where whoever reads the connection has them so already. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Reads the body, once; where it is absent the request does. */
  readonly body?: () => Promise<Uint8Array>
}

export type Called = Context<{ Bindings: Bindings }>

/** A call on its way, whatever it asks for. */
export interface Running {
  readonly headers: Readonly<Record<string, string>>
  /** Without the query. */
  readonly path: string
  readonly exchange: Exchange
  /** When it began, ms of the monotonic clock. */
  readonly started: number
}

export type Work = (c: Called, running: Running) => Soon<Response>

const headersOf = (request: Request): Record<string, string> => Object.fromEntries(request.headers)

/** Does the work of a call of an operation; of none where the path is unknown. */
export type Run = (c: Called, what: OperationId | undefined, work: Work) => Soon<Response>

export const createRecorded = ({ journal, clock }: Service, responses: Responses): Run => {
  const failed = (error: unknown, { exchange, headers, path }: Running): Response => {
    if (error instanceof Refused) {
      exchange.refusal = error.id
      exchange.details = error.details
      if (Object.keys(error.facts).length > 0) exchange.facts = error.facts
      exchange.retryAfter = error.headers['retry-after']
      return responses.refused(error, headers, path)
    }
    journal.add('broken', {
      operation: exchange.operation,
      error: error instanceof Error ? error.stack : String(error),
    })
    return responses.failed(headers, path)
  }

  const journaled = (response: Response, { exchange, started }: Running): Response => {
    exchange.status = response.status
    exchange.ms = Math.round((performance.now() - started) * 100) / 100
    const { path, parameters, details, answer } = exchange
    const weight =
      path.length + weightOf(parameters) + weightOf(exchange.request) + weightOf(details)
    journal.add('exchange', exchange, weight + weightOf(answer))
    return response
  }

  /** Does the work of a call, and journals the exchange, whatever comes of it. */
  return (c, what, work) => {
    const request = c.req.raw
    const running: Running = {
      headers: c.env.headers ?? headersOf(request),
      path: c.req.path,
      exchange: beginExchange(what, request, c.env.address, clock.now()),
      started: performance.now(),
    }
    const later = (done: Promise<Response>): Promise<Response> =>
      done
        .catch((error: unknown) => failed(error, running))
        .then((response) => journaled(response, running))
    // What is due happens before the call sees anything.
    if (clock.isDue()) return later(clock.settle().then(() => work(c, running)))
    let response: Response
    try {
      const done = work(c, running)
      if (done instanceof Promise) return later(done)
      response = done
    } catch (error) {
      response = failed(error, running)
    }
    return journaled(response, running)
  }
}
