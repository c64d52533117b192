import type { Dialect } from '../../../contract/dialect.ts'
import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { sentBody, succeeded } from '../../../lib/exchange.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { fromWire, wireField } from '../../../lib/wire.ts'
import type { Contradiction } from '../answers/conformity.ts'
import { lists } from './lasting-facts.ts'
import { isFields, rowsOf } from '../coverage/reached.ts'
import type { Fields } from '../coverage/reached.ts'
import { all, asking, dates } from './row-filters.ts'

/**
 * Rows of lists that are not what the request asked for, whatever the check is about: rows that a filter excludes, rows in
 * another order, more of them than were asked for, and invoices that a search finds no more although nothing takes them
 * away.
 */

/** A list that an operation answered, with what was asked. */
interface Listed {
  readonly operation: OperationId
  readonly exchange: Exchange
  readonly rows: readonly Fields[]
  /** Filters of the query and of the body, in the contract's words. */
  readonly asked: Fields
  readonly paging: URLSearchParams
}

/** The filters in the query: a name that is given twice asks for either value. */
const inQuery = (
  paging: URLSearchParams,
  names: readonly string[],
  dialect: Dialect,
): Record<string, unknown> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const values = paging.getAll(wireField(name, dialect))
      return values.length === 0 ? [] : [[name, values.length === 1 ? values[0] : values]]
    }),
  )

const listedIn = (exchange: Exchange, dialect: Dialect): Listed | undefined => {
  const { operation, request, body } = exchange
  const asks = operation && asking[operation]
  const list = operation && lists[operation]?.list
  if (operation === undefined || asks === undefined || list === undefined || !succeeded(exchange))
    return undefined
  const { searchParams: paging } = new URL(request.url)
  const given = fromWire(sentBody(exchange), endpoint(operation).request?.schema, dialect)
  const asked = {
    ...inQuery(paging, Object.keys(asks.by), dialect),
    ...(isFields(given) ? given : {}),
  }
  return { operation, exchange, rows: rowsOf(body, list), asked, paging }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** What names the list itself. */
const naming = new Set(['subjectType', 'queryType'])

/** What each filter of a request says of a row. */
const verdictsOn = ({ operation, asked }: Listed, row: Fields): (boolean | undefined)[] =>
  Object.entries(asked)
    .filter(([name, value]) => isGiven(value) && !naming.has(name))
    .map(([name, value]) => asking[operation]?.by[name]?.fits(row, value))

const nameOf = ({ operation }: Listed, row: Fields): string =>
  String(row[lists[operation]?.name ?? 'referenceNumber'])

const excludedRows = (listed: Listed): Contradiction[] => {
  const { operation, exchange, rows, asked } = listed
  const { filters, by } = asking[operation]!
  return rows.flatMap((row) =>
    Object.entries(asked).flatMap(([name, value]) =>
      isGiven(value) && by[name]?.fits(row, value) === false
        ? {
            rule: filters,
            exchange,
            text: `${nameOf(listed, row)} is found with ${name} ${JSON.stringify(value)}`,
            cause: `answers of ${operation} have rows that ${name} excludes`,
          }
        : [],
    ),
  )
}

/** The field that rows are ordered by, and in which direction. */
const orderOf = ({ operation, asked, paging }: Listed) => {
  if (operation !== 'queries.metadata') {
    const { rule, newestFirst = '' } = asking[operation]?.order ?? {}
    return { rule, field: newestFirst, side: -1 }
  }
  const { dateRange } = asked
  const field = isFields(dateRange) ? dates[String(dateRange['dateType'])] : undefined
  const side = paging.get('sortOrder') === 'Desc' ? -1 : 1
  return { rule: 'queries.metadata.paging' as const, field: field ?? '', side }
}

const wrongOrder = (listed: Listed): Contradiction[] => {
  const { operation, exchange, rows } = listed
  const { rule, field, side } = orderOf(listed)
  if (rule === undefined) return []
  const at = rows.map((row) => Date.parse(String(row[field])))
  const place = at.findIndex((instant, index) => (instant - at[index - 1]!) * side < 0)
  if (place === -1) return []
  return [
    {
      rule,
      exchange,
      text: `${nameOf(listed, rows[place]!)} stands after a row that it comes before, by ${field}`,
      cause: `the rows in answers of ${operation} are in a wrong order`,
    },
  ]
}

const tooMany = ({ operation, exchange, rows, paging }: Listed): Contradiction[] => {
  const size = Number(paging.get('pageSize') ?? Number.NaN)
  const { complete } = lists[operation]!
  if (!(rows.length > size)) return []
  return [
    {
      rule: complete,
      exchange,
      text: `${rows.length} rows on a page of ${size}`,
      cause: `answers of ${operation} have more rows than a page holds`,
    },
  ]
}

/** Whether an answer has all that was asked for: a first page after which none follows. */
const isWhole = ({ exchange, paging }: Listed): boolean => {
  const { body } = exchange
  const more = isFields(body) && (body['hasMore'] === true || body['isTruncated'] === true)
  return Number(paging.get('pageOffset') ?? 0) === 0 && !more
}

/** Invoices that a caller found before, and that a later search leaves out although it asks for them. */
const lostRows = (searches: readonly Listed[]): Contradiction[] => {
  const known = new Map<string, { readonly row: Fields; readonly seen: Exchange }>()
  return searches.flatMap((listed) => {
    const { operation, exchange, rows, asked } = listed
    if (operation !== 'queries.metadata' && operation !== 'queries.general') return []
    const { request, span } = exchange
    const { origin } = new URL(request.url)
    const scope = `${origin} ${request.headers['authorization']} ${String(asked['subjectType'])} `
    const here = new Set(rows.map((row) => scope + nameOf(listed, row)))
    const lost = isWhole(listed)
      ? [...known].filter(
          ([key, { row, seen }]) =>
            key.startsWith(scope) &&
            !here.has(key) &&
            // Answers to calls at the same time come in any order.
            seen.span[1] < span[0] &&
            all(verdictsOn(listed, row)) === true,
        )
      : []
    for (const row of rows) known.set(scope + nameOf(listed, row), { row, seen: exchange })
    return lost.map(([, { row }]) => ({
      rule: asking[operation]!.filters,
      exchange,
      text: `${nameOf(listed, row)} is not found with ${JSON.stringify(asked)}`,
      cause: `answers of ${operation} lack rows that fit and were found before`,
    }))
  })
}

/** What is wrong with the rows that the lists of a check have. */
export const wrongRows = (exchanges: readonly Exchange[], dialect: Dialect): Contradiction[] => {
  const searches = exchanges.flatMap((exchange) => listedIn(exchange, dialect) ?? [])
  return [
    ...searches.flatMap((listed) => [
      ...excludedRows(listed),
      ...wrongOrder(listed),
      ...tooMany(listed),
    ]),
    ...lostRows(searches),
  ]
}

/** The rules that own wrong rows. */
export const rowRules: readonly RuleId[] = [
  ...new Set([
    ...Object.values(asking).flatMap(({ filters, order }) => [filters, order?.rule ?? filters]),
    ...Object.values(lists).map(({ complete }) => complete),
  ]),
]
