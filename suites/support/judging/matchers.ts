import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { refusal } from '../../../contract/errors.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import { assumptionOf, stateOf } from '../../../contract/lifecycles.ts'
import type { Lifecycle, Refusal } from '../../../contract/types.ts'
import { readError } from '../../../lib/errors.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { leadsTo } from '../../../lib/lifecycle.ts'
import type { FaultKind } from '../../../lib/outcome.ts'
import { redactText } from '../../../lib/redact.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { expectations } from '../service/expectations.ts'
import { again, call, contract } from '../run/explain.ts'
import { passingQuickly } from './passing.ts'
import { noteRefusal } from '../coverage/refusals-seen.ts'
import { expect as base } from '../run/valued.ts'

/** The part of every status record that the contract specifies. */
export interface Reported {
  readonly status: {
    readonly code: number
    readonly description?: string | undefined
    readonly details?: readonly string[] | null
  }
}

/** How a piece of work ended: refused immediately (the answer), or later (the status record). */
export type WorkOutcome = Exchange | Reported

const isExchange = (outcome: WorkOutcome): outcome is Exchange => 'request' in outcome

/** The outcome of a state, from its code alone: single codes rest on assumptions, but their ranges always hold. */
export const outcomeOfCode = (code: number): 'pending' | 'success' | 'failure' =>
  code < 200 ? 'pending' : code < 300 ? 'success' : 'failure'

/** Whether a call succeeded, or the work that it started. */
export const wentWell = (outcome: WorkOutcome): boolean =>
  isExchange(outcome) ? outcome.status < 300 : outcomeOfCode(outcome.status.code) === 'success'

/** The row of a refusal in the dialect of the target. */
const refusalHere = (id: RefusalId): Refusal => ({
  ...refusal(id),
  ...expectations().dialect.refusals[id],
})

/** The codes that a refusal may have: if the operation documents codes of its own for it, those. */
const codesHere = (
  { operation }: Exchange,
  id: RefusalId,
  codes: readonly number[],
): readonly number[] => {
  const form = operation && expectations().dialect.operations[operation]
  const own = form !== undefined && 'codes' in form ? form.codes?.[id] : undefined
  // Codes below 1000 repeat the status of an answer that has no code.
  return own === undefined ? codes : [own, ...codes.filter((code) => code < 1_000)]
}

const result = (
  pass: boolean,
  expected: string,
  actual: string,
  where: string,
  fault?: FaultKind,
) => ({
  pass,
  expected: `${pass ? 'not ' : ''}${expected}`,
  actual,
  ...(pass || fault === undefined ? {} : { fault }),
  message: () =>
    [
      `Requirement ${pass ? 'wrongly met' : 'not met'}: ${contract()}`,
      `  Expected: ${pass ? 'not ' : ''}${expected}`,
      `  Received: ${actual}`,
      where,
      again(),
    ]
      .filter(Boolean)
      .join('\n'),
})

const seen = (exchange: Exchange): string => {
  const report = readError(exchange, expectations().dialect)
  const code = report === undefined ? '' : `, code ${report.code}`
  return `${exchange.status}${code} ${redactText(exchange.text).slice(0, 300)}`.trimEnd()
}

/** What is wrong with an answer that is not the refusal that was due. */
const unrefused = ({ status }: Exchange): FaultKind =>
  status < 300 ? 'missing refusal' : status < 500 ? 'wrong code' : 'server error'

/** The result where a refusal is due: an error of the service in its place violates the same rule. */
const refusalResult = (pass: boolean, expected: string, exchange: Exchange) => ({
  ...result(pass, expected, seen(exchange), call(exchange), unrefused(exchange)),
  due: 'refusal' as const,
})

/** What is wrong with an answer that is not the success that was due. */
const unsuccessful = ({ status }: Exchange): FaultKind =>
  status < 500 ? 'unexpected refusal' : 'server error'

const refusedImmediately = (exchange: Exchange, id: RefusalId) => {
  const row = refusalHere(id)
  const { statuses, codes: all } = row.answer ?? { statuses: [], codes: [] }
  const codes = codesHere(exchange, id, all)
  const report = readError(exchange, expectations().dialect)
  // The codes rest on a gap: a target that does not confirm it only has to return the right statuses.
  const codesBind = (row.assumes ?? []).every((gap) => expectations().confirms(gap))
  const pass =
    statuses.includes(exchange.status) &&
    (!codesBind || (report !== undefined && report.all.some(({ code }) => codes.includes(code))))
  const wanted = `${id}: status ${statuses.join(' or ')}${codesBind ? `, code ${codes.join(' or ')}` : ''} (${row.when})`
  if (pass) noteRefusal(id, exchange.operation)
  return refusalResult(pass, wanted, exchange)
}

/** Whether the call was refused immediately, as the row of the refusal states. */
export const isRefused = (exchange: Exchange, id: RefusalId): boolean =>
  refusedImmediately(exchange, id).pass

/** Whether the state codes of a lifecycle bind the target; else only pending (below 200), success and failure do. */
const statesBind = (lifecycle: Lifecycle): boolean =>
  expectations().confirms(assumptionOf[lifecycle])

const outcomeHere = (lifecycle: Lifecycle, code: number) =>
  stateOf(lifecycle, code)?.outcome ?? (statesBind(lifecycle) ? undefined : outcomeOfCode(code))

