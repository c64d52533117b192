import { modelRules } from '../../generators/model/rules.ts'
import { comparisons, expect, explorations, findingOf, note } from './explorations.ts'
import { checks } from '../support/harness/fixtures.ts'
import { familyRule } from '../support/checks/rule.ts'
import { runOptions } from '../support/checks/run-options.ts'

/**
 * Sequences of steps in any order, of several contexts, compared with a state model after every step: what single
 * checks look at one by one has to hold in every history. A failure is shrunk to the shortest history that shows it.
 *
 * Not in mutate mode, for the reason that the kill matrix states (reports/kill-matrix.ts).
 */
const test = checks

if (runOptions.mutants === undefined)
  for (const id of modelRules)
    test(...familyRule(id, 'any sequence'), async ({ target, ledger }) => {
      // The first of these checks makes all sequences, and a busy machine takes its time.
      test.setTimeout(300_000)
      const all = await explorations(target, ledger)
      test.skip(
        comparisons(all, id) === 0,
        'no generated sequence exercised this rule; try another --seed',
      )
      for (const explored of all) {
        const finding = findingOf(explored, id)
        if (finding !== undefined) note(explored, finding, ledger)
        expect(explored).toAgreeWithTheModel(id)
      }
    })
