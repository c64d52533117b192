import type { RefusalId } from '../../contract/errors.ts'
import { refusal } from '../../contract/errors.ts'
import { stateOf } from '../../contract/lifecycles.ts'
import type { Lifecycle, Refusal } from '../../contract/types.ts'
import { readError } from '../../lib/errors.ts'
import { succeeded } from '../../lib/exchange.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { leadsTo } from '../../lib/lifecycle.ts'
import { redactText } from '../../lib/redact.ts'
import type { Status } from '../../lib/flows/settle.ts'
import type { ModelRule } from './rules.ts'
import type { World } from './world.ts'

/** The target did something other than the model: under which rule, and what. */
export class Divergence extends Error {
  override readonly name = 'Divergence'
  readonly rule: ModelRule
  readonly expected: string
  readonly actual: string
  readonly exchange: Exchange | undefined

  constructor(rule: ModelRule, expected: string, actual: string, exchange?: Exchange) {
    super(`${rule}: expected ${expected}, got ${actual}`)
    this.rule = rule
    this.expected = expected
    this.actual = actual
    this.exchange = exchange
  }
}

/**
 * Compares one thing, and counts that it was compared.
 * @throws {Divergence} when it does not hold
 */
export const agree = (
  world: World,
  rule: ModelRule,
  holds: boolean,
  expected: string,
  actual: unknown,
  exchange?: Exchange,
): void => {
  world.judged.set(rule, (world.judged.get(rule) ?? 0) + 1)
  if (!holds) throw new Divergence(rule, expected, String(actual), exchange)
}

/** An answer on one line, without secrets. */
export const outcomeOf = (exchange: Exchange): string =>
  `${exchange.status} ${redactText(exchange.text).slice(0, 300)}`.trimEnd()

/**
 * The call must succeed.
 * @throws {Divergence} when it does not
 */
export const agreeOk = (world: World, rule: ModelRule, exchange: Exchange): Exchange => {
  const what = exchange.operation ?? 'the call'
  agree(world, rule, succeeded(exchange), `${what} succeeds`, outcomeOf(exchange), exchange)
  return exchange
}

const rowOf = (world: World, id: RefusalId): Refusal => ({
  ...refusal(id),
  ...world.client.dialect.refusals[id],
})

/** Whether an answer is a refusal of this kind. */
export const isRefusedAs = (world: World, exchange: Exchange, id: RefusalId): boolean => {
  const row = rowOf(world, id)
  const { statuses, codes } = row.answer ?? { statuses: [], codes: [] }
  const report = readError(exchange, world.client.dialect)
  // The numbers rest on a gap: a target that does not confirm them is held to the statuses alone.
  const codesBind = (row.assumes ?? []).every((gap) => world.confirms(gap))
  return (
    statuses.includes(exchange.status) &&
    (!codesBind || (report?.all.some(({ code }) => codes.includes(code)) ?? false))
  )
}

/**
 * The call must be refused, in one of the ways named.
 * @throws {Divergence} when it is not
 */
export const agreeRefused = (
  world: World,
  rule: ModelRule,
  exchange: Exchange,
  ...ids: readonly RefusalId[]
): void => {
  const fits = ids.some((id) => isRefusedAs(world, exchange, id))
  const wanted = ids.map((id) => `${id} (${rowOf(world, id).when})`).join(' or ')
  agree(world, rule, fits, `a refusal: ${wanted}`, outcomeOf(exchange), exchange)
}

/**
 * The work must end in a failure, in one of the ways named.
 * @throws {Divergence} when it does not
 */
export const agreeRejected = (
  world: World,
  rule: ModelRule,
  status: Pick<Status, 'code' | 'description'>,
  ids: readonly RefusalId[],
  exchange?: Exchange,
): void => {
  const codes = ids.flatMap((id) => rowOf(world, id).state?.codes ?? [])
  const wanted = `an end in state ${codes.join(' or ')} (${ids.join(' or ')})`
  const actual = `state ${status.code} (${status.description ?? ''})`
  agree(world, rule, codes.includes(status.code), wanted, actual, exchange)
}

/**
 * Adds a code to those that were seen before: it must be known, and reachable from the last one.
 * @throws {Divergence} when it does not
 */
export const agreeForward = (
  world: World,
  rule: ModelRule,
  lifecycle: Lifecycle,
  seen: number[],
  code: number,
  exchange?: Exchange,
): void => {
  const before = seen.at(-1)
  const forward =
    stateOf(lifecycle, code) !== undefined &&
    (before === undefined || leadsTo(lifecycle, before, code))
  const wanted =
    before === undefined
      ? `a state of the ${lifecycle} lifecycle`
      : `state ${before} of the ${lifecycle}, or one that it leads to`
  agree(world, rule, forward, wanted, `state ${code} after ${seen.join(', ') || 'none'}`, exchange)
  if (before !== code) seen.push(code)
}
