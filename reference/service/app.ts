import { Hono } from 'hono'
import type { OperationId } from '../../contract/endpoints.ts'
import { endpoint } from '../../contract/endpoints.ts'
import { wireSchemas } from '../../contract/wire-schemas.ts'
import { callerOf } from '../login/bearer.ts'
import type { ReadBody } from '../http/body.ts'
import { readBody } from '../http/body.ts'
import type { Service } from '../call/service.ts'
import { createCounting } from '../rates/counting.ts'
import type { Exchange } from './exchange.ts'
import { answerKept } from './exchange.ts'
import type { AnyCall, Answer, Caller } from '../call/call.ts'
import { admissionOf, handlerOf } from '../handlers/handlers.ts'
import { redact } from '../model/journal.ts'
import { parametersOf } from '../http/parameters.ts'
import { createPathHint } from '../http/path-hint.ts'
import type { Bindings, Work } from './recorded.ts'
import { createRecorded } from './recorded.ts'
import { refuse } from '../base/refusals.ts'
import { createResponses } from './responses.ts'
import { createRouter } from '../http/router.ts'
import type { Offered } from '../http/routes.ts'
import { resources } from '../http/routes.ts'
import type { Soon } from '../base/soon.ts'
import { soon } from '../base/soon.ts'
import { createSpelling } from '../http/spelling.ts'
import type { Validate } from '../http/validate.ts'
import { createValidator } from '../http/validate.ts'
import type { Route } from '../http/wire.ts'
import { createWire } from '../http/wire.ts'

/**
 * The service as one Hono app, built from the rows of the contract in the dialect's spelling. One wrapper deals with
 * all that holds for every operation; a handler sees only calls that passed it. What waits for nothing is answered at
 * once: promises are made only where something is awaited.
 */

/** A request that found its resource. */
interface Incoming {
  readonly request: Request
  /** Reads its body, once. */
  readonly body: () => Promise<Uint8Array>
  readonly headers: Readonly<Record<string, string>>
  readonly path: Readonly<Record<string, string>>
  /** Address of the connection. */
  readonly address: string
  readonly exchange: Exchange
}

const noQuery = new URLSearchParams()

const queryOf = (url: string): URLSearchParams => {
  const at = url.indexOf('?')
  if (at < 0) return noQuery
  const end = url.indexOf('#', at)
  return new URLSearchParams(url.slice(at + 1, end < 0 ? undefined : end))
}

