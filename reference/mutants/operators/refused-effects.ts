import type { RefusalId } from '../../../contract/errors.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import type { Question } from './decision-rows.ts'
import { decisionRows } from './decisions.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'
import { absenceOf } from './refusals.ts'

/** Calls that are refused, as they should be, and nevertheless have the effect that they ask for. */

const doneAnyway = (decision: Question): Mutant => {
  const decide = policy[decision] as (...given: unknown[]) => boolean
  let insists = false
  return {
    policy: {
      [decision]: (...given: unknown[]) => insists || decide(...given),
    },
    async call(call, next) {
      try {
        return await next(call)
      } catch (refusal) {
        insists = true
        try {
          await next(call)
        } catch {
          // Refused for another reason as well.
        } finally {
          insists = false
        }
        throw refusal
      }
    },
  }
}

/** Decisions that refuse calls whose effect would be visible. */
const visible: ReadonlySet<Question> = new Set<Question>([
  'redeemAllowed',
  'loginMayBeEnded',
  'tokenPermissionsFit',
  'tokenContextFits',
  'tokenMayBeRevoked',
  'revocationInContext',
  'csrSubjectFits',
  'csrKeyFits',
  'enrollmentHasRoom',
  'certificateHasRoom',
  'certificateRevocable',
  'revocationMethodFits',
  'subjectCreatable',
  'schemaInForce',
  'sessionKeyFits',
  'initVectorFits',
  'sessionIsOfContext',
  'sessionIsOfSubject',
  'sessionTakesInvoices',
  'sessionHasRoom',
  'encryptedHashMatches',
  'encryptedSizeMatches',
  'everyPartNeeded',
  'partHashFits',
  'partsFit',
  'partSizeFits',
  'packageFits',
])

/** Those that are decided after the call in some dialects. */
const refusedAs: Partial<Record<Question, RefusalId>> = {
  sessionKeyFits: 'session-key-refused',
  initVectorFits: 'session-key-refused',
  partHashFits: 'part-refused',
}

export const refusedEffects = (): Generated[] =>
  decisionRows.flatMap(([decision, { yes, absentIn }]) =>
    yes === undefined || !visible.has(decision)
      ? []
      : [
          generated('done-anyway', decision, yes, {
            ...doneAnyway(decision),
            absentIn: (dialect) => {
              const refusal = refusedAs[decision]
              return absentIn?.(dialect) ?? (refusal && absenceOf(refusal)(dialect))
            },
          }),
        ],
  )
