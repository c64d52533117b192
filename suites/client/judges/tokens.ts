import { endpoint } from '../../../contract/endpoints.ts'
import type { Bearer } from '../../../contract/types.ts'
import type { BearerKind, History, Step } from '../history.ts'
import type { Opinion } from '../opinion.ts'
import { convicted, notExercised, passed } from '../opinion.ts'

/** Which token the client sends where, and what it does when one expires. */

/** Tokens that may be sent with an operation. On public operations of the service any is superfluous, not wrong. */
const fitting: Readonly<Record<Bearer, readonly BearerKind[] | undefined>> = {
  none: undefined,
  authentication: ['authentication'],
  access: ['access'],
  refresh: ['refresh'],
  'refresh-or-access': ['refresh', 'access'],
  link: ['none'],
}

/** Calls that were on their way when the answer was delivered, ms. */
const inFlight = 250

export function byStage({ steps }: History): Opinion[] {
  const rule = 'client.tokens.by-stage'
  const wrong: Opinion[] = []
  let right: number | undefined
  for (const step of steps) {
    if (step.misplaced.length > 0)
      wrong.push(
        convicted(rule, `${step.operation ?? step.path}: ${step.misplaced.join(', ')}`, [step.n], {
          advice: 'send tokens in the Authorization header only',
        }),
      )
    if (step.operation === undefined) continue
    const allowed = fitting[endpoint(step.operation).bearer]
    if (allowed === undefined || step.bearer === 'unknown') continue
    if (allowed.includes(step.bearer)) {
      right ??= step.n
      continue
    }
    // Receipt links take a token in one dialect and none in the other.
    if (step.operation === 'receipts.link') continue
    // A call without any token shows none where it does not belong.
    if (step.bearer === 'none') continue
    wrong.push(
      convicted(
        rule,
        `${step.operation} was called with the ${step.bearer} token; it takes ${allowed[0] === 'none' ? 'none' : `the ${allowed.join(' or ')} token`}`,
        [step.n],
        {
          advice:
            allowed[0] === 'none'
              ? 'a signed address needs no token, and its host may be a third party'
              : `use the ${allowed[0]} token here`,
        },
      ),
    )
  }
  if (wrong.length > 0) return wrong
  return [
    right === undefined
      ? notExercised(rule, 'the client used no token')
      : passed(rule, 'every token where it belongs', [right]),
  ]
}

const ends = (steps: readonly Step[], epoch: number | undefined): number[] =>
  epoch === undefined
    ? []
    : steps.flatMap(({ facts }) =>
        typeof facts['accessUntil'] === 'number' ? [facts['accessUntil'] - epoch] : [],
      )

const isExpired = ({ refusal, outcome, fault }: Step): boolean =>
  outcome === 'fail' && fault === undefined && refusal === 'expired-token'

const isTurnedAway = ({ bearer, outcome, status, fault, operation }: Step): boolean =>
  bearer === 'access' &&
  outcome === 'fail' &&
  fault === undefined &&
  operation !== undefined &&
  // Where an access token does not belong, its refusal says nothing about its age.
  fitting[endpoint(operation).bearer]?.includes('access') === true &&
  (status === 401 || status === 403)

export function refreshed({ steps, epoch }: History): Opinion[] {
  const rule = 'client.tokens.refreshed'
  const turnedAway = steps.filter((step) => isExpired(step) || isTurnedAway(step))
  for (const first of turnedAway) {
    const again = steps.filter(
      (step) =>
        step.bearerId === first.bearerId &&
        step.operation === first.operation &&
        step.at > first.ended + inFlight &&
        isTurnedAway(step),
    )
    if (again.length >= 2)
      return [
        convicted(
          rule,
          `the service refused the access token on ${first.operation}; the client showed the same token ${again.length} times more`,
          [first.n, ...again.slice(0, 3).map(({ n }) => n)],
          { advice: 'refresh the access token, or authenticate anew, before the next call' },
        ),
      ]
  }
  const renewed = steps.find(
    ({ operation, outcome }, place) =>
      outcome === 'ok' &&
      (operation === 'auth.refresh' ||
        (operation === 'auth.redeem' &&
          steps.slice(0, place).some((one) => one.operation === 'auth.redeem'))),
  )
  const lived = ends(steps, epoch).some((end) => steps.some(({ at }) => at > end))
  if (renewed === undefined)
    return [
      notExercised(
        rule,
        lived
          ? 'the client made no call after its token ended'
          : 'no access token ended while the client ran',
      ),
    ]
  return [passed(rule, 'the client went on with a new access token', [renewed.n])]
}

export function reauthenticated({ steps }: History): Opinion[] {
  const rule = 'client.tokens.reauthenticated'
  const ended = steps.find(
    ({ refusal, operation, bearer, outcome, status, fault }) =>
      refusal === 'expired-authentication-token' ||
      ((operation === 'auth.status' || operation === 'auth.redeem') &&
        bearer === 'authentication' &&
        outcome === 'fail' &&
        fault === undefined &&
        (status === 401 || status === 403)),
  )
  if (ended === undefined)
    return [notExercised(rule, 'no authentication token ran out while the client ran')]
  const again = steps.find(
    ({ operation, at }) =>
      at >= ended.at && (operation === 'auth.token' || operation === 'auth.xades'),
  )
  if (again === undefined)
    return [
      convicted(
        rule,
        'the authentication token ran out before it was redeemed, and the client did not authenticate again',
        [ended.n],
        { advice: 'begin with a new challenge when the authentication token is refused' },
      ),
    ]
  return [passed(rule, 'the client began again', [ended.n, again.n])]
}
