import { pageSizesOf } from '../../../contract/endpoints.ts'
import type { Mutant } from '../mutant.ts'
import { answers, calls } from '../rewrite.ts'
import type { Fields } from '../rewrite.ts'
import type { Filter } from './filters.ts'
import { changed, filtered, filtersOf, valueOf } from './filters.ts'
import { absentIn, dates } from './role-ranges.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'
import type { Mutants, Paged } from './pages.ts'
import { isLater, pagedLists, rowsIn, sizeOf, withQuery, withRows } from './pages.ts'

/** What was asked for counts for the first page, and is forgotten on those that follow. */

const rangeOf = ({ operation }: Paged): Filter | undefined =>
  filtersOf(operation).find(({ path }) => path.join('.') === 'dateRange')

/** Further pages of a search are those of a range without its end, or with an earlier beginning. */
const brokenRanges = (paged: Paged): Mutants => {
  const { operation } = paged
  const range = rangeOf(paged)
  if (range === undefined) return {}
  const forgotten = (change: (range: Fields) => Fields): Mutant =>
    calls([operation], (call) => {
      const asked = valueOf(call, range) as Fields
      return isLater(call) ? changed(call, range, { ...asked, ...change(asked) }) : call
    })
  const month = 30 * 24 * 3_600_000
  return {
    'end-forgotten-on-later-pages': forgotten(() => ({ to: undefined })),
    'beginning-forgotten-on-later-pages': forgotten(({ from }) => ({
      from: new Date(Date.parse(String(from)) - month).toISOString(),
    })),
  }
}

/** Rows that came at the instant of the last one shown are left out, by one kind of date. */
const lostByDate = (paged: Paged): Mutants => {
  const range = rangeOf(paged)
  if (range === undefined) return {}
  const lost = (date: string): Mutant =>
    answers([paged.operation], (answer, call) =>
      isLater(call) && (valueOf(call, range) as Fields)['dateType'] === date
        ? withRows(paged, answer, rowsIn(paged, answer).slice(1))
        : answer,
    )
  return Object.fromEntries(
    dates.map((date) => [
      `first-row-of-later-pages-lost-by-${date}`,
      { ...lost(date), ...(date === 'acquisition' && { absentIn }) },
    ]),
  )
}

/** Filters after which no other page follows, that a list newest first goes on without, or that every row fits. */
const invisibleLater = new Set(['referenceNumber', 'dateCreatedTo', 'formType'])

/** A filter that counts for the first page alone: the rows after the last one shown are those of the whole list. */
const forgottenByToken = (paged: Paged, filter: Filter): Mutant => {
  const shownLast = new Map<unknown, unknown>()
  const name = (row: unknown) => (row as Fields)['referenceNumber']
  return {
    at: [paged.operation],
    async call(call, handle) {
      const { 'x-continuation-token': token, ...headers } = call.headers
      let answer = await handle(call)
      if (isLater(call)) {
        const pageSize = pageSizesOf(paged.operation)?.maximum
        const unfiltered = withQuery(changed({ ...call, headers }, filter, undefined), { pageSize })
        const rows = rowsIn(paged, await handle(unfiltered))
        const from = 1 + rows.findIndex((row) => name(row) === shownLast.get(token))
        answer = withRows(paged, answer, rows.slice(from, from + sizeOf(call)))
      }
      shownLast.set(
        (answer.body as Fields)['continuationToken'],
        name(rowsIn(paged, answer).at(-1)),
      )
      return answer
    },
  }
}

/** A page is cut from the whole list before it is filtered; where nothing is left of it, the list ends. */
const filteredAfterTheCut = (paged: Paged, filter: Filter): Mutant => ({
  at: [paged.operation],
  async call(call, handle) {
    if (valueOf(call, filter) === undefined) return handle(call)
    const headers = Object.fromEntries(
      Object.entries(call.headers).filter(([name]) => name !== 'x-continuation-token'),
    )
    const pageSize = pageSizesOf(paged.operation)?.maximum
    const whole = await handle(withQuery({ ...call, headers }, { pageSize }))
    const kept = new Set(rowsIn(paged, whole).map((row) => JSON.stringify(row)))
    const page = await handle(changed(call, filter, undefined))
    const rows = rowsIn(paged, page).filter((row) => kept.has(JSON.stringify(row)))
    return withRows(paged, page, rows, rows.length === 0 ? { continuationToken: null } : {})
  },
})

/** Filters that count for the first page alone, or only once a page is cut. */
const forgottenFilters = (paged: Paged): Mutants => {
  const { operation, by } = paged
  const optional = filtersOf(operation).filter(
    ({ path: [name = '', ...rest], required }) =>
      !required && rest.length === 0 && !invisibleLater.has(name),
  )
  if (by === 'token')
    return Object.fromEntries(
      optional.flatMap((one) => [
        [`${one.path[0]}-forgotten-on-later-pages`, forgottenByToken(paged, one)],
        [`${one.path[0]}-after-the-page-is-cut`, filteredAfterTheCut(paged, one)],
      ]),
    )
  return Object.fromEntries(
    optional.map((one) => [
      `${one.path[0]}-forgotten-on-later-pages`,
      calls([operation], (call) => (isLater(call) ? changed(call, one, undefined) : call)),
    ]),
  )
}

/** The rules of a list, and those of its filters. */
const rulesOf = ({ operation, rules: [first, ...more] }: Paged): Rules => [
  first,
  ...more,
  ...(filtered[operation] ?? []),
]

/** Every list that comes in pages and takes filters. */
export const forgottenOnLaterPages = (): Generated[] =>
  pagedLists().flatMap((paged) => {
    const named = (rules: Rules, mutants: Mutants): Generated[] =>
      Object.entries(mutants).map(([change, mutant]) =>
        generated('page', `${paged.operation}.${change}`, rules, mutant),
      )
    const narrowing = { ...brokenRanges(paged), ...forgottenFilters(paged) }
    return [...named(paged.rules, lostByDate(paged)), ...named(rulesOf(paged), narrowing)]
  })
