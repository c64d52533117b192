import type { OperationId } from '../../contract/endpoints.ts'
import type { RefusalId } from '../../contract/errors.ts'
import { Refused, refuse } from '../base/refusals.ts'
import type { AnyCall, Answer } from '../call/call.ts'
import type { Exchange } from '../call/exchange.ts'
import type { Service } from '../call/service.ts'
import type { Policy } from '../policy/policy.ts'
import type { Mutant, Place } from './mutant.ts'

/** Mutants by what they rewrite: calls, answers, refusals. */

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** New fields of an object: constant, or from the object. */
export type Change<T = Fields> = Fields | ((fields: T, call: AnyCall) => object)

const changed = <T>(fields: unknown, change: Change<T>, call: AnyCall): object => ({
  ...(fields as Fields),
  ...(typeof change === 'function' ? change(fields as T, call) : change),
})

/** Operations whose calls come in differently. */
export const calls = (at: readonly OperationId[], rewrite: (call: AnyCall) => AnyCall): Mutant => ({
  at,
  call: (call, next) => next(rewrite(call)),
})

/**
 * A call at a service with other parts. What a place varies inherits from the service (`service/seams.ts`), so that a
 * copy would lack the rest.
 */
export const servedWith = (call: AnyCall, parts: Partial<Service>): AnyCall => ({
  ...call,
  service: Object.assign(Object.create(call.service) as Service, parts),
})

/** A call for which some things are decided differently. */
export const decidedBy = (call: AnyCall, decisions: Partial<Policy>): AnyCall =>
  servedWith(call, { policy: { ...call.service.policy, ...decisions } })

/** Fields of the body and parameters of the query that operations ignore. */
export const ignores = (at: readonly OperationId[], ...names: readonly string[]): Mutant => {
  const rest = (fields: unknown): Fields =>
    Object.fromEntries(
      Object.entries((fields ?? {}) as Fields).filter(([name]) => !names.includes(name)),
    )
  return calls(at, (call) => ({ ...call, body: rest(call.body), query: rest(call.query) }))
}

/** Operations whose answers go out differently. */
export const answers = (
  at: readonly OperationId[],
  rewrite: (answer: Answer, call: AnyCall) => Answer,
): Mutant => ({
  at,
  call: async (call, next) => rewrite(await next(call), call),
})

/** Bodies of answers with other fields. A field that is undefined is left out. */
export const bodies = <T = Fields>(at: readonly OperationId[], change: Change<T>): Mutant =>
  answers(at, (answer, call) => ({ ...answer, body: changed(answer.body, change, call) }))

/** Records with other fields: the entries of a list, or the body itself where it has no such list. */
export const records = <T = Fields>(
  at: readonly OperationId[],
  list: string,
  change: Change<T>,
): Mutant =>
  bodies(at, (body: Fields, call) => {
    const entries = body[list] as readonly unknown[] | undefined
    return entries
      ? { [list]: entries.map((entry) => changed(entry, change, call)) }
      : changed(body, change, call)
  })

/** Lists with other entries. */
export const lists = <T = unknown>(
  at: readonly OperationId[],
  list: string,
  rewrite: (entries: readonly T[]) => readonly T[],
): Mutant => bodies(at, (body: Fields) => ({ [list]: rewrite(body[list] as readonly T[]) }))

/** Lists that show the oldest entries first. */
export const oldestFirst = (at: readonly OperationId[], list: string): Mutant =>
  lists(at, list, (entries) => entries.toReversed())

/** Lists that end after their first ten entries. */
export const firstTenOnly = (at: readonly OperationId[], list: string): Mutant =>
  bodies(at, (body: Fields) => ({
    [list]: (body[list] as readonly unknown[]).slice(0, 10),
    ...('hasMore' in body ? { hasMore: false } : { continuationToken: null }),
  }))

/** Lists that announce another page after their last. */
export const neverEnds = (at: readonly OperationId[], list: string): Mutant =>
  bodies(at, (body: Fields) => ({ hasMore: (body[list] as readonly unknown[]).length > 0 }))

