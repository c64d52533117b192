import type { OperationId } from '../../../contract/endpoints.ts'
import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { AnyCall, Answer } from '../../call/call.ts'
import type { Soon } from '../../base/soon.ts'
import { soon } from '../../base/soon.ts'
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
interface Paged {
  readonly operation: OperationId
  /** The field of its entries. */
  readonly list: string
  readonly by: 'offset' | 'token'
  readonly rules: Rules
}

const pagedLists = (): readonly Paged[] =>
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

const sizeOf = ({ query }: AnyCall): number => Number(query['pageSize'] ?? 10)

const isLater = (call: AnyCall): boolean =>
  Number(call.query['pageOffset'] ?? 0) > 0 || (call.headers['x-continuation-token'] ?? '') !== ''

const yieldFor = ({ operation, list, by, rules }: Paged): Generated[] => {
  const made = (change: string, mutant: Mutant): Generated =>
    generated('page', `${operation}.${change}`, rules, mutant)
  const rows = (answer: Answer): readonly unknown[] =>
    ((answer.body as Fields)[list] ?? []) as readonly unknown[]
  const withRows = (answer: Answer, entries: readonly unknown[], more: Fields = {}): Answer => ({
    ...answer,
    body: { ...(answer.body as Fields), ...more, [list]: entries },
  })
  const end: Fields = by === 'offset' ? { hasMore: false } : { continuationToken: null }
  const continues = ({ body }: Answer): boolean =>
    by === 'offset'
      ? (body as Fields)['hasMore'] === true
      : (body as Fields)['continuationToken'] !== null
  const withQuery = (call: AnyCall, query: Fields): AnyCall => ({
    ...call,
    query: { ...call.query, ...query },
  })
  const rewritten = (rewrite: (answer: Answer, call: AnyCall) => Answer): Mutant =>
    answers([operation], rewrite)

  /** The page after one answer, to know how many rows it has. */
  const next =
    (decide: (rest: readonly unknown[], answer: Answer) => Answer): Mutant['call'] =>
    (call, handle): Soon<Answer> =>
      soon(handle(call), (answer) => {
        if (!continues(answer)) return answer
        const following =
          by === 'offset'
            ? withQuery(call, { pageOffset: Number(call.query['pageOffset'] ?? 0) + 1 })
            : {
                ...call,
                headers: {
                  ...call.headers,
                  'x-continuation-token': String((answer.body as Fields)['continuationToken']),
                },
              }
        return soon(handle(following), (rest) => decide(rows(rest), answer))
      })

  return [
    made('single-last-row-lost', {
      at: [operation],
      call: next((rest, answer) =>
        rest.length === 1 ? withRows(answer, rows(answer), end) : answer,
      )!,
    }),
    made(
      'last-row-of-page-lost',
      rewritten((answer) =>
        continues(answer) ? withRows(answer, rows(answer).slice(0, -1)) : answer,
      ),
    ),
    made(
      'first-row-of-later-pages-lost',
      rewritten((answer, call) =>
        isLater(call) ? withRows(answer, rows(answer).slice(1)) : answer,
      ),
    ),
    made('last-row-shown-again', {
      at: [operation],
      call: next((rest, answer) => withRows(answer, [...rows(answer), ...rest.slice(0, 1)]))!,
    }),
    made(
      'ends-when-full',
      rewritten((answer, call) =>
        rows(answer).length === sizeOf(call) ? withRows(answer, rows(answer), end) : answer,
      ),
    ),
    made(
      'size-ignored',
      calls([operation], (call) => withQuery(call, { pageSize: 10 })),
    ),
    made(
      'size-cut-to-twelve',
      calls([operation], (call) => withQuery(call, { pageSize: Math.min(sizeOf(call), 12) })),
    ),
    made(
      'one-row-more',
      calls([operation], (call) => withQuery(call, { pageSize: sizeOf(call) + 1 })),
    ),
    made(
      'rows-cut-but-not-the-offset',
      rewritten((answer) => withRows(answer, rows(answer).slice(0, 12))),
    ),
    made(
      'backwards',
      rewritten((answer) => withRows(answer, rows(answer).toReversed())),
    ),
    made(
      'first-two-swapped',
      rewritten((answer) => {
        const [a, b, ...rest] = rows(answer)
        return b === undefined ? answer : withRows(answer, [b, a, ...rest])
      }),
    ),
    made(
      'later-pages-empty',
      rewritten((answer, call) => (isLater(call) ? withRows(answer, [], end) : answer)),
    ),
    made(
      'later-pages-again-the-first',
      calls([operation], (call) =>
        by === 'offset'
          ? withQuery(call, { pageOffset: 0 })
          : { ...call, headers: { ...call.headers, 'x-continuation-token': '' } },
      ),
    ),
    made(
      'one-page-further',
      calls([operation], (call) =>
        by === 'offset' && isLater(call)
          ? withQuery(call, { pageOffset: Number(call.query['pageOffset']) + 1 })
          : call,
      ),
    ),
    made(
      'empty-first-page-continues',
      rewritten((answer) =>
        rows(answer).length === 0 && by === 'offset'
          ? withRows(answer, [], { hasMore: true })
          : answer,
      ),
    ),
    ...(by === 'token'
      ? [
          made(
            'any-token-begins-again',
            accepts([operation], ['continuation-token-malformed'], () => ({
              body: { [list]: [], continuationToken: null },
            })),
          ),
          made('own-token-refused', {
            at: [operation],
            call(call, handle) {
              if (isLater(call)) throw refuse('continuation-token-malformed')
              return handle(call)
            },
          }),
        ]
      : []),
  ]
}

/** Every list that comes in pages. */
export const brokenPages = (): Generated[] => pagedLists().flatMap(yieldFor)
