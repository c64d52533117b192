import type { RuleId } from '../../contract/rules.ts'
import { ruleIds, ruleRow } from '../../contract/rules.ts'
import { withSentDocuments } from './documents.ts'
import { exactlyOnce } from './exactly-once.ts'
import type { History } from './history.ts'
import { kept, neverResent } from './judges/duplicates.ts'
import { encryptionRight } from './judges/encryption.ts'
import { faultsSurvived } from './judges/faults.ts'
import { unknownIgnored } from './judges/fields.ts'
import { keysChosen, keysRotation } from './judges/keys.ts'
import { limitsRespected } from './judges/limits.ts'
import { issuedExactlyOnce } from './judges/exactly-once.ts'
import { unknownResolved } from './judges/outcome.ts'
import { pollingBounded } from './judges/polling.ts'
import { receiptFetched } from './judges/receipts.ts'
import { wellFormed } from './judges/requests.ts'
import { syncComplete, syncInterval } from './judges/sync.ts'
import { byStage, reauthenticated, refreshed } from './judges/tokens.ts'
import type { Judge, Opinion } from './opinion.ts'

/** The judge: a history in, opinions and verdicts out. Pure. */

export const judges = {
  'client.keys.rotation': keysRotation,
  'client.duplicates.never-resent': neverResent,
  'client.sync.interval': syncInterval,
  'client.limits.respected': limitsRespected,
  'client.tokens.by-stage': byStage,
  'client.tokens.refreshed': refreshed,
  'client.tokens.reauthenticated': reauthenticated,
  'client.keys.chosen': keysChosen,
  'client.encryption.right': encryptionRight,
  'client.polling.bounded': pollingBounded,
  'client.duplicates.kept': kept,
  'client.outcome.unknown-resolved': unknownResolved,
  'client.outcome.exactly-once': issuedExactlyOnce,
  'client.receipt.fetched': receiptFetched,
  'client.faults.survived': faultsSurvived,
  'client.fields.unknown-ignored': unknownIgnored,
  'client.sync.complete': syncComplete,
  'client.requests.well-formed': wellFormed,
} as const satisfies Partial<Record<RuleId, Judge>>

/** Rules that bind a client. */
export const clientRules: readonly RuleId[] = ruleIds.filter((id) => id.startsWith('client.'))

/** The opinions of every judge on one history. */
export function judgeHistory(given: History): readonly Opinion[] {
  const history = withSentDocuments(given)
  const own = withoutConsequences(
    Object.values(judges).flatMap((judge): readonly Opinion[] => judge(history)),
  )
  const found = exactlyOnce(history)
  const harms = atTheirCause(found, own)
  // A rule under which a document came to harm is not kept, whatever else the steps show.
  const harmed = new Set([...found, ...harms].map(({ rule }) => rule))
  return [...harms, ...own.filter(({ rule, verdict }) => verdict === 'fail' || !harmed.has(rule))]
}

/** What a client omits because a request was refused as malformed is not a separate finding. */
function withoutConsequences(own: readonly Opinion[]): readonly Opinion[] {
  const isStopped = own.some(
    ({ rule, verdict }) => rule === 'client.requests.well-formed' && verdict === 'fail',
  )
  return isStopped
    ? own.filter(({ rule, verdict }) => verdict !== 'fail' || !consequences.has(rule))
    : own
}

const consequences: ReadonlySet<RuleId> = new Set([
  'client.receipt.fetched',
  'client.sync.complete',
])

/** Rules whose violation alone can lose documents. */
const causes: ReadonlySet<RuleId> = new Set([
  'client.encryption.right',
  'client.keys.chosen',
  'client.keys.rotation',
  'client.tokens.by-stage',
  'client.tokens.refreshed',
  'client.tokens.reauthenticated',
  'client.outcome.unknown-resolved',
  'client.duplicates.never-resent',
  'client.requests.well-formed',
])

/** Rules whose breach the steps prove, however slow the machine was. */
const timeless: ReadonlySet<RuleId> = new Set([
  'client.encryption.right',
  'client.keys.chosen',
  'client.tokens.by-stage',
  'client.outcome.unknown-resolved',
  'client.duplicates.never-resent',
  'client.requests.well-formed',
])

/** A conviction that a machine too slow for the lifetimes of an ordeal may have caused. */
export const needsTime = ({ rule, verdict }: Opinion): boolean =>
  verdict === 'fail' && !timeless.has(rule)

/** If the steps explain harm by a violation of another rule, it is recorded under that rule, not the tested one. */
function atTheirCause(harms: readonly Opinion[], own: readonly Opinion[]): readonly Opinion[] {
  const cause =
    own.find(
      ({ rule, verdict, explains }) =>
        verdict === 'fail' && (causes.has(rule) || explains === true),
    ) ?? harms.find(({ rule }) => rule === 'client.duplicates.never-resent')
  if (cause === undefined) return harms
  return harms.map((harm) => ({ ...harm, rule: cause.rule, variant: cause.variant }))
}

export type ClientVerdict =
  | 'pass'
  | 'fail'
  | 'warn'
  | 'not-exercised'
  | 'not-verifiable'
  | 'inconclusive'

/** An opinion, and the examination that it comes from. */
export interface Placed extends Opinion {
  readonly ordeal: string
}

export interface RuleVerdict {
  readonly rule: RuleId
  readonly verdict: ClientVerdict
  readonly reason: string
  /** Convictions, the first of each kind first. */
  readonly convictions: readonly Placed[]
  /** Ordeals in which the rule held. */
  readonly heldIn: readonly string[]
}

const precedence: readonly Opinion['verdict'][] = [
  'fail',
  'pass',
  'not-verifiable',
  'not-exercised',
]

/** One verdict for each client rule over all histories. A conviction outweighs everything else. */
export function verdictsOf(
  opinions: readonly Placed[],
  { strict, rules = clientRules }: { readonly strict: boolean; readonly rules?: readonly RuleId[] },
): RuleVerdict[] {
  return rules.map((rule) => {
    const own = opinions.filter((opinion) => opinion.rule === rule)
    const found = precedence.find((verdict) => own.some((one) => one.verdict === verdict))
    const first = own.find(({ verdict }) => verdict === found)
    // Harm to an invoice is never a mere warning, whatever the level of the rule.
    const isHarmful = own.some(({ verdict, document }) => verdict === 'fail' && document)
    const isMild = ruleRow(rule).level !== 'MUST' && !strict && !isHarmful
    return {
      rule,
      verdict: found === undefined ? 'not-exercised' : found === 'fail' && isMild ? 'warn' : found,
      reason: first?.reason ?? 'no ordeal that exercises it was run',
      // What the client did comes before what became of each document.
      convictions: own
        .filter(({ verdict }) => verdict === 'fail')
        .toSorted((a, b) => Number(a.document !== undefined) - Number(b.document !== undefined)),
      heldIn: [
        ...new Set(own.filter(({ verdict }) => verdict === 'pass').map(({ ordeal }) => ordeal)),
      ],
    }
  })
}
