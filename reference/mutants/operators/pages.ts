import type { OperationId } from '../../../contract/endpoints.ts'
import { endpoint, operationIds, pageSizesOf } from '../../../contract/endpoints.ts'
import type { AnyCall, Answer } from '../../call/call.ts'
import { refuse } from '../../base/refusals.ts'
import type { Mutant } from '../mutant.ts'
import { accepts, answers, calls } from '../rewrite.ts'
import type { Fields } from '../rewrite.ts'
import { answerSchema, fieldsOf } from './fields.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'
import { pagingRules } from './owners.ts'

/** Lists whose pages are wrong: rows lost or shown twice at their ends, sizes and places that are ignored. */

/** A list in pages. */
export interface Paged {
  readonly operation: OperationId
  /** The field of its entries. */
  readonly list: string
  readonly by: 'offset' | 'token'
  readonly rules: Rules
}

export const pagedLists = (): readonly Paged[] =>
  operationIds.flatMap((operation) => {
    const rules = pagingRules[operation]
    const schema = answerSchema(operation)
    if (rules === undefined || schema === undefined) return []
    const found = fieldsOf(schema).find(
      ({ path, schema: own }) => path.length === 1 && own['type'] === 'array',
    )
    const names = (endpoint(operation).parameters ?? []).map(({ name }) => name)
    const by = names.includes('pageOffset') ? ('offset' as const) : ('token' as const)
    return [{ operation, list: found?.path[0] ?? '', by, rules }]
  })

export const sizeOf = ({ query }: AnyCall): number => Number(query['pageSize'] ?? 10)

export const isLater = (call: AnyCall): boolean =>
  Number(call.query['pageOffset'] ?? 0) > 0 || (call.headers['x-continuation-token'] ?? '') !== ''

export type Mutants = Readonly<Record<string, Mutant>>

export const rowsIn = ({ list }: Paged, { body }: Answer): readonly unknown[] =>
  ((body as Fields)[list] ?? []) as readonly unknown[]

export const withRows = (
  { list }: Paged,
  answer: Answer,
  entries: readonly unknown[],
  more: Fields = {},
): Answer => ({ ...answer, body: { ...(answer.body as Fields), ...more, [list]: entries } })

/** What says that no page follows. */
const end = ({ by }: Paged): Fields =>
  by === 'offset' ? { hasMore: false } : { continuationToken: null }

export const continues = ({ by }: Paged, { body }: Answer): boolean =>
  by === 'offset'
    ? (body as Fields)['hasMore'] === true
    : (body as Fields)['continuationToken'] !== null

export const withQuery = (call: AnyCall, query: Fields): AnyCall => ({
  ...call,
  query: { ...call.query, ...query },
})

export const withToken = (call: AnyCall, token: string): AnyCall => ({
  ...call,
  headers: { ...call.headers, 'x-continuation-token': token },
})

/** The call for the page after an answer. */
export const following = ({ by }: Paged, call: AnyCall, { body }: Answer): AnyCall =>
  by === 'offset'
    ? withQuery(call, { pageOffset: Number(call.query['pageOffset'] ?? 0) + 1 })
    : withToken(call, String((body as Fields)['continuationToken']))

/** Answers that depend on the rows of the next page. */
const knowingNext = (
  paged: Paged,
  decide: (rest: readonly unknown[], answer: Answer) => Answer,
): Mutant => ({
  at: [paged.operation],
  async call(call, handle) {
    const answer = await handle(call)
    if (!continues(paged, answer)) return answer
    const rest = await handle(following(paged, call, answer))
    return decide(rowsIn(paged, rest), answer)
  },
})

/** Pages with other rows. */
const otherRows = (
  paged: Paged,
  change: (rows: readonly unknown[], call: AnyCall, answer: Answer) => readonly unknown[],
): Mutant =>
  answers([paged.operation], (answer, call) =>
    withRows(paged, answer, change(rowsIn(paged, answer), call, answer)),
  )

/** Without a requested page size, a page has another size than the default one. */
const otherDefault = ({ operation }: Paged, size: number): Mutant => {
  let isStated = true
  return {
    at: [operation],
    exchange(running, next) {
      isStated = running.exchange.path.toLowerCase().includes('pagesize=')
      return next(running)
    },
    call: (call, next) => next(isStated ? call : withQuery(call, { pageSize: size })),
  }
}

/** Rows that are lost, shown twice or in another order. */
const brokenRows = (paged: Paged): Mutants => ({
  'single-last-row-lost': knowingNext(paged, (rest, answer) =>
    rest.length === 1 ? withRows(paged, answer, rowsIn(paged, answer), end(paged)) : answer,
  ),
  'last-row-shown-again': knowingNext(paged, (rest, answer) =>
    withRows(paged, answer, [...rowsIn(paged, answer), ...rest.slice(0, 1)]),
  ),
  'last-row-of-page-lost': otherRows(paged, (rows, _call, answer) =>
    continues(paged, answer) ? rows.slice(0, -1) : rows,
  ),
  'first-row-of-later-pages-lost': otherRows(paged, (rows, call) =>
    isLater(call) ? rows.slice(1) : rows,
  ),
  'rows-cut-but-not-the-offset': otherRows(paged, (rows) => rows.slice(0, 12)),
  backwards: otherRows(paged, (rows) => rows.toReversed()),
  'first-two-swapped': otherRows(paged, ([a, b, ...rest]) =>
    b === undefined ? [a].filter((row) => row !== undefined) : [b, a, ...rest],
  ),
})

