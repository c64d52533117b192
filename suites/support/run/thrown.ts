import type { TestInfo } from '@playwright/test'
import { inspect } from 'node:util'
import { outcomeOf } from '../../../lib/outcome.ts'
import type { FaultKind, Outcome } from '../../../lib/outcome.ts'
import { redactText } from '../../../lib/redact.ts'

/** What Playwright attaches to the errors of its assertions. */
interface Asserted {
  readonly matcherResult: {
    readonly expected?: unknown
    readonly actual?: unknown
    readonly fault?: FaultKind
    readonly due?: 'refusal'
  }
}

const isAssertion = (error: unknown): error is Error & Asserted =>
  error instanceof Error && 'matcherResult' in error && error.matcherResult !== undefined

const maxText = 1000

const escape = String.fromCharCode(27)
const colours = new RegExp(`${escape}\\[[0-9;]*m`, 'g')

/** A text as a report shows it: without terminal colours and secrets, shortened. */
export const shown = (text: string): string =>
  redactText(text.replaceAll(colours, '')).slice(0, maxText)

/** A value as a report shows it. */
export const shownValue = (value: unknown): string =>
  shown(
    typeof value === 'string'
      ? value
      : inspect(value, { depth: 6, breakLength: 160, maxArrayLength: 30, maxStringLength: 400 }),
  )

const firstLine = (message: string): string => shown(message).split('\n', 1)[0] ?? ''

/** The outcome of an error. Its type and the attached outcome decide; no message is read. */
export const outcomeOfError = (error: unknown): Outcome => {
  const attached = outcomeOf(error)
  if (attached !== undefined) return attached
  if (isAssertion(error)) {
    const { matcherResult: seen } = error
    return {
      kind: 'violated',
      reason: firstLine(error.message),
      ...('expected' in seen ? { expected: shownValue(seen.expected) } : {}),
      ...('actual' in seen ? { actual: shownValue(seen.actual) } : {}),
      ...(seen.fault === undefined ? {} : { fault: seen.fault }),
      ...(seen.due === undefined ? {} : { due: seen.due }),
    }
  }
  return {
    kind: 'broken',
    reason:
      error instanceof Error ? `${error.name}: ${firstLine(error.message)}` : shownValue(error),
  }
}

/** Playwright's own error for a check that ran out of time: what it was waiting for is known elsewhere. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && error.constructor.name === 'TimeoutManagerError'

/** The method of Playwright's test info that takes every error of a check. */
const hook = '_failWithError'

type Failing = Partial<Record<typeof hook, (error: unknown) => void>>

/**
 * The errors of a check as they were thrown. Playwright keeps only their texts, and a target could have written any
 * text itself, so we hook into Playwright's own bookkeeping (docs/decisions/0007-errors-as-thrown.md). If an upgrade
 * removes the method, every error is unknown and so `broken`.
 */
export const watchErrors = (info: TestInfo): (() => readonly Outcome[]) => {
  const seen: unknown[] = []
  const inner = info as unknown as Failing
  const original = inner[hook]
  if (original !== undefined)
    inner[hook] = (error) => {
      if (!isTimeout(error)) seen.push(error)
      original.call(info, error)
    }
  return () => {
    const outcomes = seen.map(outcomeOfError)
    if (original !== undefined || info.errors.length === 0) return outcomes
    return [{ kind: 'broken', reason: firstLine(info.errors[0]?.message ?? 'an unknown error') }]
  }
}
