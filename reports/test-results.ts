import type { TestCase, TestError, TestResult } from '@playwright/test/reporter'
import { redactText } from '../lib/redact.ts'
import type { Finding, RecordedExchange } from './finding.ts'
import type { PlannedCheck } from './plan.ts'

/** What Playwright says of tests that ended, in the words of findings. */

/** What a test or its result is annotated with. */
export const note = (
  { annotations }: Pick<TestResult, 'annotations'>,
  test: TestCase,
  type: string,
): string | undefined =>
  [...annotations, ...test.annotations].find((annotation) => annotation.type === type)?.description

/** The exchanges that a check has attached. */
export const exchangesOf = (result: TestResult): readonly RecordedExchange[] | undefined => {
  const body = result.attachments.find(({ name }) => name === 'exchanges')?.body
  return body === undefined ? undefined : (JSON.parse(body.toString()) as RecordedExchange[])
}

const escape = String.fromCharCode(27)
const colours = new RegExp(`${escape}\\[[0-9;]*m`, 'g')

/** The message of an error, without colours and secrets. */
export const messageOf = (error: TestError | undefined): string =>
  redactText((error?.message ?? error?.value ?? 'no error was reported').replaceAll(colours, ''))

/** The check that a test runs; undefined for a test of the toolkit itself. */
export const plannedOf = (test: TestCase): PlannedCheck | undefined => {
  const rule = note({ annotations: [] }, test, 'rule')
  const variant = note({ annotations: [] }, test, 'variant')
  const mutant = note({ annotations: [] }, test, 'mutant')
  return rule === undefined
    ? undefined
    : {
        rule,
        check: test.title,
        ...(variant === undefined ? {} : { variant }),
        ...(mutant === undefined ? {} : { mutant }),
      }
}

/** The finding of a check that ended before it could be assessed: its worker died, or a fixture did. */
export const unjudged = (planned: PlannedCheck, result: TestResult): Finding => ({
  rule: planned.rule,
  check: planned.check,
  ...(planned.variant === undefined ? {} : { variant: planned.variant }),
  verdict: 'broken',
  ms: result.duration,
  reason: messageOf(result.errors[0]).split('\n').slice(0, 6).join('\n'),
})

/** A finding with the start time and the worker of its check. */
export const placed = (finding: Finding, { startTime, parallelIndex }: TestResult): Finding => ({
  ...finding,
  started: startTime.toISOString(),
  worker: parallelIndex,
})
