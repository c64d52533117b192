import type { Dialect } from '../../../contract/dialect.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Fields } from '../rewrite.ts'
import { calls } from '../rewrite.ts'
import type { Mutant } from '../mutant.ts'
import { day } from '../spans.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** One end of a range that counts for every kind of date and every role of the caller but one. */

const searches = {
  'queries.metadata': ['queries.metadata.date-type', 'queries.metadata.filters'],
  'queries.general': ['queries.general.date-range'],
  'exports.create': ['exports.package.content'],
} as const satisfies Partial<Record<OperationId, Rules>>

const roles = ['subject1', 'subject2', 'subject3', 'subjectAuthorized'] as const
const ends = ['from', 'to'] as const
const dates = ['issue', 'acquisition', 'invoicing', 'permanentStorage'] as const

/** A search with an earlier start or a later end, where its range is one of that kind of date, for that role. */
const widened = (filters: Fields, role: string, date: string, end: 'from' | 'to'): Fields => {
  const range = filters['dateRange'] as Fields | undefined
  if (filters['subjectType'] !== role || range?.['dateType'] !== date) return filters
  const { [end]: given, ...rest } = range
  if (end === 'to') return { ...filters, dateRange: rest }
  const earlier = new Date(Date.parse(String(given)) - 30 * day).toISOString()
  return { ...filters, dateRange: { ...rest, from: earlier } }
}

const absentIn = ({ schemas }: Dialect): string | undefined => {
  const known = schemas['QueryDateType']?.['enum']
  return Array.isArray(known) && !known.includes('acquisition')
    ? 'no range is one of acquisition dates'
    : undefined
}

export const rangesOfRoles = (): Generated[] =>
  (Object.keys(searches) as (keyof typeof searches)[]).flatMap((operation) =>
    roles.flatMap((role) =>
      dates.flatMap((date) =>
        ends.map((end) => {
          const mutant: Mutant = calls([operation], (call) => {
            const body = call.body as Fields
            const isExport = operation === 'exports.create'
            const filters = widened((isExport ? body['filters'] : body) as Fields, role, date, end)
            return { ...call, body: isExport ? { ...body, filters } : filters }
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
