import { createHash } from 'node:crypto'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { CallOptions } from '../../../lib/request.ts'
import { bearerOf, sentBody } from '../../../lib/exchange.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { readToken } from '../../../lib/flows/login.ts'
import { grantOperations } from '../callers/grants.ts'

/**
 * Kinds of things that a check can leave on a target, and what removes each. Not among them, because no operation
 * removes them: invoices, closed sessions, exports, collective identifiers, and the shortened validity of a certificate.
 */

interface Removal {
  readonly operation: OperationId
  readonly options: CallOptions
  /** The bearer of the call that created the thing when absent. */
  readonly bearer?: string | undefined
}

/** A kind of thing that the answer of an operation makes known. */
export interface Kind {
  readonly what: string
  /**
   * The thing in the answer of the operation that makes it known; undefined where there is none yet.
   * @param caller the context of the call, where it is known
   */
  readonly idIn: (exchange: Exchange, caller: string | undefined) => string | undefined
  readonly removal?: (id: string, exchange: Exchange) => Removal
  /** The operation after which it is no longer there. */
  readonly removedBy?: OperationId
  /** Whether that operation names it; by its id when absent. */
  readonly isNamedIn?: (removing: Exchange, left: Left, caller: string | undefined) => boolean
  /** It ends by itself soon: it is removed only if that leaves checks their room within the limits. */
  readonly endsItself?: true
  /** Removed before the rest, because it would hinder that, or after it, because the rest needs it. */
  readonly turn?: 'first' | 'last'
}

/** One that is there. */
export interface Left {
  readonly kind: Kind
  readonly id: string
  readonly made: Exchange
}

export const text = (value: unknown, name: string): string | undefined => {
  const found = (value as Record<string, unknown> | null | undefined)?.[name]
  return typeof found === 'string' ? found : undefined
}

/** The access token and the refresh token that a login returned. */
const tokensOf = (body: unknown): readonly string[] => {
  const stated = Object(body) as Readonly<Record<string, unknown>>
  return ['accessToken', 'refreshToken'].flatMap((name) => readToken(stated[name])?.token ?? [])
}

const digestOf = (token: string | undefined): string | undefined =>
  token && createHash('sha256').update(token).digest('hex').slice(0, 16)

const identifierIn = (exchange: Exchange, name: string): string | undefined => {
  const { type, value } = Object(sentBody(exchange)[name]) as Readonly<Record<string, unknown>>
  return typeof type === 'string' && typeof value === 'string' ? `${type} ${value}` : undefined
}

/** Who was granted something, and where. */
const pairIn = (exchange: Exchange): string | undefined => {
  const [holder, context] = ['authorizedIdentifier', 'contextIdentifier'].map((name) =>
    identifierIn(exchange, name),
  )
  return holder && context && `${holder} in ${context}`
}

/** Test data that one field of the body names, in the call that creates it and in the one that removes it. */
const inTest = (what: string, field: string, removes: OperationId): Kind => ({
  what,
  idIn: (exchange) => text(sentBody(exchange), field),
  removal: (id) => ({ operation: removes, options: { body: { [field]: id } } }),
  removedBy: removes,
  turn: 'last',
})

/** Limits that were set for the caller. */
const limitsOf = (what: string, restores: OperationId): Kind => ({
  what,
  idIn: (exchange, caller) => caller ?? digestOf(bearerOf(exchange.request)),
  removal: () => ({ operation: restores, options: {} }),
  removedBy: restores,
  isNamedIn: (removing, { id }, caller) => (caller ?? digestOf(bearerOf(removing.request))) === id,
  turn: 'first',
})

const session = (closes: OperationId): Kind => ({
  what: 'session',
  idIn: ({ body }) => text(body, 'referenceNumber'),
  removal: (referenceNumber) => ({ operation: closes, options: { path: { referenceNumber } } }),
  removedBy: closes,
})

/** What each operation creates. Where no operation removes it, the kind has no removal. */
export const kinds: Readonly<Partial<Record<OperationId, Kind>>> = {
  'sessions.openOnline': session('sessions.closeOnline'),
  'sessions.openBatch': session('sessions.closeBatch'),
  'auth.redeem': {
    what: 'login',
    // The answer has no other id, and its tokens are secret.
    idIn: ({ body }) => digestOf(tokensOf(body)[0]),
    // The refresh token: the access token may have expired meanwhile.
    removal: (_, { body }) => ({
      operation: 'auth.revokeCurrent',
      options: {},
      bearer: tokensOf(body).at(-1),
    }),
    removedBy: 'auth.revokeCurrent',
    isNamedIn: (removing, { made }) =>
      tokensOf(made.body).includes(bearerOf(removing.request) ?? ''),
    endsItself: true,
    turn: 'last',
  },
  'tokens.create': {
    what: 'service token',
    idIn: ({ body }) => text(body, 'referenceNumber'),
    removal: (referenceNumber) => ({
      operation: 'tokens.revoke',
      options: { path: { referenceNumber } },
    }),
    removedBy: 'tokens.revoke',
  },
  'certificates.enrollment': {
    what: 'certificate',
    idIn: ({ body }) => text(body, 'certificateSerialNumber'),
    removal: (certificateSerialNumber) => ({
      operation: 'certificates.revoke',
      options: {
        path: { certificateSerialNumber },
        body: { revocationReason: 'Superseded' },
      },
    }),
    removedBy: 'certificates.revoke',
  },
  'testdata.createSubject': inTest('test subject', 'subjectNip', 'testdata.removeSubject'),
  'testdata.createPerson': inTest('test person', 'nip', 'testdata.removePerson'),
  'testdata.allowAttachments': inTest('consent to attachments', 'nip', 'testdata.denyAttachments'),
  'testdata.blockContext': {
    what: 'blocked context',
    idIn: (exchange) => identifierIn(exchange, 'contextIdentifier'),
    removal: (_, made) => ({
      operation: 'testdata.unblockContext',
      options: { body: sentBody(made) },
    }),
    removedBy: 'testdata.unblockContext',
    isNamedIn: (removing, { id }) => identifierIn(removing, 'contextIdentifier') === id,
    turn: 'last',
  },
  'testdata.grant': {
    what: 'permission of test data',
    idIn: pairIn,
    removal: (_, made) => {
      const { contextIdentifier, authorizedIdentifier } = sentBody(made)
      const body = { contextIdentifier, authorizedIdentifier }
      return { operation: 'testdata.revoke', options: { body } }
    },
    removedBy: 'testdata.revoke',
    isNamedIn: (removing, { id }) => pairIn(removing) === id,
    turn: 'last',
  },
  'testdata.setSessionLimits': limitsOf('session limits', 'testdata.restoreSessionLimits'),
  'testdata.setSubjectLimits': limitsOf('certificate limits', 'testdata.restoreSubjectLimits'),
  'testdata.setRateLimits': limitsOf('rate limits', 'testdata.restoreRateLimits'),
  'testdata.productionRateLimits': limitsOf('rate limits', 'testdata.restoreRateLimits'),
  ...Object.fromEntries(
    grantOperations.map((operation) => [
      operation,
      {
        what: 'permission',
        idIn: ({ body }: Exchange) => text(body, 'referenceNumber'),
      } satisfies Kind,
    ]),
  ),
}

/** Operations that remove what would end by itself: a plan leaves no room for them. */
export const optionalRemovals: ReadonlySet<OperationId | undefined> = new Set(
  Object.values(kinds).flatMap(({ endsItself, removedBy }) => (endsItself ? [removedBy] : [])),
)
