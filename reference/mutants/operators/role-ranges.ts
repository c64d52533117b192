import type { Dialect } from '../../../contract/dialect.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Fields } from '../rewrite.ts'
import { calls } from '../rewrite.ts'
import type { Mutant } from '../mutant.ts'
import { day } from '../spans.ts'
import { filtersOf } from './filters.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** What counts for every role of the caller but one: an end of a range, by kinds of date or beside filters, and filters. */

const searches = {
  'queries.metadata': ['queries.metadata.date-type', 'queries.metadata.filters'],
  'queries.general': ['queries.general.date-range'],
  'exports.create': ['exports.package.content'],
} as const satisfies Partial<Record<OperationId, Rules>>

type Search = keyof typeof searches
const searchIds = Object.keys(searches) as Search[]

const roles = ['subject1', 'subject2', 'subject3', 'subjectAuthorized'] as const
const ends = ['from', 'to'] as const
export const dates = ['issue', 'acquisition', 'invoicing', 'permanentStorage'] as const

type End = (typeof ends)[number]

/** A search with an earlier start or a later end. */
const widened = (filters: Fields, end: End): Fields => {
  const range = filters['dateRange'] as Fields | undefined
  if (range === undefined) return filters
  const { [end]: given, ...rest } = range
  if (end === 'to') return { ...filters, dateRange: rest }
  const earlier = new Date(Date.parse(String(given)) - 30 * day).toISOString()
  return { ...filters, dateRange: { ...rest, from: earlier } }
}

/** Why a search by the date of acquisition cannot go wrong. */
export const absentIn = ({ schemas }: Dialect): string | undefined => {
  const known = schemas['QueryDateType']?.['enum']
  return Array.isArray(known) && !known.includes('acquisition')
    ? 'no range is one of acquisition dates'
    : undefined
}

/** A search that comes in with other filters. */
const searching = (operation: Search, rewrite: (filters: Fields) => Fields): Mutant =>
  calls([operation], (call) => {
    const body = call.body as Fields
    return operation === 'exports.create'
      ? { ...call, body: { ...body, filters: rewrite(body['filters'] as Fields) } }
      : { ...call, body: rewrite(body) }
  })

export const rangesOfRoles = (): Generated[] =>
  searchIds.flatMap((operation) =>
    roles.flatMap((role) =>
      dates.flatMap((date) =>
        ends.map((end) => {
          const mutant = searching(operation, (filters) => {
            const range = filters['dateRange'] as Fields | undefined
            const isMeant = filters['subjectType'] === role && range?.['dateType'] === date
            return isMeant ? widened(filters, end) : filters
          })
          return generated(
            'role-range',
            `${operation}.${role}.${date}.${end}`,
            searches[operation],
            {
              ...mutant,
              ...(date === 'acquisition' && { absentIn }),
            },
          )
        }),
      ),
    ),
  )

/** The rules that a search breaks which does not see a filter. */
const ruleOfFilters: Readonly<Record<Search, Rules>> = {
  ...searches,
  'queries.metadata': ['queries.metadata.filters', 'queries.metadata.date-type'],
}

/** Filters that a search may leave out. */
const optional = (operation: Search): readonly string[] =>
  filtersOf(operation)
    .filter(({ path, required }) => !required && path.length === (path[0] === 'filters' ? 2 : 1))
    .map(({ path }) => path.at(-1) ?? '')

/** Each filter that does not count for one role, and an end of the range that does not count beside it. */
export const filtersOfRoles = (): Generated[] =>
  searchIds.flatMap((operation) =>
    optional(operation).flatMap((name, place) =>
      roles.flatMap((role, at) => {
        // Half of them say as much as all.
        if ((place + at) % 2 === 1) return []
        const end = ends[at >> 1]!
        const changes: Readonly<Record<string, (filters: Fields) => Fields>> = {
          [`${end}-beside-${name}`]: (filters) => widened(filters, end),
          // There is one form alone, so that nothing shows whether it is looked at.
          ...(name !== 'formType' && { [name]: ({ [name]: _, ...rest }: Fields) => rest }),
        }
        return Object.entries(changes).map(([what, change]) =>
          generated(
            'role-range',
            `${operation}.${role}.${what}`,
            ruleOfFilters[operation],
            searching(operation, (filters) =>
              filters['subjectType'] === role && filters[name] !== undefined
                ? change(filters)
                : filters,
            ),
          ),
        )
      }),
    ),
  )
