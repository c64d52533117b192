import type { Context } from 'hono'
import type { OperationId } from '../../contract/endpoints.ts'
import { Refused } from '../base/refusals.ts'
import type { Running } from '../call/exchange.ts'
import { beginExchange } from '../call/exchange.ts'
import type { Service } from '../call/service.ts'
import { weightOf } from '../model/journal.ts'
import type { Respond } from '../mutants/mutant.ts'
import type { Responses } from './responses.ts'
import type { Seams } from './seams.ts'

/** Calls that are recorded: each ends in a response, whatever happens, and in an entry of the journal. */

export interface Bindings {
  /** Address of the connection. */
  readonly address: string
  /** Headers of the request by their lower-case names, where the connection has them in this form already. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Reads the body, once; where it is absent the request does. */
  readonly body?: () => Promise<Uint8Array>
}

type Called = Context<{ Bindings: Bindings }>

export type Work = (c: Called, running: Running) => Promise<Response>

/** Does the work of a call of an operation; of no operation where the path is unknown. */
export type Run = (c: Called, operation: OperationId | undefined, work: Work) => Promise<Response>

const headersOf = (request: Request): Record<string, string> => Object.fromEntries(request.headers)

export const createRecorded = (
  { journal, clock }: Service,
  responses: Responses,
  seams: Seams,
): Run => {
  const failed = (error: unknown, { exchange, headers, path }: Running): Response => {
    if (error instanceof Refused) {
      exchange.refusal = error.id
      exchange.details = error.details
      if (Object.keys(error.facts).length > 0) exchange.facts = error.facts
      exchange.retryAfter = error.headers['retry-after']
      return responses.refused(error, headers, path, exchange.operation)
    }
    journal.add('broken', {
      operation: exchange.operation,
      error: error instanceof Error ? error.stack : String(error),
    })
    return responses.failed(headers, path)
  }

  const guarded = async (running: Running, respond: Respond): Promise<Response> => {
    try {
      return await respond(running)
    } catch (error) {
      return failed(error, running)
    }
  }

  const keep = ({ status }: Response, { exchange, started }: Running): void => {
    exchange.status = status
    exchange.ms = Math.round((performance.now() - started) * 100) / 100
    const { path, parameters, details, answer } = exchange
    const weight =
      path.length + weightOf(parameters) + weightOf(exchange.request) + weightOf(details)
    journal.add('exchange', exchange, weight + weightOf(answer))
  }

  return async (c, operation, work) => {
    const request = c.req.raw
    const { address } = c.env
    const running: Running = {
      headers: c.env.headers ?? headersOf(request),
      path: c.req.path,
      address,
      exchange: beginExchange(operation, request, address, clock.now()),
      started: performance.now(),
    }
    const respond: Respond = (given) => guarded(given, (one) => work(c, one))
    // What is due happens before the call sees anything.
    if (clock.isDue()) await clock.settle()
    // A mutant around an exchange sees a refusal as a response, and may refuse the exchange itself.
    const response = await guarded(running, (given) => seams.exchange(given, respond))
    keep(response, running)
    return response
  }
}