/** Operations that are refused, always or under a condition. */
export const refuses = (
  at: readonly OperationId[],
  refusal: RefusalId,
  when: (call: AnyCall) => boolean = () => true,
): Mutant => ({
  at,
  call(call, next) {
    if (when(call)) throw refuse(refusal)
    return next(call)
  },
})

/** Operations that are refused without credentials although they are public. */
export const behindLogin = (operation: OperationId): Mutant =>
  refuses([operation], 'wrong-token', ({ headers }) => headers['authorization'] === undefined)

/** Operations that are refused to callers who send a token, although they are public. */
export const refusesTokens = (operation: OperationId): Mutant =>
  refuses([operation], 'rubbish-token', ({ headers }) => headers['authorization'] !== undefined)

/** Operations that are refused to callers who send credentials of another scheme, although they are public. */
export const refusesOtherSchemes = (operation: OperationId): Mutant =>
  refuses([operation], 'wrong-token', ({ headers }) =>
    /^(?!Bearer )/.test(headers['authorization'] ?? 'Bearer '),
  )

/** Operations without a body that are refused to callers who state a media type. */
export const refusesTyped = (operation: OperationId): Mutant =>
  refuses([operation], 'unreadable-body', ({ headers }) => headers['content-type'] !== undefined)

/** Calls that are refused, and change something all the same. */
export const changesWhereRefused = (
  at: readonly OperationId[],
  change: (call: AnyCall, error: unknown) => void,
): Mutant => ({
  at,
  async call(call, next) {
    try {
      return await next(call)
    } catch (error) {
      change(call, error)
      throw error
    }
  },
})

/** Operations that answer where they should refuse. Where `answer` returns undefined, the refusal stays. */
export const accepts = (
  at: readonly OperationId[],
  refusals: readonly RefusalId[],
  answer: (call: AnyCall, refused: Refused) => Answer | Promise<Answer> | undefined,
): Mutant => ({
  at,
  async call(call, next) {
    try {
      return await next(call)
    } catch (error) {
      const given =
        error instanceof Refused && refusals.includes(error.id)
          ? await answer(call, error)
          : undefined
      if (given === undefined) throw error
      return given
    }
  },
})

/** Exchanges whose responses go out differently. `refusal` is that of the exchange, if it was refused. */
export const responses = (
  rewrite: (
    response: Response,
    facts: Pick<Exchange, 'path' | 'method' | 'refusal'>,
  ) => Response | Promise<Response>,
): Mutant => ({
  async exchange(running, next) {
    const response = await next(running)
    const { method, refusal } = running.exchange
    return rewrite(response, { path: running.path, method, refusal })
  },
})

/** The same body under another media type. */
export const labelled = (response: Response, media: string): Response => {
  const headers = { ...Object.fromEntries(response.headers), 'content-type': media }
  return new Response(response.body, { status: response.status, headers })
}

/** Refusals that are answered with an empty success, on some paths or all. */
export const succeeds = (refusal: RefusalId, on: (path: string) => boolean = () => true): Mutant =>
  responses((response, { path, refusal: given }) =>
    given === refusal && on(path) ? new Response(null, { status: 200 }) : response,
  )

/** Refused requests that are answered with an empty success. */
export const succeedsWhere = (where: (exchange: Exchange) => boolean): Mutant => ({
  async exchange(running, next) {
    const response = await next(running)
    return response.status === 400 && where(running.exchange)
      ? new Response('{}', { status: 200, headers: { 'content-type': 'application/json' } })
      : response
  },
})

/** Paths that are unknown. */
export const hidesPaths = (hidden: (path: string) => boolean): Mutant => ({
  exchange(running, next) {
    if (hidden(running.path)) throw refuse('unknown-path')
    return next(running)
  },
})

/** Writes to a table that have no effect. */
export const writesNothing = (
  table: keyof NonNullable<Mutant['tables']>,
  at?: readonly Place[],
): Mutant => ({
  ...(at && { at }),
  tables: { [table]: { write: () => undefined } },
})
