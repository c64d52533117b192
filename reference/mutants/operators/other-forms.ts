import type { OperationId } from '../../../contract/endpoints.ts'
import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import { environments } from '../../../contract/environments.ts'
import { schema as schemaOf } from '../../../contract/schemas.ts'
import type { Environment } from '../../../contract/environments.ts'
import { refuse } from '../../base/refusals.ts'
import type { Running } from '../../call/exchange.ts'
import type { ContextKind } from '../../model/entities.ts'
import type { Mutant, Respond } from '../mutant.ts'
import { labelled, responses } from '../rewrite.ts'
import type { Fields } from '../rewrite.ts'
import { onOtherPaths } from '../spellings.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Aliases that differ from the main path, bodies that are odd but can be read, and environments for each other. */

/** Other spellings of a resource, with the rules that they keep. */
const aliases: Readonly<
  Record<string, { readonly path: RegExp; readonly rules: Rules; readonly operation: OperationId }>
> = {
  'submission-with-slash': {
    path: /\/sessions\/online\/[^/]+\/invoices\/$/,
    rules: ['transport.trailing-slash'],
    operation: 'invoices.submit',
  },
  'export-singular': {
    path: /\/invoices\/export$/,
    rules: ['transport.export-alias'],
    operation: 'exports.create',
  },
  'export-status-singular': {
    path: /\/invoices\/export\/[^/]+$/,
    rules: ['transport.export-alias'],
    operation: 'exports.status',
  },
  'context-limits-at-origin': {
    path: /^\/limits\/context$/,
    rules: ['transport.path-prefix', 'limits.context'],
    operation: 'limits.context',
  },
  'context-limits-below-the-prefix': {
    path: /\/v2\/limits\/context$/,
    rules: ['transport.path-prefix'],
    operation: 'limits.context',
  },
  'subject-limits-below-the-prefix': {
    path: /\/v2\/limits\/subject$/,
    rules: ['transport.path-prefix'],
    operation: 'limits.subject',
  },
  'subject-limits-at-origin': {
    path: /^\/limits\/subject$/,
    rules: ['transport.path-prefix', 'limits.subject'],
    operation: 'limits.subject',
  },
}

const on = (
  path: RegExp,
  exchange: (running: Running, next: Respond) => Response | Promise<Response>,
): Mutant => ({
  exchange: (running, next) => (path.test(running.path) ? exchange(running, next) : next(running)),
})

/** Repeats its first success to every caller of a login, as if it never changed. */
const answersOnce = (): ((running: Running, next: Respond) => Promise<Response>) => {
  const first = new Map<string, Response>()
  return async (running, next) => {
    const key = `${running.path} ${running.headers['authorization']}`
    const known = first.get(key)
    if (known !== undefined) return known.clone()
    const response = await next(running)
    if (response.ok) first.set(key, response.clone())
    return response
  }
}

/** Calls of an operation by some paths, handled in another way. */
const calledBy = (
  path: RegExp,
  operation: OperationId,
  handle: NonNullable<Mutant['call']>,
): Mutant => {
  let isOther = false
  return {
    exchange(running, next) {
      isOther = path.test(running.path)
      return next(running)
    },
    call: (call, next) =>
      isOther && call.operation === operation ? handle(call, next) : next(call),
  }
}

/** On some paths, reads only the required fields of a body. */
const optionsUnread = (path: RegExp, operation: OperationId): Mutant => {
  const { request } = endpoint(operation)
  const form = request?.schema === undefined ? undefined : schemaOf(request.schema)
  const needed = new Set(form?.['required'] as readonly string[] | undefined)
  return calledBy(path, operation, (call, next) => {
    const given = Object.entries((call.body ?? {}) as Fields)
    const body = Object.fromEntries(given.filter(([name]) => needed.has(name)))
    return next({ ...call, body })
  })
}

/** On some paths, knows an operation in contexts of other kinds alone. */
const unknownInside = (path: RegExp, operation: OperationId, kind: ContextKind): Mutant =>
  calledBy(path, operation, (call, next) => {
    if (call.caller?.context.type === kind) throw refuse('unknown-path')
    return next(call)
  })

