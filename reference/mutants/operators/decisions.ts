import type { Question, Row } from './decision-rows.ts'
import type { Mutant, Place } from '../mutant.ts'
import { documentDecisions } from './document-decisions.ts'
import { loginDecisions } from './login-decisions.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'
import { rightsDecisions } from './rights-decisions.ts'

/** Decisions that are always taken one way: a check that is skipped, or that lets nothing pass. */

const rows = { ...loginDecisions, ...rightsDecisions, ...documentDecisions }
export const decisionRows = Object.entries(rows) as readonly (readonly [Question, Row])[]

/** Every decision between yes and no: always yes, always no, everywhere and in one place of several. */
export const fixedDecisions = (): Generated[] =>
  decisionRows.flatMap(([decision, { at = [], absentIn, ...broken }]) =>
    (['yes', 'no'] as const).flatMap((verdict) => {
      const rules = broken[verdict]
      if (rules === undefined) return []
      const policy = { [decision]: () => verdict === 'yes' }
      const absent = (place?: Place): Pick<Mutant, 'absentIn'> =>
        absentIn === undefined ? {} : { absentIn: (dialect) => absentIn(dialect, place) }
      return [
        generated('decision', `${decision}.${verdict}`, rules, { policy, ...absent() }),
        ...at.map((place) =>
          generated('decision', `${decision}.${verdict}.${place}`, rules, {
            at: [place],
            policy,
            ...absent(place),
          }),
        ),
      ]
    }),
  )
