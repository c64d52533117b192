import { Hono } from 'hono'
import { endpoint } from '../../contract/endpoints.ts'
import { refuse } from '../base/refusals.ts'
import { answerKept } from '../call/exchange.ts'
import type { Service } from '../call/service.ts'
import { createPathHint } from '../http/path-hint.ts'
import { createRouter } from '../http/router.ts'
import type { Offered, Resource } from '../http/routes.ts'
import { resources } from '../http/routes.ts'
import { createWire } from '../http/wire.ts'
import { prepareOperation } from './operation.ts'
import type { Bindings, Work } from './recorded.ts'
import { createRecorded } from './recorded.ts'
import type { Responses } from './responses.ts'
import { createResponses } from './responses.ts'
import { createSchemas } from './schemas.ts'
import type { Seams } from './seams.ts'

/** The service as one Hono app, built from the rows of the contract in the dialect's spelling. */

/** Answers the calls of an operation: reads the path, and writes the answer down. */
const workOf = (
  { operation, route, parameters }: Offered,
  responses: Responses,
  answer: ReturnType<typeof prepareOperation>,
): Work => {
  return async (c, { headers, address, exchange }) => {
    const request = c.req.raw
    const path: Record<string, string> = {}
    parameters.forEach((name, at) => (path[name] = c.req.param(`p${at}`) ?? ''))
    exchange.parameters = path
    const body = c.env.body ?? (async () => new Uint8Array(await request.arrayBuffer()))
    const given = await answer({ request, body, headers, path, address, exchange })
    exchange.answer = answerKept(given)
    return responses.answered(operation, route.status, given)
  }
}

/** Whether a resource exists in the environment of a service. */
const existsIn = ({ policy, environment }: Service, { methods }: Resource): boolean =>
  [...methods.values()].some(({ operation }) =>
    policy.operationExists(endpoint(operation).environments, environment.id),
  )

/** Builds the app over a service. */
export const createApp = (service: Service, seams: Seams): Hono<{ Bindings: Bindings }> => {
  const wire = createWire(service.dialect)
  const schemas = createSchemas(service.dialect)
  const responses = createResponses(service, wire)
  const run = createRecorded(service, responses, seams)
  const app = new Hono<{ Bindings: Bindings }>({ router: createRouter() })
  const hint = createPathHint(service.dialect)

  for (const resource of resources(wire)) {
    const { pattern, methods } = resource
    const offered = new Map(
      [...methods].map(([method, entry]) => {
        const { operation, route } = entry
        const answer = prepareOperation(operation, route, wire, seams, schemas)
        return [method, { operation, work: workOf(entry, responses, answer) }]
      }),
    )
    const allow = [...methods.keys()].join(', ')
    const wrongMethod: Work = (_called, { path }) => {
      const other = hint.ofDialect(path)
      if (other !== undefined) throw refuse('unknown-path', other)
      throw refuse('method-not-allowed', [], { headers: { allow } })
    }
    app.all(pattern, (c) => {
      const { method } = c.req.raw
      const entry = offered.get(method === 'HEAD' ? 'GET' : method)
      const work = entry?.work ?? wrongMethod
      return run(c, entry?.operation, (called, running) => {
        if (!existsIn(service, resource)) throw refuse('unknown-path')
        return work(called, running)
      })
    })
  }
  app.notFound((c) => {
    // A base address that ends in a slash and a path that begins with one: the public service reads both as one.
    const merged = c.req.path.replace(/\/{2,}/g, '/')
    if (merged !== c.req.path) {
      const url = new URL(c.req.url)
      url.pathname = merged
      return app.fetch(new Request(url, c.req.raw), c.env)
    }
    return run(c, undefined, () => {
      throw refuse('unknown-path', hint.ofPath(c.req.path) ?? [])
    })
  })
  return app
}
