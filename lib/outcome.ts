import type { Exchange } from './exchange.ts'
import type { Lifecycle } from '../contract/types.ts'
import { redactText } from './redact.ts'

/** How a check ended, before `lib/verdict.ts` decides what that means for the target. */
export type OutcomeKind =
  /** Every assertion held. */
  | 'held'
  /** An assertion did not hold. */
  | 'violated'
  /** A precondition was not reached, so the behaviour under test was not observed. */
  | 'inconclusive'
  /** The tool itself failed. */
  | 'broken'
  /** The target does not offer something that the check needs. */
  | 'not-verifiable'
  /** The dialect does not have the rule, or replaces it. */
  | 'not-applicable'

/** Kinds of fault, where the code that throws knows it. */
const faultKinds = [
  'missing refusal',
  'unexpected refusal',
  'wrong code',
  'shape',
  'server error',
  'environment',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** An outcome with its evidence. The code that throws attaches it; no message is parsed for it. */
export interface Outcome {
  readonly kind: OutcomeKind
  readonly reason?: string
  readonly expected?: string
  readonly actual?: string
  /** The cause, in words that are identical for identical causes: no ids, no texts of the target. */
  readonly cause?: string
  readonly fault?: FaultKind
  /** What should have been answered. */
  readonly due?: 'refusal'
  /** What probably went wrong, in a sentence. */
  readonly likely?: string
  /** No answer came: for example `ECONNRESET`. */
  readonly unreachable?: string
  /** Capabilities that the target lacks. */
  readonly needs?: readonly string[]
  /** Work of this kind had not ended after more of the target's own time than it may take. */
  readonly unended?: Lifecycle
  /** Status of the answer that the outcome rests on. */
  readonly status?: number
}

const outcomes = new WeakMap<object, Outcome>()

/** Attaches an outcome to an error, and returns the error. */
export const withOutcome = <E extends Error>(error: E, outcome: Outcome): E => {
  outcomes.set(error, outcome)
  return error
}

/** The outcome that was attached to an error; undefined when there is none. */
export const outcomeOf = (error: unknown): Outcome | undefined =>
  typeof error === 'object' && error !== null ? outcomes.get(error) : undefined

/**
 * A precondition was not reached: the behaviour under test was not observed, so there is no verdict about it.
 * Flows throw it; calls never do.
 */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'
  /** The step of the flow that failed, for example `open an interactive session`. */
  readonly step: string
  /** What the step needed, for example `201`. */
  readonly expected: string
  readonly exchange: Exchange | undefined

  constructor(step: string, expected: string, exchange?: Exchange, cause?: unknown) {
    const actual = exchange === undefined ? undefined : answerOf(exchange)
    const wanted = `${step}: expected ${expected}`
    super(
      actual === undefined ? wanted : `${wanted}, got ${actual}`,
      cause === undefined ? {} : { cause },
    )
    this.step = step
    this.expected = expected
    this.exchange = exchange
    withOutcome(this, {
      kind: 'inconclusive',
      reason: this.message.slice(0, 500),
      expected: `${step}: ${expected}`,
      ...(actual === undefined ? {} : { actual }),
      ...(exchange === undefined ? {} : { status: exchange.status }),
      cause: causeOf(step, expected, exchange),
    })
  }
}

function causeOf(step: string, expected: string, exchange: Exchange | undefined): string {
  if (exchange === undefined) return `${step}: expected ${expected}`
  const { operation, request, status } = exchange
  return `${step}: expected ${expected}, got ${status} from ${operation ?? request.method}`
}

function answerOf({ request, status, text }: Exchange): string {
  const [place = ''] = request.url.split('?', 1)
  return `${status} from ${request.method} ${redactText(place)}: ${redactText(text).slice(0, 400)}`
}

/**
 * The exchange itself when it succeeded (2xx).
 * @throws {Inconclusive} otherwise, naming the step
 */
export function expectOk(exchange: Exchange, step: string): Exchange {
  if (exchange.status >= 200 && exchange.status < 300) return exchange
  throw new Inconclusive(step, 'a success (2xx)', exchange)
}

/**
 * The JSON object of a successful answer.
 * @throws {Inconclusive} when the call failed or the body is no JSON object
 */
export function expectObject(exchange: Exchange, step: string): Record<string, unknown> {
  const { body } = expectOk(exchange, step)
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Record<string, unknown>
  }
  throw new Inconclusive(step, 'a JSON object', exchange)
}

/**
 * A non-empty string at a path of field names below the body of a successful answer.
 * @throws {Inconclusive} when it is not there
 */
export function expectText(exchange: Exchange, step: string, ...path: string[]): string {
  let value: unknown = expectObject(exchange, step)
  for (const name of path) {
    value =
      typeof value === 'object' && value !== null
        ? (value as Record<string, unknown>)[name]
        : undefined
  }
  if (typeof value === 'string' && value !== '') return value
  throw new Inconclusive(step, `a text at \`${path.join('.')}\``, exchange)
}
