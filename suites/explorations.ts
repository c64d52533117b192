import { expect as base } from '@playwright/test'
import { ruleRow } from '../contract/rules.ts'
import { explore } from '../generators/model/explore.ts'
import type { Exploration, Finding, ReplayPath } from '../generators/model/explore.ts'
import type { ModelRule } from '../generators/model/rules.ts'
import { createRng } from '../lib/rng.ts'
import { again, call } from './explain.ts'
import { worldsAt, worldsInProcess } from './model-world.ts'
import { derivedSeed, runOptions } from './run-options.ts'
import { openInProcess, withoutRates } from './target.ts'
import type { Target } from './target.ts'

/** Where sequences are made: at a reference in this process, with a clock to turn, or at the target over HTTP. */
export type Where = 'in-process' | 'target'

export interface Explored extends Exploration {
  readonly where: Where
  readonly seed: number
}

/** A sequence by which a report names it: `in-process,0:3:1,AAB:q`. */
export const sequenceOf = (where: Where, { path, commands }: ReplayPath): string =>
  [where, path, commands].join(',')

/** The sequence that the run is to make again, where it is one of this place. */
const replayIn = (where: Where): { readonly replay?: ReplayPath } | undefined => {
  if (runOptions.sequence === undefined) return {}
  const [place, path = '', commands = ''] = runOptions.sequence.split(',')
  return place === where ? { replay: { path, commands } } : undefined
}

const inProcess = async (target: Target): Promise<Explored[]> => {
  const replay = replayIn('in-process')
  if (!target.embedded || replay === undefined) return []
  const reference = await openInProcess({ seed: runOptions.seed, dialect: target.dialect.id })
  const seed = derivedSeed(runOptions.seed, 'lifecycle', 'in-process')
  const explored = await explore({
    ...replay,
    seed,
    sequences: 12,
    shrinks: 150,
    steps: 400,
    open: worldsInProcess(reference, target.dialect),
  })
  await reference.close()
  return [{ ...explored, where: 'in-process', seed }]
}

/**
 * How much is looked for, as a count, so that a seed makes the same sequences whatever the machine: the same where the
 * clock can be turned, embedded or served. Few and long ones come to more than many short ones, and need fewer
 * contexts. A target whose time has to be waited for is not kept busy for long.
 */
const extentAt = ({ management }: Target) =>
  management === undefined
    ? { sequences: 2, shrinks: 8, steps: 60 }
    : { sequences: 6, shrinks: 60, steps: 400 }

const atTarget = async (target: Target): Promise<Explored[]> => {
  const replay = replayIn('target')
  if (replay === undefined) return []
  await withoutRates(target)
  const { seed: run, namespace } = runOptions
  const seed = derivedSeed(run, 'lifecycle', 'target')
  const { open, restore } = worldsAt(target, createRng(`lifecycle ${run} ${namespace}`))
  const explored = await explore({ ...replay, ...extentAt(target), seed, open })
  await restore()
  return [{ ...explored, where: 'target', seed }]
}

let known: Promise<readonly Explored[]> | undefined

/** What sequences showed at this worker's target: made once, and judged rule by rule. */
export const explorations = (target: Target): Promise<readonly Explored[]> => {
  known ??= (async () => {
    const all = [...(await inProcess(target)), ...(await atTarget(target))]
    for (const { where, seed, sequences, steps, cutShort } of all)
      console.log(
        `lifecycle ${where}: seed ${seed}, ${sequences} sequences, ${steps} steps${
          cutShort === 0 ? '' : `, ${cutShort} cut short`
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
    `  seed ${seed}, path ${replay.path}`,
    `  sequence: ASSAY_SEQUENCE=${sequenceOf(where, replay)}`,
    again(),
  ]
    .filter(Boolean)
    .join('\n')

/** How often sequences came to a rule. */
export const comparisons = (all: readonly Exploration[], rule: ModelRule): number =>
  all.reduce((sum, { judged }) => sum + (judged.get(rule) ?? 0), 0)

export const expect = base.extend({
  /** No sequence showed the target to do something else than the model, as far as the rule says. */
  toAgreeWithTheModel(explored: Explored, rule: ModelRule) {
    const finding = explored.findings.find(({ divergence }) => divergence.rule === rule)
    return {
      pass: finding === undefined,
      message: () => (finding === undefined ? '' : describeFinding(explored.where, finding)),
    }
  },
})
