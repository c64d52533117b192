import type { History, Step } from '../history.ts'
import type { Opinion } from '../opinion.ts'
import { convicted, notExercised, notVerifiable, passed } from '../opinion.ts'

/** Which keys the client encrypts with. */

const encrypting: ReadonlySet<string> = new Set([
  'auth.token',
  'sessions.openOnline',
  'sessions.openBatch',
  'exports.create',
])
const usageOf = ({ operation }: Step): string =>
  operation === 'auth.token' ? 'SvcTokenEncryption' : 'SymmetricKeyEncryption'

const isEncrypting = ({ operation }: Step): boolean =>
  operation !== undefined && encrypting.has(operation)

const keyRefusals: ReadonlySet<string> = new Set([
  'session-key-refused',
  'public-key-unknown',
  'token-refused',
])

const isKeyRefused = (step: Step): boolean =>
  isEncrypting(step) &&
  step.fault === undefined &&
  // A token that was sent as it is was not encrypted with any key.
  step.misplaced.length === 0 &&
  step.isMisencrypted !== true &&
  ((step.refusal !== undefined && keyRefusals.has(step.refusal)) ||
    (step.refusal === undefined && step.outcome === 'fail' && step.code === 415))

const isListRead = ({ operation, outcome }: Step): boolean =>
  operation === 'keys.list' && outcome === 'ok'

const rotationBetween = ({ events }: History, from: number, to: number, usage: string): boolean =>
  events.some(
    ({ kind, at, subject }) =>
      kind === 'keys-rotated' &&
      at >= from &&
      at <= to &&
      (subject === undefined || subject === usage),
  )

export function keysChosen(history: History): Opinion[] {
  const rule = 'client.keys.chosen'
  const uses = history.steps.filter(isEncrypting)
  if (uses.length === 0) return [notExercised(rule, 'the client encrypted nothing')]
  // A recording may begin after the client has read the list.
  const isWhole = history.source === 'journal'
  if (!isWhole && !history.steps.some(isListRead))
    return [notVerifiable(rule, 'the recording does not show how the client came to its keys')]
  const wrong = uses.flatMap((step): Opinion[] => {
    const read = history.steps.findLast((one) => isListRead(one) && one.n < step.n)
    if (read === undefined && !isWhole) return []
    if (read === undefined)
      return [
        convicted(
          rule,
          `the client encrypted for ${step.operation} before it had read the list of certificates`,
          [step.n],
          { advice: 'read /security/public-key-certificates before each encryption, or daily' },
        ),
      ]
    if (!isKeyRefused(step) || rotationBetween(history, read.at, step.ended, usageOf(step)))
      return []
    return [
      convicted(
        rule,
        `the service could not open what the client encrypted for ${step.operation}: ${step.details?.join('; ') || 'the key does not fit purpose and date'}`,
        [read.n, step.n],
        { advice: `choose the entry with the usage ${usageOf(step)} that is valid now` },
      ),
    ]
  })
  if (wrong.length > 0) return wrong
  const good = uses.filter(
    ({ outcome, isMisencrypted }) => outcome === 'ok' && isMisencrypted !== true,
  )
  if (good.length === 0) return [notExercised(rule, 'no encryption was accepted')]
  return [passed(rule, `${good.length} encryptions with a key that fits`, [good[0]!.n])]
}

/**
 * Whether the client could know, before another step, that its key was refused: some answers carry a status only.
 */
const isNoticed = (steps: readonly Step[], refused: Step, before: Step): boolean =>
  refused.outcome !== 'ok' ||
  steps.some(
    ({ n, session, outcome, code }) =>
      n > refused.n &&
      n < before.n &&
      session === refused.facts['opened'] &&
      (outcome === 'fail' || (code ?? 0) >= 400),
  )

export function keysRotation(history: History): Opinion[] {
  const rule = 'client.keys.rotation'
  const rotations = history.events.filter(({ kind }) => kind === 'keys-rotated')
  if (rotations.length === 0)
    return [
      history.source === 'journal'
        ? notExercised(rule, 'no key was rotated while the client ran')
        : notVerifiable(rule, 'a recording does not show when the service rotates its keys'),
    ]
  const opinions: Opinion[] = []
  for (const { at, subject } of rotations) {
    const later = history.steps.filter(
      (step) =>
        isEncrypting(step) && step.at >= at && (subject === undefined || usageOf(step) === subject),
    )
    const refused = later.filter(isKeyRefused)
    const stubborn = refused.find((step, place) => {
      const previous = refused[place - 1]
      return (
        previous !== undefined &&
        isNoticed(history.steps, previous, step) &&
        !history.steps.some((one) => isListRead(one) && one.at >= previous.at && one.at <= step.at)
      )
    })
    if (stubborn !== undefined) {
      opinions.push(
        convicted(
          rule,
          `after the rotation of ${subject ?? 'a key'} the client used the retired key again, without reading the list anew`,
          refused.map(({ n }) => n),
          { advice: 'read the list of certificates again when the service refuses a key' },
        ),
      )
      continue
    }
    const good = later.find(({ outcome }) => outcome === 'ok')
    if (good !== undefined)
      opinions.push(
        passed(rule, `the client encrypted with the new key after the rotation`, [good.n]),
      )
  }
  return opinions.length > 0
    ? opinions
    : [notExercised(rule, 'the client encrypted nothing after the rotation')]
}
