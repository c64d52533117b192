import { ruleIds } from '../../contract/rules.ts'
import type { RuleId } from '../../contract/rules.ts'
import { JsonFileError, readJsonFile } from './json-file.ts'

/** One failure that is known and accepted for now: the check still runs, and must still fail. */
export interface KnownFailure {
  readonly rule: RuleId
  /** The check's own; absent for a check without one. */
  readonly variant?: string
  /** Why it is accepted, for example the number of an issue. */
  readonly reason: string
  /** Last day (UTC) of a quarantine: until then the check may fail or pass, afterwards a failure counts. */
  readonly until?: string
}

export interface Baseline {
  readonly entries: readonly KnownFailure[]
  /** The entry for a check, whether or not its quarantine has ended; undefined when there is none. */
  find(rule: RuleId, variant: string | undefined): KnownFailure | undefined
}

/** The file is not a baseline; the message says what is wrong. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError'
}

const baselineSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Known failures',
  type: 'object',
  required: ['known'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    known: {
      type: 'array',
      items: {
        type: 'object',
        required: ['rule', 'reason'],
        additionalProperties: false,
        properties: {
          rule: { enum: ruleIds },
          variant: { type: 'string', minLength: 1 },
          reason: { type: 'string', minLength: 3 },
          until: { type: 'string', format: 'date' },
        },
      },
    },
  },
} as const

const day = 86_400_000

/** Whether the quarantine of an entry has ended; one without an end never does. */
export const hasEnded = ({ until }: KnownFailure, now: number): boolean =>
  until !== undefined && now >= Date.parse(until) + day

const key = (rule: string, variant: string | undefined): string => `${rule} / ${variant ?? ''}`

/**
 * Reads a baseline.
 * @throws {BaselineError} when it cannot be read, is not valid, or lists a check twice
 */
export function readBaseline(path: string): Baseline {
  try {
    const value = readJsonFile({ path, what: 'a baseline', schema: baselineSchema })
    return toBaseline((value as { readonly known: readonly KnownFailure[] }).known, path)
  } catch (error) {
    if (error instanceof JsonFileError) throw new BaselineError(error.message, { cause: error })
    throw error
  }
}

/** No failure is known. */
export const emptyBaseline: Baseline = { entries: [], find: () => undefined }

function toBaseline(entries: readonly KnownFailure[], path: string): Baseline {
  const known = new Map<string, KnownFailure>()
  for (const entry of entries) {
    const place = key(entry.rule, entry.variant)
    if (known.has(place)) throw new BaselineError(`${path} lists ${place} twice`)
    known.set(place, entry)
  }
  return { entries, find: (rule, variant) => known.get(key(rule, variant)) }
}
