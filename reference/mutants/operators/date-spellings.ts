import type { OperationId } from '../../../contract/endpoints.ts'
import { refuse } from '../../base/refusals.ts'
import { warsaw } from '../../base/wording.ts'
import { calls } from '../rewrite.ts'
import { changed, filtersOf, valueOf } from './filters.ts'
import type { Filter } from './filters.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Dates of requests that are misread: their offsets, their fractions. */

/** Operations that take dates, with the rule that shows how they are read. */
const dated: Partial<Record<OperationId, Rules>> = {
  'sessions.list': ['sessions.list.complete'],
  'queries.metadata': ['queries.metadata.date-bounds'],
  'queries.general': ['queries.general.date-range'],
  'exports.create': ['exports.package.content', 'exports.create.accepted'],
  'certificates.query': ['certificates.listed'],
  'certificates.enroll': ['certificates.two-years'],
  'testdata.updateCertificate': ['certificates.listed'],
}

const offset = /(?:Z|[+-]\d{2}:\d{2})$/i

const winter = Date.UTC(2026, 0, 15)

/** Rewrites a date as it is misread; undefined where it is refused. */
const misreadings: Readonly<Record<string, (text: string) => string | undefined>> = {
  'offset-unread': (text) => text.replace(offset, ''),
  'offset-as-utc': (text) => text.replace(offset, 'Z'),
  'local-as-utc': (text) => (offset.test(text) ? text : `${text}Z`),
  'local-as-winter-time': (text) =>
    offset.test(text) ? text : text + (offset.exec(warsaw(winter))?.[0] ?? 'Z'),
  'local-refused': (text) => (offset.test(text) ? text : undefined),
  'to-the-day': (text) => `${text.slice(0, 10)}T00:00:00${offset.exec(text)?.[0] ?? ''}`,
  'minutes-added-behind': (text) =>
    text.replace(/-(\d{2}):30$/, (_, hours: string) => {
      const read = String(Number(hours) - 1).padStart(2, '0')
      return `-${read}:30`
    }),
  'long-fractions-refused': (text) => (/\.\d{4}/.test(text) ? undefined : text),
}

const misread = (
  operation: OperationId,
  filter: Filter,
  write: (text: string) => string | undefined,
) =>
  calls([operation], (call) => {
    const text = valueOf(call, filter)
    if (typeof text !== 'string') return call
    const other = write(text)
    if (other === undefined) throw refuse('invalid-input')
    return changed(call, filter, other)
  })

/** Every date of every list, search and application, read in each wrong way. */
export const misreadDates = (): Generated[] =>
  (Object.entries(dated) as [OperationId, Rules][]).flatMap(([operation, rules]) =>
    filtersOf(operation)
      .filter(({ schema }) => schema['format'] === 'date-time')
      .flatMap((filter) =>
        Object.entries(misreadings).map(([name, write]) =>
          generated(
            'date',
            `${operation}.${filter.path.join('.')}.${name}`,
            rules,
            misread(operation, filter, write),
          ),
        ),
      ),
  )
