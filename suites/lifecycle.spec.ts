import { modelRules } from '../generators/model/rules.ts'
import { comparisons, expect, explorations } from './explorations.ts'
import { checks } from './fixtures.ts'
import { rule } from './rule.ts'
import { runOptions } from './run-options.ts'

/**
 * Sequences of steps in any order, of several contexts, compared with a state model after every step: what single
 * checks look at one by one has to hold in every history. A failure is shrunk to the shortest history that shows it.
 *
 * Not in mutate mode: there every rule has its own checks, and suites/meta/model.spec.ts shows what the model finds.
 */
const test = checks

if (runOptions.mutants === undefined)
  for (const id of modelRules)
    test(...rule(id, 'in any sequence'), async ({ target, ledger }) => {
      ledger.quiet = true
      const all = await explorations(target)
      test.skip(
        comparisons(all, id) === 0,
        'no sequence came to it with this seed in the time that it had',
      )
      for (const explored of all) expect(explored).toAgreeWithTheModel(id)
    })
