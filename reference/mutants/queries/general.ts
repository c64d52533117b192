import type { Mutant } from '../mutant.ts'
import { bodies } from '../rewrite.ts'

/** Defects of the general query. */
export const queriesGeneralMutants = {
  'queries.general.date-range/general-finds-nothing': bodies(['queries.general'], { invoices: [] }),
} as const satisfies Readonly<Record<string, Mutant>>
