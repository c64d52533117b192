import type { TestInfo } from '@playwright/test'
import { endpoint } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { recorded } from '../../../lib/node/record.ts'
import type { RecordedCall } from '../../../lib/node/record.ts'
import { redactText } from '../../../lib/redact.ts'
import type { Verdict } from '../../../lib/verdict.ts'
import { knownAnswers, knownFailure } from '../service/baseline.ts'
import { answersOf, faultsOf } from '../answers/conformity.ts'
import { answerRules, contradictionsIn } from './contradictions.ts'
import { replayOf } from '../checks/replay.ts'
import { notes, rowOf } from '../checks/rule.ts'
import { runOptions } from '../checks/run-options.ts'
import { wrongLifetimes } from './stated-lifetimes.ts'
import type { Target } from '../service/target.ts'
import { verdictOn } from '../service/target.ts'
import { wrongRows } from './wrong-rows.ts'

/** Faults of answers that a check met by the way: their own rule owns them, not the check. */
export interface ConformityNote {
  readonly rule: RuleId
  /** The operation whose answers have it. */
  readonly operation: string
  readonly verdict: Verdict
  /** How many answers of this check have it. */
  readonly answers: number
  /** Empty where the baseline lists faults that these answers do not have. */
  readonly faults: readonly string[]
  readonly cause?: string
  readonly level: string
  readonly replay: string
  readonly known?: string
  /** The first of these answers. */
  readonly exchange: RecordedCall
}

const maxFaults = 8

const operationOf = ({ operation, request }: Exchange): string =>
  operation ?? `${request.method} outside the contract`

const noteOn = (target: Target, rule: RuleId, exchange: Exchange) => {
  const operation = operationOf(exchange)
  const own = exchange.operation === undefined ? undefined : endpoint(exchange.operation)
  const variant = answersOf(operation)
  const row = rowOf(rule, variant)
  const known = knownFailure(rule, variant)
  return {
    rule,
    operation,
    level: row.level,
    replay: replayOf({ rule, variant, mutant: undefined }),
    verdict: verdictOn(
      target,
      'violated',
      { ...row, assumes: [...(row.assumes ?? []), ...(own?.assumes ?? [])] },
      { strict: runOptions.strict, known: known !== undefined },
    ),
    ...(known === undefined ? {} : { known: known.reason }),
  }
}

/** Collects the faults in the answers that a check has seen, one note per rule and operation. */
export const conformityOf = (
  exchanges: readonly Exchange[],
  target: Target,
): readonly ConformityNote[] => {
  const found = new Map<string, ConformityNote>()
  const faults = [
    ...exchanges.flatMap((exchange) =>
      [...faultsOf(exchange, target.dialect), ...wrongLifetimes(exchange)].map((fault) => ({
        ...fault,
        exchange,
      })),
    ),
    ...contradictionsIn(exchanges),
    ...wrongRows(exchanges, target.dialect),
  ]
  for (const { rule, text, cause, exchange } of faults) {
    const operation = operationOf(exchange)
    const key = `${rule} ${operation}`
    const before =
      found.get(key) ??
      ({
        ...noteOn(target, rule, exchange),
        answers: 0,
        faults: [],
        cause,
        exchange: recorded(exchange),
      } satisfies ConformityNote)
    const fault = redactText(text)
    const { faults: known } = before
    const more = known.includes(fault) || known.length >= maxFaults ? known : [...known, fault]
    found.set(key, { ...before, answers: before.answers + 1, faults: more })
  }
  return [...found.values()]
}

/** Answers of this check that conform although the baseline lists their operation, one note per entry. */
export const conformingOf = (
  exchanges: readonly Exchange[],
  target: Target,
): readonly ConformityNote[] =>
  answerRules.flatMap((rule) =>
    knownAnswers(rule).flatMap((operation) => {
      const answers = exchanges.filter(
        (exchange) =>
          operationOf(exchange) === operation && exchange.status >= 200 && exchange.status < 300,
      )
      const [exchange] = answers
      if (exchange === undefined) return []
      const note = noteOn(target, rule, exchange)
      return { ...note, answers: answers.length, faults: [], exchange: recorded(exchange) }
    }),
  )

/** Leaves the faults for the reporter, which makes one finding of those of the whole run. */
export const noteConformity = (info: TestInfo, found: readonly ConformityNote[]): void => {
  if (found.length > 0)
    info.annotations.push({ type: notes.conformity, description: JSON.stringify(found) })
}
