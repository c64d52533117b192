import type { Exchange } from './exchange.ts'
import { redactText } from './redact.ts'

/**
 * A precondition was not reached: what was to be judged was never seen, so nothing is said about it.
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
    super(describe(step, expected, exchange), cause === undefined ? {} : { cause })
    this.step = step
    this.expected = expected
    this.exchange = exchange
  }
}

function describe(step: string, expected: string, exchange: Exchange | undefined): string {
  const wanted = `${step}: expected ${expected}`
  if (exchange === undefined) return wanted
  const { method, url } = exchange.request
  const [place = ''] = url.split('?', 1)
  return `${wanted}, got ${exchange.status} from ${method} ${redactText(place)}: ${redactText(exchange.text).slice(0, 400)}`
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