const endedIn = (reported: Reported, id: RefusalId) => {
  const row = refusalHere(id)
  const codes = row.state?.codes ?? []
  const of = row.state?.of
  // The codes rest on a gap: a target that does not confirm it only has to report some failure.
  const bind = (row.assumes ?? []).every((gap) => expectations().confirms(gap))
  const failed = !bind && of !== undefined && outcomeHere(of, reported.status.code) === 'failure'
  const { code, description, details } = reported.status
  const said = [description, ...(details ?? [])].filter(Boolean).join('; ')
  const pass = codes.includes(code) || failed
  if (pass) noteRefusal(id, undefined)
  return result(
    pass,
    `${id}: the ${of ?? 'work'} ends in ${bind ? `state ${codes.join(' or ')}` : 'a state of failure'} (${row.when})`,
    `state ${code}${said === '' ? '' : ` (${said})`}`,
    '',
    code < 300 ? 'missing refusal' : 'wrong code',
  )
}

/** The outcome of work in a word: `ok`, the first of these refusals that fits, or else what was seen. */
export const toldOf = (outcome: WorkOutcome, ...refusals: readonly RefusalId[]): string => {
  if (wentWell(outcome)) return 'ok'
  const rejected = (id: RefusalId) =>
    isExchange(outcome) ? refusedImmediately(outcome, id).pass : endedIn(outcome, id).pass
  const seenHere = () =>
    isExchange(outcome) ? `answered ${seen(outcome)}` : `state ${outcome.status.code}`
  return refusals.find(rejected) ?? seenHere()
}

const matchers = {
  /** The call is refused immediately, as the row of the refusal states. */
  toBeRefused: (exchange: Exchange, id: RefusalId) => refusedImmediately(exchange, id),

  /** The work is refused immediately, or ends in a state of failure, whichever the row allows. */
  toBeRejected: (outcome: WorkOutcome, id: RefusalId) =>
    isExchange(outcome) ? refusedImmediately(outcome, id) : endedIn(outcome, id),

  /** The call is refused with some 4xx: where the contract leaves open which. */
  toBeClientError(exchange: Exchange) {
    const pass = exchange.status >= 400 && exchange.status < 500
    return refusalResult(pass, 'a client error (4xx)', exchange)
  },

  /** The call is refused with this status: where the contract states no code. */
  toBeRefusedWith: (exchange: Exchange, status: number) =>
    refusalResult(exchange.status === status, `a refusal with status ${status}`, exchange),

  /** The call succeeds with the status of its operation. */
  toBeOk(exchange: Exchange, operation: OperationId | undefined = exchange.operation) {
    const { dialect } = expectations()
    const wanted = operation === undefined ? undefined : wireOperation(operation, dialect).status
    const pass = exchange.status >= 200 && exchange.status < 300
    const what = operation === undefined ? 'the call' : endpoint(operation).summary
    return result(
      pass,
      `${what}: success${wanted ? ` (${wanted})` : ''}`,
      seen(exchange),
      call(exchange),
      unsuccessful(exchange),
    )
  },

  /** The status record reports success. */
  toHaveSucceeded(reported: WorkOutcome, lifecycle: Lifecycle) {
    if (isExchange(reported))
      return result(
        false,
        `${lifecycle}: success`,
        seen(reported),
        call(reported),
        unsuccessful(reported),
      )
    const { code, description, details } = reported.status
    const pass = outcomeHere(lifecycle, code) === 'success'
    const said = [description, ...(details ?? [])].filter(Boolean).join('; ')
    return result(
      pass,
      `${lifecycle}: a state of success`,
      `state ${code} (${said})`,
      '',
      'unexpected refusal',
    )
  },

  /** The status record reports a state; a target with codes of its own has to report one that means the same. */
  toBeInState({ status: { code } }: Reported, lifecycle: Lifecycle, wanted: number) {
    const means = outcomeHere(lifecycle, wanted) ?? outcomeOfCode(wanted)
    const bind = statesBind(lifecycle)
    const pass = bind ? code === wanted : outcomeHere(lifecycle, code) === means
    const name = stateOf(lifecycle, wanted)?.name ?? ''
    return result(
      pass,
      bind ? `${lifecycle}: state ${wanted} (${name})` : `${lifecycle}: a state of ${means}`,
      `state ${code}`,
      '',
      'wrong code',
    )
  },

  /** The codes seen one after another follow the transitions of the lifecycle. */
  toMoveAlong(codes: readonly number[], lifecycle: Lifecycle) {
    const wrong = codes.findIndex((code, place) => {
      const state = stateOf(lifecycle, code)
      const before = place === 0 ? undefined : codes[place - 1]
      // A target with its own codes: work that has ended does not start again.
      if (!statesBind(lifecycle))
        return (
          before !== undefined &&
          outcomeHere(lifecycle, before) !== 'pending' &&
          outcomeHere(lifecycle, code) === 'pending'
        )
      if (state === undefined) return true
      return before !== undefined && !leadsTo(lifecycle, before, code)
    })
    return result(
      wrong === -1,
      `states of the ${lifecycle} that only move along its transitions`,
      `${codes.join(', ')}${wrong > 0 ? ` (from ${codes[wrong - 1]} to ${codes[wrong]})` : ''}`,
      '',
    )
  },
}

export const expect = passingQuickly(base.extend(matchers), matchers)
