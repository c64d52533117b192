import { test } from '@playwright/test'
import { ruleRow } from '../../contract/rules.ts'
import { explore } from '../../generators/model/explore.ts'
import type { Exploration, Finding, ReplayPath } from '../../generators/model/explore.ts'
import type { ModelRule } from '../../generators/model/rules.ts'
import { createRng, seedFrom } from '../../lib/random.ts'
import { again, call } from '../support/run/explain.ts'
import type { Ledger } from '../support/run/ledger.ts'
import { notes } from '../support/checks/rule.ts'
import type { History } from '../support/checks/rule.ts'
import { worldsAt, worldsInProcess } from './model-world.ts'
import { expect as base } from '../support/run/valued.ts'
import { freshNamespace, runOptions } from '../support/checks/run-options.ts'
import { openInProcess, withoutRates } from '../support/service/target.ts'
import type { Target } from '../support/service/target.ts'

/** Where sequences are run: on a reference in this process, with a clock to move, or on the target over HTTP. */
export type Where = 'in-process' | 'target'

export interface Explored extends Exploration {
  readonly where: Where
  readonly seed: number
}

/** A sequence by which a report names it: `in-process,3,0.4.17`. */
const sequenceOf = (where: Where, { sequence, commands }: ReplayPath): string =>
  [where, sequence, commands.join('.')].join(',')

/** The sequence that the run is to make again, where it is one of this place. */
const replayIn = (where: Where): { readonly replay?: ReplayPath } | undefined => {
  if (runOptions.sequence === undefined) return {}
  const [place, sequence, commands = ''] = runOptions.sequence.split(',')
  const chosen = commands.split('.').map(Number)
  return place === where ? { replay: { sequence: Number(sequence), commands: chosen } } : undefined
}

/** A quick run makes a quarter of the sequences. */
const sequencesOf = (whole: number): number =>
  runOptions.only === undefined ? whole : Math.ceil(whole / 4)

const inProcess = async (target: Target): Promise<Explored[]> => {
  const replay = replayIn('in-process')
  if (!target.embedded || replay === undefined) return []
  const reference = await openInProcess({ seed: runOptions.seed, dialect: target.dialect.id })
  const seed = seedFrom(runOptions.seed, 'lifecycle', 'in-process')
  const explored = await explore({
    ...replay,
    seed,
    sequences: sequencesOf(6),
    shrinks: 150,
    steps: 400,
    open: worldsInProcess(reference, target.dialect),
  })
  await reference.close()
  return [{ ...explored, where: 'in-process', seed }]
}

/**
 * How much is tried, as a count, so that a seed yields the same sequences on every machine. Few long sequences reach
 * more than many short ones, and need fewer contexts. An embedded service has had others in process before. A target
 * whose time has to be waited for is not kept busy for long.
 */
const extentAt = ({ management, embedded }: Target) =>
  management === undefined
    ? { sequences: 2, shrinks: 8, steps: 60 }
    : { sequences: sequencesOf(embedded ? 2 : 4), shrinks: 60, steps: 400 }

const atTarget = async (target: Target, { count }: Ledger): Promise<Explored[]> => {
  const replay = replayIn('target')
  if (replay === undefined) return []
  await withoutRates(target)
  const { seed: run } = runOptions
  const seed = seedFrom(run, 'lifecycle', 'target')
  const { open, restore } = worldsAt(target, createRng(`lifecycle ${run} ${freshNamespace}`), count)
  const explored = await explore({ ...replay, ...extentAt(target), seed, open })
  await restore()
  return [{ ...explored, where: 'target', seed }]
}

let known: Promise<readonly Explored[]> | undefined

/** What sequences showed at this worker's target: made once, and judged rule by rule. */
export const explorations = (target: Target, ledger: Ledger): Promise<readonly Explored[]> => {
  known ??= (async () => {
    const all = [...(await inProcess(target)), ...(await atTarget(target, ledger))]
    for (const { where, seed, sequences, steps, cutShort, reason } of all)
      console.log(
        `lifecycle ${where}: seed ${seed}, ${sequences} sequences, ${steps} steps${
          cutShort === 0 ? '' : `, ${cutShort} cut short, the last one at: ${reason}`
        }`,
      )
    return all
  })()
  return known
}

/** The report of a finding: what was expected, the steps that lead to it, and how to make them again. */
export const describeFinding = (
  where: Where,
  { divergence, steps, seed, replay }: Finding,
): string =>
  [
    `Requirement not met: ${ruleRow(divergence.rule).sentence} (${ruleRow(divergence.rule).clause})`,
    `  Expected: ${divergence.expected}`,
    `  Received: ${divergence.actual}`,
    `  after ${steps.length} steps:`,
    ...steps.map((step, place) => `    ${place + 1}. ${step}`),
    divergence.exchange === undefined ? '' : call(divergence.exchange),
    `  sequence: ${sequenceOf(where, replay)}, of seed ${seed}`,
    again(sequenceOf(where, replay)),
  ]
    .filter(Boolean)
    .join('\n')

/** How often sequences reached a rule. */
export const comparisons = (all: readonly Exploration[], rule: ModelRule): number =>
  all.reduce((sum, { judged }) => sum + (judged.get(rule) ?? 0), 0)

/** What sequences showed under a rule. */
export const findingOf = ({ findings }: Exploration, rule: ModelRule): Finding | undefined =>
  findings.find(({ divergence }) => divergence.rule === rule)

/** Gives the history of a finding, and the call that showed it, to the reports of the running check. */
export const note = ({ where }: Explored, finding: Finding, { exchanges }: Ledger): void => {
  const { steps, replay, divergence } = finding
  const history: History = { steps, sequence: sequenceOf(where, replay) }
  test.info().annotations.push({ type: notes.history, description: JSON.stringify(history) })
  if (divergence.exchange !== undefined) exchanges.push(divergence.exchange)
}

export const expect = base.extend({
  /** No sequence showed the target to behave differently from the model, as far as the rule is concerned. */
  toAgreeWithTheModel(explored: Explored, rule: ModelRule) {
    const finding = findingOf(explored, rule)
    return {
      pass: finding === undefined,
      expected: finding?.divergence.expected,
      actual: finding?.divergence.actual,
      message: () => (finding === undefined ? '' : describeFinding(explored.where, finding)),
    }
  },
})
