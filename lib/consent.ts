import type { Dialect } from '../contract/dialect.ts'
import { endpoint, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Effect } from '../contract/types.ts'
import { givesAccess } from './caller-contexts.ts'
import type { CallerContexts } from './caller-contexts.ts'
import type { Send, WireRequest } from './exchange.ts'
import { absence, wireOperation } from './wire.ts'

/**
 * What the operator of a service has agreed to. Without consent a production service, and every sibling of a target,
 * receives only reading calls and logins.
 */
export interface Consent {
  /** Address of the service, with the version prefix, exactly as in the profile. */
  readonly address: string
  /** Contexts that may write, for example `Nip 5265877635`; `*` for every context. */
  readonly contexts: readonly string[]
  /** Operation ids, prefixes such as `sessions.*`, `load`, or `*`. */
  readonly operations: readonly string[]
  /** Last day of the consent (UTC), for example `2026-12-31`. */
  readonly until: string
  /** Who agreed. */
  readonly by?: string
}

const day = 24 * 60 * 60 * 1000

/** Whether a consent names the contexts that may write, instead of all. */
export const namesContexts = (consent: Consent | undefined): consent is Consent =>
  consent !== undefined && !consent.contexts.includes('*')

/** When a consent ends, Unix milliseconds. */
export const endOf = ({ until }: Consent): number => Date.parse(until) + day

/** Whether a consent covers an operation, or `load`, at an instant (Unix milliseconds). */
export const consents = (
  consent: Consent | undefined,
  operation: string,
  address: string,
  at: number,
): boolean =>
  consent !== undefined &&
  consent.address.replace(/\/+$/, '') === address &&
  at < endOf(consent) &&
  consent.operations.some((pattern) =>
    pattern.endsWith('*') ? operation.startsWith(pattern.slice(0, -1)) : operation === pattern,
  )

/** What a request does: the operation that its method and path name, and the effect of it. */
export interface Classified {
  /** Undefined when no operation of the contract is called so. */
  readonly operation: OperationId | undefined
  readonly effect: Effect
}

interface Pattern {
  readonly operation: OperationId
  readonly method: string
  readonly path: RegExp
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split(/\{[^}]*\}/)
      .map(escaped)
      .join('[^/]+')}/?$`,
  )

const patternsOf = (dialect: Dialect): Pattern[] =>
  operationIds
    .filter((operation) => absence(operation, dialect) === undefined)
    .flatMap((operation) => {
      const { method, path, aliases } = wireOperation(operation, dialect)
      return [path, ...aliases].map((spelling) => ({
        operation,
        method,
        path: patternOf(spelling),
      }))
    })
    // A literal path wins over one with a parameter, as in every router.
    .toSorted(
      (a, b) => Number(a.path.source.includes('[^/]')) - Number(b.path.source.includes('[^/]')),
    )

/** Classifies requests to one service. Outside the service, a GET counts as a read and all else as a write. */
export const createClassifier = (
  baseUrl: string,
  dialect: Dialect,
): ((request: Pick<WireRequest, 'method' | 'url'>) => Classified) => {
  const patterns = patternsOf(dialect)
  return ({ method, url }) => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(method))
      return { operation: undefined, effect: 'reads' }
    const path = url.startsWith(baseUrl)
      ? (url.slice(baseUrl.length).split(/[?#]/, 1)[0] ?? '')
      : undefined
    const found = patterns.find(
      (pattern) => path !== undefined && pattern.method === method && pattern.path.test(path),
    )
    // The parts of a batch go to an address that the service issues, on any host.
    const upload = found === undefined && path === undefined && method === 'PUT'
    const operation = found?.operation ?? (upload ? 'sessions.uploadPart' : undefined)
    const row = operation === undefined ? undefined : endpoint(operation)
    return { operation, effect: row?.effect ?? 'writes' }
  }
}

export interface Guard {
  readonly baseUrl: string
  readonly dialect: Dialect
  readonly consent: Consent | undefined
  /** Whose tokens the calls carry. */
  readonly callers: CallerContexts
  /** What the calls are part of, where a consent to it covers all of them. It spends by its logins, too. */
  readonly work?: 'load' | undefined
  /** Unix milliseconds of real time: a consent ends on a real day, whatever the target's clock says. */
  readonly now?: () => number
  /** The error that a call without consent ends with; nothing was sent. */
  readonly refuse: (reason: string) => Error
}

/** The only call of a login that is made for no context. */
const anonymous: OperationId = 'auth.challenge'

/** Why a consent does not cover a call for a context; undefined where it does. */
const objection = (
  { baseUrl, consent, work, now = Date.now }: Guard,
  operation: OperationId | undefined,
  what: string,
  context: string | undefined,
): string | undefined => {
  const covered = (one: string) => consents(consent, one, baseUrl, now())
  if (consent === undefined)
    return `no consent to write at ${baseUrl} (${what}): the profile names no consent file`
  const { address, contexts, until } = consent
  if (!covered(operation ?? 'unknown') && !(work !== undefined && covered(work)))
    return `the consent for ${address} until ${until} does not cover ${what} at ${baseUrl}`
  if (!namesContexts(consent) || (context !== undefined && contexts.includes(context)))
    return undefined
  return `the consent for ${address} until ${until} covers ${contexts.join(', ')}, and ${what} was to be sent for ${context ?? 'a caller whose login was not seen'}`
}

/**
 * A sender that lets reading calls and logins pass, and writing calls only where the consent names them and the context
 * that they are sent for.
 */
export const guarded = (send: Send, guard: Guard): Send => {
  const { baseUrl, dialect, callers, refuse, work } = guard
  const classify = createClassifier(baseUrl, dialect)
  return async (request, options) => {
    const { operation, effect } = classify(request)
    if (effect === 'reads') return send(request, options)
    const context = callers.of(request, operation, dialect)
    const spends = effect === 'writes' || (work !== undefined && operation !== anonymous)
    const what = operation ?? `${request.method} ${request.url.split('?', 1)[0]}`
    const against = spends ? objection(guard, operation, what, context) : undefined
    if (against !== undefined) throw refuse(against)
    const answer = await send(request, options)
    if (context !== undefined && givesAccess(operation))
      callers.learn(context, operation, answer, dialect)
    return answer
  }
}
