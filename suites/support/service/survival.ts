import type { Outcome } from '../../../lib/outcome.ts'
import type { Ledger } from '../run/ledger.ts'
import type { Subject } from '../checks/rule.ts'
import { rowOf } from '../checks/rule.ts'
import type { Target } from './target.ts'
import { sleep } from '../../../lib/poll.ts'

const looks = 3
const pauseMs = 1_000

/** Whether the service answers anything at all. */
const answers = async (target: Target): Promise<boolean> => {
  const api = target.client(() => undefined)
  for (let look = 0; look < looks; look++) {
    if (look > 0) await sleep(pauseMs)
    try {
      await api.call('auth.challenge', { timeoutMs: 3_000, pace: false })
      return true
    } catch {
      // By the next attempt it may have restarted.
    }
  }
  return false
}

/**
 * What a hostile document or archive led to. A service that answered before the attack and not after it has not
 * survived, and one that never answers the attack is kept busy by it: both violate the rule. Everything else stays as
 * it was.
 */
export const afterAttack = async (
  target: Target,
  subject: Subject,
  ledger: Ledger,
  outcome: Outcome,
): Promise<Outcome> => {
  const { unreachable, reason } = outcome
  const { needs = [] } = rowOf(subject.rule, subject.variant)
  if (unreachable === undefined || !needs.includes('hostile') || ledger.exchanges.length === 0)
    return outcome
  const alive = await answers(target)
  if (alive && unreachable !== 'ETIMEDOUT') return outcome
  return {
    kind: 'violated',
    ...(reason === undefined ? {} : { reason }),
    expected: 'the service goes on answering after the hostile input',
    actual: alive
      ? 'the hostile input was never answered, while other calls are'
      : `no answer any more, after ${ledger.exchanges.length} answers before`,
  }
}
