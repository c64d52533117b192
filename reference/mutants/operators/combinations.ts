import { combinedAnswers } from './combined-answers.ts'
import { combinedDecisions } from './combined-decisions.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** What is right for each facet of an invoice, and wrong where two of them meet, or a facet and a fault. */
export const combinedFacets = (): Generated[] =>
  Object.entries({ ...combinedDecisions, ...combinedAnswers }).flatMap(
    ([name, { rules, mutant, pairs }]) =>
      pairs.map((pair) => {
        const needs = pair.includes('alone') ? ({ needs: 'invoices.send' } as const) : {}
        return generated('combination', `${name}.${pair.join('.')}`, rules, {
          ...mutant(pair),
          ...needs,
        })
      }),
  )
