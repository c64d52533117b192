import type { Mutant } from '../mutant.ts'
import { policy } from '../../policy/policy.ts'
import { ofClosedSessions, ofItsSubject, oneOfANumber } from '../metadata-searches.ts'
import { bodies } from '../rewrite.ts'

/** Defects of the general query. */
export const queriesGeneralMutants = {
  'queries.general.date-range/general-finds-nothing': bodies(['queries.general'], { invoices: [] }),
  'queries.general.date-range/one-of-a-number': oneOfANumber('queries.general'),
  'queries.general.date-range/received-for-acquired': {
    at: ['queries.general'],
    policy: {
      rangeDate: (issued, type) =>
        policy.rangeDate(issued, type === 'acquisition' ? 'invoicing' : type),
    },
  },
  'queries.general.date-range/acquired-for-stored': {
    at: ['queries.general'],
    policy: {
      rangeDate: (issued, type) =>
        policy.rangeDate(issued, type === 'permanentStorage' ? 'invoicing' : type),
    },
  },
  'queries.general.date-range/sent-by-its-subject': ofItsSubject('queries.general'),
  'queries.general.date-range/of-closed-sessions': ofClosedSessions('queries.general'),
} as const satisfies Readonly<Record<string, Mutant>>
