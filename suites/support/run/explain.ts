import { test } from '@playwright/test'
import type { Exchange } from '../../../lib/exchange.ts'
import { curl } from '../../../lib/node/record.ts'
import { replayOf } from '../checks/replay.ts'
import { noteOf, notes, subjectOf } from '../checks/rule.ts'

const annotations = () => {
  try {
    return test.info().annotations
  } catch {
    return []
  }
}

/** The sentence and the clause of the rule that the running check belongs to. */
export const contract = (): string => {
  const sentence = noteOf(annotations(), notes.sentence)
  const clause = noteOf(annotations(), notes.clause)
  return [sentence ?? 'no rule', clause && `(${clause})`].filter(Boolean).join(' ')
}

/** The call as a curl command with redacted secrets. */
export const call = (exchange: Exchange): string => `  call: ${curl(exchange)}`

/** Notes an observation, for rules that are observed and not failed. */
export const observe = (seen: string): void => {
  test.info().annotations.push({ type: notes.seen, description: seen })
}

/** How to run the check again; `sequence` is the one sequence of the model that is to be made. */
export const again = (sequence?: string): string => {
  const subject = subjectOf(annotations())
  return subject === undefined ? '' : `  replay: ${replayOf(subject, sequence)}`
}
