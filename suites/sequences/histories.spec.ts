import type { RuleId } from '../../contract/rules.ts'
import { linearize } from '../../generators/model/linearize.ts'
import type { Linearization } from '../../generators/model/linearize.ts'
import type { Rng } from '../../lib/random.ts'
import { drawRace } from '../support/steps/at-once.ts'
import { expect, recordHistory } from '../support/steps/concurrent-history.ts'
import type { Said } from '../support/steps/concurrent-history.ts'
import type { Family } from '../support/checks/families.ts'
import { familyRule } from '../support/checks/rule.ts'
import { test } from '../support/harness/test.ts'
import {
  equalNumbers,
  grantsAndRevocations,
  refreshesAndEnd,
  signInsAndRevocation,
  submissionsAndClosings,
} from './histories.ts'
import type { Given, Scene } from './histories.ts'

/**
 * Histories of several clients that work on the same thing at the same time, with calls at any moment. A judge decides
 * whether the answers are possible: there must be an order of the calls, each placed while it was under way, in which a
 * service that handles one call after another could have answered like this. The calls are drawn from the run's seed.
 */
const history = <State, Op extends Said>(
  id: RuleId,
  prepare: (given: Given, drawn: Rng) => Promise<Scene<State, Op>>,
  family: Extract<Family, `concurrent history${string}`> = 'concurrent history',
): void =>
  test(
    ...familyRule(id, family),
    async ({ api, own, login, open, another, invoice, rng, target }) => {
      const drawn = drawRace(id, family)
      const given = { api, own, login, open, another, invoice, rng, target }
      const { plan, afterwards, service } = await prepare(given, drawn)
      const calls = await recordHistory(drawn, plan, afterwards)
      const judged: Linearization<Said> = linearize(calls, service)
      expect(judged).toBeInSomeOrder()
    },
  )

history('invoices.duplicate.everywhere', equalNumbers, 'concurrent history of two contexts')
history('sessions.online.close', submissionsAndClosings)
history('auth.token.unusable-refused', signInsAndRevocation)
history('auth.sessions.ended', refreshesAndEnd)
history('permissions.revoke.effective', grantsAndRevocations)
