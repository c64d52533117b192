import { instantOf, warsaw } from '../../../base/wording.ts'
import { policy } from '../../../policy/policy.ts'
import { ends, isInstant, offsetAtEnd, ranges, toTheMinute } from '../../date-ranges.ts'
import type { Mutant } from '../../mutant.ts'
import { refuses } from '../../rewrite.ts'
import { minute } from '../../spans.ts'

/** Defects of the bounds of a metadata query. */
export const queriesMetadataDateBoundsMutants = {
  'queries.metadata.date-bounds/range-backwards-accepted': {
    policy: { rangeForwards: () => true },
  },
  'queries.metadata.date-bounds/bounds-compared-as-texts': refuses(
    ['queries.metadata'],
    'invalid-input',
    ({ body }) => {
      const { from, to } = (body as { dateRange: { from: string; to?: string | null } }).dateRange
      return typeof to === 'string' && from > to
    },
  ),
  'queries.metadata.date-bounds/range-of-any-length': { policy: { rangeNarrowEnough: () => true } },
  'queries.metadata.date-bounds/offset-unread': ends((text) => text.replace(offsetAtEnd, '')),
  'queries.metadata.date-bounds/offset-as-utc': ends((text) => text.replace(offsetAtEnd, 'Z')),
  'queries.metadata.date-bounds/without-an-offset-as-utc': ends((text) =>
    offsetAtEnd.test(text) ? text : `${text}Z`,
  ),
  'queries.metadata.date-bounds/offset-of-today': ends((text, now) =>
    offsetAtEnd.test(text) ? text : text + (offsetAtEnd.exec(warsaw(now))?.[0] ?? 'Z'),
  ),
  'queries.metadata.date-bounds/open-end-at-the-start': ranges(({ from, to }) =>
    typeof to === 'string' ? {} : { to: new Date((instantOf(from) ?? 0) + minute).toISOString() },
  ),
  'queries.metadata.date-bounds/start-excluded': {
    policy: {
      dateInRange: (at, from, to) =>
        policy.dateInRange(at, from, to) && !(isInstant(at) && at === from),
    },
  },
  'queries.metadata.date-bounds/end-excluded': {
    policy: {
      dateInRange: (at, from, to) =>
        policy.dateInRange(at, from, to) && !(isInstant(at) && at === to),
    },
  },
  'queries.metadata.date-bounds/start-to-the-minute': {
    policy: { dateInRange: (at, from, to) => policy.dateInRange(at, toTheMinute(from), to) },
  },
} as const satisfies Readonly<Record<string, Mutant>>
