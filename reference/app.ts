import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { Hono } from 'hono'
import type { OperationId } from '../contract/endpoints.ts'
import { endpoint } from '../contract/endpoints.ts'
import { wireSchemas } from '../contract/wire-schemas.ts'
import { callerOf } from './bearer.ts'
import { readBody } from './body.ts'
import type { Service } from './context.ts'
import { createCounting } from './counting.ts'
import type { AnyCall, Answer, Caller } from './handler.ts'
import { handlerOf } from './handlers.ts'
import { parametersOf } from './parameters.ts'
import { Refused, answerOf, refuse } from './refusals.ts'
import { refusal } from '../contract/errors.ts'
import { resources } from './routes.ts'
import type { Validate } from './validate.ts'
import { createValidator } from './validate.ts'
import type { Route } from './wire.ts'
import { createWire } from './wire.ts'

/**
 * The service as one Hono app, built from the rows of the contract in the dialect's spelling. One wrapper deals with
 * all that holds for every operation; a handler sees only calls that passed it.
 */

export interface Bindings {
  /** Address of the connection. */
  readonly address: string
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
}

const headersOf = (request: Request): Record<string, string> => Object.fromEntries(request.headers)

/** Builds the app over a service. */
export const createApp = (service: Service): Hono<{ Bindings: Bindings }> => {
  const { dialect, journal, clock } = service
  const wire = createWire(dialect)
  const { compile } = createValidator(wireSchemas(dialect))
  const limit = createCounting(service)
  const app = new Hono<{ Bindings: Bindings }>()

  const errorResponse = (
    status: number,
    code: number,
    description: string,
    details: readonly string[],
    request: Request,
    facts: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>>,
  ): Response => {
    const { media, body } = wire.error(
      {
        ...facts,
        status,
        code,
        title: titles[status] ?? 'Error',
        description,
        details,
        timestamp: new Date(clock.now()).toISOString(),
        instance: new URL(request.url).pathname,
        traceId: randomBytes(16).toString('hex'),
      },
      request.headers.get('x-error-format') ?? undefined,
    )
    return new Response(JSON.stringify(body), {
      status,
      headers: { ...headers, 'content-type': media },
    })
  }

  const refusalResponse = (refused: Refused, request: Request): Response => {
    const { status, code } = answerOf(refused.id, dialect)
    const details = service.policy.errorDetails(refused.details, refused.stack ?? '')
    const { description } = refusal(refused.id)
    return errorResponse(
      status,
      code,
      description,
      details,
      request,
      { ...dialect.facts?.[refused.id], ...refused.facts },
      refused.headers,
    )
  }

  const prepare = (operation: OperationId, route: Route) => {
    const row = endpoint(operation)
    const { bearer, rate, requires } = route
    const body: Validate | undefined =
      row.request?.schema === undefined ? undefined : compile({ $ref: row.request.schema })
    const parameters = parametersOf(row.parameters ?? [], requires, dialect, compile)
    const handle = handlerOf(operation)

    return async (
      request: Request,
      headers: Record<string, string>,
      path: Record<string, string>,
      connection: string,
      note: (fields: Record<string, unknown>) => void,
    ): Promise<Answer> => {
      const { policy } = service
      const address = policy.addressOf(connection, headers)
      let caller: Caller | undefined
      if (!policy.bearerNeeded(operation, bearer)) {
        limit(operation, rate, undefined, address)
      } else {
        // By address before the bearer is looked at: these are the operations of no context yet.
        if (rate === 'public') limit(operation, rate, undefined, address)
        const kind = bearer === 'none' || bearer === 'link' ? 'access' : bearer
        caller = await callerOf(service, kind, headers['authorization'], clock.now())
        note({
          context: caller.context,
          login: caller.authentication.referenceNumber,
          bearer: caller.bearer,
        })
        if (rate !== 'public') limit(operation, rate, caller, address)
        const allowed = caller.authentication.policy
        if (caller.bearer === 'access' && allowed && !policy.addressAllowed(address, allowed)) {
          throw refuse('address-not-allowed', [], { facts: { reasonCode: 'ip-not-allowed' } })
        }
        if (row.permissions && !policy.permitted(caller.permissions, row.permissions, operation)) {
          throw refuse('missing-permission', `one of ${row.permissions.join(', ')} is needed`, {
            facts: {
              reasonCode: 'missing-permissions',
              security: {
                requiredAnyOfPermissions: row.permissions,
                presentPermissions: [...caller.permissions],
              },
            },
          })
        }
      }
      const read = await readBody(request, headers, row, policy.bodyLimit(operation), policy)
      let canonical: unknown
      if (read.json !== undefined) {
        canonical = wire.read(row.request?.schema, read.json.value)
        note({ request: canonical })
      }
      const url = new URL(request.url)
      const { query, violations } = parameters(url.searchParams)
      if (body && read.json !== undefined) violations.push(...body(read.json.value))
      if (policy.violationsRefuse(violations.length)) {
        throw refuse(
          'invalid-input',
          violations.slice(0, 20).map(({ message }) => message),
        )
      }
      const call: AnyCall = {
        operation,
        path,
        query,
        headers,
        body: canonical,
        bytes: read.bytes,
        address,
        now: clock.now(),
        caller,
        service,
      }
      return handle(call)
    }
  }

  const respond = (operation: OperationId, status: number, answer: Answer): Response => {
    const row = endpoint(operation)
    const headers = new Headers(answer.headers ?? {})
    const code = answer.status ?? status
    if (answer.bytes !== undefined) {
      const media = answer.media ?? row.answer.media ?? 'application/octet-stream'
      headers.set('content-type', service.policy.answerMedia(media))
      return new Response(answer.bytes as Uint8Array<ArrayBuffer>, { status: code, headers })
    }
    if (answer.body === undefined) return new Response(null, { status: code, headers })
    headers.set('content-type', service.policy.answerMedia(answer.media ?? 'application/json'))
    return new Response(JSON.stringify(wire.write(row.answer.schema, answer.body)), {
      status: code,
      headers,
    })
  }

  const run = async (
    c: Context<{ Bindings: Bindings }>,
    what: OperationId | undefined,
    work: (note: (fields: Record<string, unknown>) => void) => Promise<Response>,
  ): Promise<Response> => {
    const request = c.req.raw
    const started = performance.now()
    const startedAt = clock.now()
    const noted: Record<string, unknown> = {}
    let refused: Refused | undefined
    let response: Response
    try {
      // What is due happens before the call sees anything.
      if (clock.due) await clock.settle()
      response = await work((fields) => Object.assign(noted, fields))
    } catch (error) {
      if (error instanceof Refused) {
        refused = error
        response = refusalResponse(error, request)
      } else {
        journal.add('broken', {
          operation: what,
          error: error instanceof Error ? error.stack : String(error),
        })
        response = errorResponse(500, 500, 'The service failed', [], request, {}, {})
      }
    }
    const { pathname, search } = new URL(request.url)
    journal.add('exchange', {
      ...noted,
      operation: what,
      method: request.method,
      path: pathname + search,
      address: c.env.address,
      status: response.status,
      startedAt,
      ms: Math.round((performance.now() - started) * 100) / 100,
      ...(refused && {
        refusal: refused.id,
        details: refused.details,
        ...(Object.keys(refused.facts).length > 0 && { facts: refused.facts }),
      }),
      ...(response.headers.has('retry-after') && {
        retryAfter: response.headers.get('retry-after'),
      }),
    })
    return response
  }

  for (const { pattern, methods } of resources(wire)) {
    const environments = [...methods.values()].map(
      ({ operation }) => endpoint(operation).environments,
    )
    const existsHere = () =>
      environments.some((some) => service.policy.operationExists(some, service.environment.id))
    const prepared = new Map(
      [...methods].map(([method, entry]) => [
        method,
        { ...entry, answer: prepare(entry.operation, entry.route) },
      ]),
    )
    app.all(pattern, (c) => {
      const entry = prepared.get(c.req.raw.method === 'HEAD' ? 'GET' : c.req.raw.method)
      return run(c, entry?.operation, async (note) => {
        if (!existsHere() || !service.policy.pathAnswers(c.req.path)) throw refuse('unknown-path')
        if (entry === undefined) {
          if (service.policy.wrongMethodRefused()) {
            const allow = service.policy.allowHeader([...prepared.keys()])
            throw refuse('method-not-allowed', [], { headers: { allow } })
          }
          return new Response(null, { status: 200 })
        }
        const path = Object.fromEntries(
          entry.parameters.map((name, at) => [name, c.req.param(`p${at}`) ?? '']),
        )
        const headers = headersOf(c.req.raw)
        note({ parameters: path })
        const answer = await entry.answer(c.req.raw, headers, path, c.env.address, note)
        note({ answer: answer.body ?? (answer.bytes && { bytes: answer.bytes.length }) })
        return respond(entry.operation, entry.route.status, answer)
      })
    })
  }
  app.notFound((c) => {
    // A base address that ends in a slash and a path that begins with one: the public service takes them as one.
    const merged = c.req.path.replace(/\/{2,}/g, '/')
    if (merged !== c.req.path) {
      const url = new URL(c.req.url)
      url.pathname = merged
      return app.fetch(new Request(url, c.req.raw), c.env)
    }
    return run(c, undefined, async () => {
      if (service.policy.unknownPathAnswers(c.req.path)) return new Response(null, { status: 200 })
      throw refuse('unknown-path')
    })
  })
  return app
}