/** Builds the app over a service. */
export const createApp = (service: Service): Hono<{ Bindings: Bindings }> => {
  const { dialect, clock } = service
  const wire = createWire(dialect)
  const { compile } = createValidator(wireSchemas(dialect))
  const spelling = dialect.loose ? createSpelling(wireSchemas(dialect)) : undefined
  const limit = createCounting(service)
  const responses = createResponses(service, wire)
  const run = createRecorded(service, responses)
  const app = new Hono<{ Bindings: Bindings }>({ router: createRouter() })

  const prepare = (operation: OperationId, route: Route) => {
    const row = endpoint(operation)
    const { bearer, rate, requires } = route
    const schema = row.request?.schema === undefined ? undefined : { $ref: row.request.schema }
    const body: Validate | undefined = schema && compile(schema)
    const spell = schema && spelling?.compile(schema)
    const parameters = parametersOf(row.parameters ?? [], requires, dialect, compile)
    const handle = handlerOf(operation)
    const admit = admissionOf(operation)

    /** Counts the call, and says who calls where the operation has a caller. */
    const admitted = (incoming: Incoming, address: string): Soon<Caller | undefined> => {
      const { policy } = service
      if (!policy.bearerNeeded(operation, bearer)) {
        limit(operation, rate, undefined, address)
        return undefined
      }
      // By address before the bearer is looked at: these are the operations of no context yet.
      if (rate === 'public') limit(operation, rate, undefined, address)
      const kind = bearer === 'none' || bearer === 'link' ? 'access' : bearer
      const { authorization } = incoming.headers
      return soon(callerOf(service, kind, authorization, clock.now()), (caller) => {
        const { exchange } = incoming
        exchange.context = caller.context
        exchange.login = caller.authentication.referenceNumber
        exchange.bearer = caller.bearer
        if (rate !== 'public') limit(operation, rate, caller, address)
        checkRights(caller, address)
        return caller
      })
    }

    /** @throws refusals address-not-allowed, missing-permission */
    const checkRights = (caller: Caller, address: string): void => {
      const { policy } = service
      const allowed = caller.authentication.policy
      if (caller.bearer === 'access' && allowed && !policy.addressAllowed(address, allowed)) {
        throw refuse('address-not-allowed', [], { facts: { reasonCode: 'ip-not-allowed' } })
      }
      if (row.permissions && !policy.permitted(caller.permissions(), row.permissions, operation)) {
        throw refuse('missing-permission', `one of ${row.permissions.join(', ')} is needed`, {
          facts: {
            reasonCode: 'missing-permissions',
            security: {
              requiredAnyOfPermissions: row.permissions,
              presentPermissions: [...caller.permissions()],
            },
          },
        })
      }
    }

    const handled = (
      { request, headers, path, exchange }: Incoming,
      address: string,
      caller: Caller | undefined,
      read: ReadBody,
    ): Soon<Answer> => {
      let canonical: unknown
      const given = spell === undefined ? read.json?.value : spell(read.json?.value)
      if (read.json !== undefined) {
        canonical = wire.read(row.request?.schema, given)
        exchange.request = redact(canonical)
      }
      const { query, violations } = parameters(queryOf(request.url))
      if (body && read.json !== undefined) violations.push(...body(given))
      if (service.policy.violationsRefuse(violations.length)) {
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

    return (incoming: Incoming): Soon<Answer> => {
      const { policy } = service
      const { request, headers } = incoming
      const address = policy.addressOf(incoming.address, headers)
      return soon(admitted(incoming, address), (caller) => {
        admit?.(service, incoming.path, queryOf(request.url).get('sig'), clock.now())
        return soon(readBody(incoming, row, policy.bodyLimit(operation), policy), (read) =>
          handled(incoming, address, caller, read),
        )
      })
    }
  }

  /** What a call of an operation comes to. */
  const working = (
    { operation, route, parameters }: Offered,
    answer: (incoming: Incoming) => Soon<Answer>,
    existsHere: () => boolean,
  ): Work => {
    const told = (exchange: Exchange, made: Answer): Response => {
      exchange.answer = answerKept(made)
      return responses.answered(operation, route.status, made)
    }
    return (c, { headers, exchange }) => {
      if (!existsHere() || !service.policy.pathAnswers(c.req.path)) throw refuse('unknown-path')
      const request = c.req.raw
      const path: Record<string, string> = {}
      parameters.forEach((name, at) => (path[name] = c.req.param(`p${at}`) ?? ''))
      exchange.parameters = path
      const { address } = c.env
      const body = c.env.body ?? (async () => new Uint8Array(await request.arrayBuffer()))
      const made = answer({ request, body, headers, path, address, exchange })
      return made instanceof Promise
        ? made.then((later) => told(exchange, later))
        : told(exchange, made)
    }
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
        {
          operation: entry.operation,
          work: working(entry, prepare(entry.operation, entry.route), existsHere),
        },
      ]),
    )
    const wrongMethod: Work = (c) => {
      if (!existsHere() || !service.policy.pathAnswers(c.req.path)) throw refuse('unknown-path')
      if (!service.policy.wrongMethodRefused()) return new Response(null, { status: 200 })
      const allow = service.policy.allowHeader([...prepared.keys()])
      throw refuse('method-not-allowed', [], { headers: { allow } })
    }
    app.all(pattern, (c) => {
      const { method } = c.req.raw
      const entry = prepared.get(method === 'HEAD' ? 'GET' : method)
      return run(c, entry?.operation, entry?.work ?? wrongMethod)
    })
  }
  const hintOf = createPathHint(dialect)
  app.notFound((c) => {
    // A base address that ends in a slash and a path that begins with one: the public service takes them as one.
    const merged = c.req.path.replace(/\/{2,}/g, '/')
    if (merged !== c.req.path) {
      const url = new URL(c.req.url)
      url.pathname = merged
      return app.fetch(new Request(url, c.req.raw), c.env)
    }
    return run(c, undefined, () => {
      if (service.policy.unknownPathAnswers(c.req.path)) return new Response(null, { status: 200 })
      throw refuse('unknown-path', hintOf(c.req.path) ?? [])
    })
  })
  return app
}
