import type { Dialect } from '../contract/dialect.ts'
import { endpoint, operationIds } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Effect } from '../contract/types.ts'
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

/** Whether a consent covers an operation, or `load`, at an instant (Unix milliseconds). */
export const consents = (
  consent: Consent | undefined,
  operation: string,
  address: string,
  at: number,
): boolean =>
  consent !== undefined &&
  consent.address.replace(/\/+$/, '') === address &&
  at < Date.parse(consent.until) + day &&
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
  /** Unix milliseconds of real time: a consent ends on a real day, whatever the target's clock says. */
  readonly now?: () => number
  /** The error that a call without consent ends with; nothing was sent. */
  readonly refuse: (reason: string) => Error
}

/** A sender that lets reading calls and logins pass, and writing calls only where the consent names them. */
export const guarded = (send: Send, guard: Guard): Send => {
  const { baseUrl, consent, refuse, now = Date.now } = guard
  const classify = createClassifier(baseUrl, guard.dialect)
  return (request, options) => {
    const { operation, effect } = classify(request)
    if (effect !== 'writes' || consents(consent, operation ?? 'unknown', baseUrl, now()))
      return send(request, options)
    const what = operation ?? `${request.method} ${request.url.split('?', 1)[0]}`
    return Promise.reject(
      refuse(
        consent === undefined
          ? `no consent to write at ${baseUrl} (${what}): the profile names no consent file`
          : `the consent for ${consent.address} until ${consent.until} does not cover ${what} at ${baseUrl}`,
      ),
    )
  }
}
