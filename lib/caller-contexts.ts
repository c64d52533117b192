import type { Dialect } from '../contract/dialect.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { readJson } from './client.ts'
import type { Codec } from './codec.ts'
import { bearerOf } from './exchange.ts'
import type { WireRequest, WireResponse } from './exchange.ts'
import { contextKey, readToken } from './flows/login.ts'
import type { Context } from './flows/login.ts'
import { fromWire } from './wire.ts'

/**
 * Whose context each token is of. A token does not show it, so it is learned from the logins that pass: the request
 * names the context, and the answers hold the tokens.
 */
export interface CallerContexts {
  /** Takes note of a token that was obtained in another place. */
  know(token: string, context: string): void
  /** The context that a request is sent for, for example `Nip 5265877635`; undefined where it cannot be known. */
  of(request: WireRequest, operation: OperationId | undefined, dialect: Dialect): string | undefined
  /** Takes note of what an answer holds: tokens, and addresses for the parts of a package. */
  learn(context: string, operation: OperationId, answer: WireResponse, dialect: Dialect): void
}

const givers: ReadonlySet<string> = new Set<OperationId>([
  'auth.xades',
  'auth.token',
  'auth.redeem',
  'auth.refresh',
  'sessions.openBatch',
])

/** Whether an answer of the operation holds tokens or addresses. */
export const givesAccess = (operation: OperationId | undefined): operation is OperationId =>
  operation !== undefined && givers.has(operation)

type Fields = Readonly<Record<string, unknown>>

/** A JSON object in which no name occurs twice: parsers differ in which value they take. */
const unambiguous = (text: string): unknown => {
  // Only an escape could hide a name, and nothing in a login needs one.
  if (text.includes('\\')) return undefined
  // The root counts as a name of its own.
  let names = -1
  try {
    const value: unknown = JSON.parse(text, function (this: unknown, _, inner: unknown) {
      if (!Array.isArray(this)) names += 1
      return inner
    })
    return names === (text.match(/"\s*:/g) ?? []).length ? value : undefined
  } catch {
    return undefined
  }
}

const inBody = (text: string, dialect: Dialect): string | undefined => {
  const body = fromWire(unambiguous(text), 'TokenLogin', dialect) as Fields | null | undefined
  const { type, value } = (body?.['contextIdentifier'] ?? {}) as Partial<Context>
  return typeof type === 'string' && typeof value === 'string'
    ? contextKey({ type, value })
    : undefined
}

const identifier =
  /<(?:[\w.-]+:)?ContextIdentifier(?:\s[^<>]*)?>\s*<(?:[\w.-]+:)?(\w+)(?:\s[^<>]*)?>\s*([^<>&\s]+)\s*<\/[\w.:-]+>\s*<\/[\w.:-]+>/

/** A document with comments, sections or a second identifier could be read in another way than this. */
const inDocument = (text: string): string | undefined => {
  if (text.includes('<!') || text.split('ContextIdentifier').length !== 3) return undefined
  const [, type, value] = identifier.exec(text) ?? []
  return type === undefined || value === undefined ? undefined : `${type} ${value}`
}

const accessIn = (body: Fields): readonly string[] => {
  const { partUploadRequests: parts } = body
  const tokens = ['authenticationToken', 'accessToken', 'refreshToken'].flatMap(
    (name) => readToken(body[name])?.token ?? [],
  )
  const addresses = (Array.isArray(parts) ? parts : []).flatMap((part) => {
    const { url } = Object(part) as { url?: unknown }
    return typeof url === 'string' ? url : []
  })
  return [...tokens, ...addresses]
}

export const createCallerContexts = (codec: Codec): CallerContexts => {
  const contexts = new Map<string, string>()
  const textOf = ({ body = '' }: WireRequest): string =>
    typeof body === 'string' ? body : codec.text(body)
  return {
    know: (token, context) => void contexts.set(token, context),
    of(request, operation, dialect) {
      if (operation === 'auth.token') return inBody(textOf(request), dialect)
      if (operation === 'auth.xades') return inDocument(textOf(request))
      return contexts.get(bearerOf(request) ?? request.url)
    },
    learn(context, operation, { status, body }, dialect) {
      if (status < 200 || status > 299) return
      const fields = readJson(codec.text(body), status, operation, dialect)
      for (const one of accessIn(Object(fields) as Fields)) contexts.set(one, context)
    },
  }
}