const otherAliases = (): Generated[] =>
  Object.entries(aliases).flatMap(([name, { path, rules, operation }]) => {
    const made = (change: string, mutant: Mutant, more: Rules = rules): Generated =>
      generated('alias', `${name}.${change}`, more, {
        ...mutant,
        ...onOtherPaths(operation),
      })
    return [
      made(
        'unknown',
        on(path, () => {
          throw refuse('unknown-path')
        }),
      ),
      made(
        'server-error',
        on(path, async (running, next) => {
          await next(running)
          return new Response(null, { status: 500 })
        }),
        // An error in place of a success is a finding of the rule that allows none.
        [...rules, 'transport.answers.no-server-error'],
      ),
      made(
        'empty-answer',
        on(path, async (running, next) => {
          const { status } = await next(running)
          return new Response(null, { status })
        }),
      ),
      made(
        'open-to-everyone',
        on(path, async (running, next) => {
          const response = await next(running)
          return response.status === 401 || response.status === 403
            ? new Response(null, { status: endpoint(operation).answer.status })
            : response
        }),
        [...rules, 'auth.access-token.required', 'permissions.matrix'],
      ),
      made(
        'unlimited',
        on(path, async (running, next) => {
          const response = await next(running)
          return response.status === 429
            ? new Response(null, { status: endpoint(operation).answer.status })
            : response
        }),
        [...rules, 'limits.rate.each-rule', 'limits.rate.default-rule', 'limits.rate.rules-apart'],
      ),
      made(
        'counted-apart',
        on(path, (running, next) => next({ ...running, address: `${running.address} ${name}` })),
      ),
      made('answers-once', on(path, answersOnce())),
      ...(['InternalId', 'NipVatUe'] as const).map((kind) =>
        made(`unknown-inside-${kind}`, unknownInside(path, operation, kind)),
      ),
      ...(endpoint(operation).request === undefined
        ? []
        : [made('options-unread', optionsUnread(path, operation))]),
      made(
        'as-text',
        on(path, async (running, next) => labelled(await next(running), 'text/plain')),
        [...rules, 'transport.media-type'],
      ),
    ]
  })

/** JSON that parses and is no object, and how a careless service answers it. */
const odd: readonly {
  readonly name: string
  readonly is: (body: unknown) => boolean
  readonly fails: boolean
}[] = [
  { name: 'null.server-error', is: (body) => body === null, fails: true },
  { name: 'array.accepted', is: Array.isArray, fails: false },
  { name: 'text.server-error', is: (body) => typeof body === 'string', fails: true },
  { name: 'number.accepted', is: (body) => typeof body === 'number', fails: false },
]

const oddBodies = (): Generated[] =>
  operationIds
    .filter((operation) => endpoint(operation).request?.media === 'application/json')
    .flatMap((operation) =>
      odd.map(({ name, is, fails }) =>
        generated(
          'odd-body',
          `${operation}.${name}`,
          fails
            ? ['transport.malformed-body', 'transport.answers.no-server-error']
            : ['transport.malformed-body'],
          {
            at: [operation],
            async exchange(running, next) {
              const response = await next(running)
              return running.exchange.refusal === 'invalid-input' && is(running.exchange.request)
                ? new Response(null, { status: fails ? 500 : endpoint(operation).answer.status })
                : response
            },
          },
        ),
      ),
    )

const isDecodable = (path: string): boolean => {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Paths on which a careless service fails: in its router, its framework or its store. */
const failing: Readonly<Record<string, (path: string) => boolean>> = {
  'percent-sign': (path) => /%(?![0-9a-f]{2})/i.test(path),
  'null-character': (path) => path.includes('%00'),
  'not-utf-8': (path) => !/%(?![0-9a-f]{2})/i.test(path) && !isDecodable(path),
  'escaped-slash': (path) => /%2f/i.test(path),
  'very-long': (path) => path.length > 2048,
}

/** Paths that are odd: failing on what they hold, or with another case. */
const oddPaths = (): Generated[] => [
  ...Object.entries(failing).map(([name, fails]) =>
    generated(
      'odd-path',
      `${name}.server-error`,
      ['transport.malformed-parameter', 'transport.answers.no-server-error'],
      {
        exchange(running, next) {
          if (fails(running.exchange.path.split('?', 1)[0] ?? '')) throw new Error('odd path')
          return next(running)
        },
      },
    ),
  ),
  generated('odd-path', 'case-ignored', ['transport.unknown-is-404', 'transport.path-prefix'], {
    async exchange(running, next) {
      const response = await next(running)
      return running.exchange.refusal === 'unknown-path' && /[A-Z]/.test(running.path.slice(0, 12))
        ? new Response('{}', { status: 200, headers: { 'content-type': 'application/json' } })
        : response
    },
  }),
  generated(
    'odd-path',
    'unknown-as-empty-list',
    ['transport.unknown-is-404'],
    responses((response, { refusal }) =>
      refusal === 'unknown-path' ? new Response('[]', { status: 200 }) : response,
    ),
  ),
]

const environmentRules: { readonly [Field in keyof Environment]?: Rules } = {
  selfSigned: ['auth.xades.self-signed-by-environment', 'auth.xades.accepted'],
  nipChecksum: ['invoices.content.check-digits'],
  rateFactor: ['limits.rate.by-environment', 'testdata.limit-simulation'],
  keysFrom: ['keys.list.production-calendar', 'keys.list.public'],
}

/** Each environment with single rows of its neighbours. */
const otherEnvironments = (): Generated[] =>
  (Object.entries(environmentRules) as [keyof Environment, Rules][]).flatMap(([field, rules]) =>
    [...new Set(Object.values(environments).map((row: Environment) => row[field]))].map((value) =>
      generated('environment', `${field}.${String(value).replaceAll(/[^\w.-]/g, '-')}`, rules, {
        environment: { [field]: value },
      }),
    ),
  )

/** Other spellings, odd input, other environments. */
export const otherForms = (): Generated[] => [
  ...otherAliases(),
  ...oddBodies(),
  ...oddPaths(),
  ...otherEnvironments(),
]