/** Sizes that are ignored, cut, exceeded or refused. */
const brokenSizes = ({ operation }: Paged): Mutants => ({
  'size-ignored': calls([operation], (call) => withQuery(call, { pageSize: 10 })),
  'size-cut-to-twelve': calls([operation], (call) =>
    withQuery(call, { pageSize: Math.min(sizeOf(call), 12) }),
  ),
  'ten-on-later-pages': calls([operation], (call) =>
    isLater(call) ? withQuery(call, { pageSize: 10 }) : call,
  ),
  'one-row-more': calls([operation], (call) => withQuery(call, { pageSize: sizeOf(call) + 1 })),
  'largest-size-refused': {
    at: [operation],
    call(call, handle) {
      if (sizeOf(call) === pageSizesOf(operation)?.maximum) throw refuse('invalid-input')
      return handle(call)
    },
  },
})

/**
 * Lists that checks fill beyond their largest page. Of the others a row takes a login (permissions of entities, one's
 * own), the register of the target (providers), or there would have to be hundreds of collective identifiers.
 */
const filled: ReadonlySet<OperationId> = new Set([
  'queries.metadata',
  'queries.general',
  'sessions.list',
  'sessions.invoices',
  'sessions.failed',
  'tokens.list',
  'auth.sessions',
  'certificates.query',
  'permissions.queryPersons',
  'permissions.querySubunits',
  'permissions.queryAuthorizations',
  'permissions.queryEu',
  'permissions.querySubordinateRoles',
  'permissions.queryRoles',
])

/** A bound below the largest page that may be asked for: fewer rows on a page, or rows that are on none. */
const brokenLargest = (paged: Paged): Mutants => {
  const { operation } = paged
  const most = Math.floor((pageSizesOf(operation)?.maximum ?? 0) * 0.9)
  return {
    'nine-tenths-at-most': calls([operation], (call) =>
      withQuery(call, { pageSize: Math.min(sizeOf(call), most) }),
    ),
    'rows-beyond-nine-tenths-lost': otherRows(paged, (rows) => rows.slice(0, most)),
  }
}

/** Ends that come too early or never, and places that are ignored. */
const brokenPlaces = (paged: Paged): Mutants => {
  const { operation, by } = paged
  return {
    'ends-when-full': answers([operation], (answer, call) =>
      rowsIn(paged, answer).length === sizeOf(call)
        ? withRows(paged, answer, rowsIn(paged, answer), end(paged))
        : answer,
    ),
    'later-pages-empty': answers([operation], (answer, call) =>
      isLater(call) ? withRows(paged, answer, [], end(paged)) : answer,
    ),
    'later-pages-again-the-first': calls([operation], (call) =>
      by === 'offset' ? withQuery(call, { pageOffset: 0 }) : withToken(call, ''),
    ),
    ...(by === 'offset' && {
      'one-page-further': calls([operation], (call) =>
        isLater(call)
          ? withQuery(call, { pageOffset: Number(call.query['pageOffset']) + 1 })
          : call,
      ),
      'empty-first-page-continues': answers([operation], (answer) =>
        rowsIn(paged, answer).length === 0
          ? withRows(paged, answer, [], { hasMore: true })
          : answer,
      ),
    }),
  }
}

/** Lists of a context that each take only their own tokens. */
const checkedForeign: ReadonlySet<OperationId> = new Set([
  'tokens.list',
  'auth.sessions',
  'sessions.list',
  'sessions.invoices',
  'sessions.failed',
])

/** Whether the service sealed a token, for whatever list. */
const isSealed = (token = ''): boolean => {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64').toString())
    return Array.isArray(parts) && typeof parts[0] === 'string'
  } catch {
    return false
  }
}

/** A token of another list, with which the list begins again. */
const takesForeign = (operation: OperationId): Mutant => ({
  at: [operation],
  async call(call, handle) {
    try {
      return await handle(call)
    } catch (error) {
      const { 'x-continuation-token': token, ...headers } = call.headers
      if (!isSealed(token)) throw error
      return handle({ ...call, headers })
    }
  },
})

/** Continuation tokens that are taken from anyone, or not even from their owner. */
const brokenTokens = ({ operation, list }: Paged): Mutants => ({
  'any-token-begins-again': accepts([operation], ['continuation-token-malformed'], () => ({
    body: { [list]: [], continuationToken: null },
  })),
  ...(checkedForeign.has(operation) && { 'token-of-another-list': takesForeign(operation) }),
  'own-token-refused': {
    at: [operation],
    call(call, handle) {
      if (isLater(call)) throw refuse('continuation-token-malformed')
      return handle(call)
    },
  },
})

const yieldFor = (paged: Paged): Generated[] =>
  Object.entries({
    ...brokenRows(paged),
    ...brokenSizes(paged),
    ...(filled.has(paged.operation) ? brokenLargest(paged) : {}),
    'default-size-doubled': otherDefault(paged, 20),
    ...brokenPlaces(paged),
    ...(paged.by === 'token' ? brokenTokens(paged) : {}),
  }).map(([change, mutant]) =>
    generated('page', `${paged.operation}.${change}`, paged.rules, mutant),
  )

/** Every list that comes in pages. */
export const brokenPages = (): Generated[] => pagedLists().flatMap(yieldFor)
