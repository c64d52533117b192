import { rngFor, shuffled } from '../../lib/random.ts'
import { mutants, selectMutants } from '../../reference/mutants/mutants.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { exits, printJson, usageError } from '../io.ts'
import { conclude, isBad } from '../../lib/verdict.ts'
import { totalsOf } from '../../reports/finding.ts'
import { shardOf } from '../check/selection.ts'
import { didYouMean } from '../nearest.ts'
import { dialectOf, seedOf } from '../options.ts'
import { mutateClient } from '../examine/mutate-client.ts'
import { writeMatrix } from '../mutate/pages.ts'
import { runMutation } from '../mutate/run.ts'
import type { MutationResult } from '../mutate/run.ts'
import { openRunDirectory } from '../run-directory.ts'
import { counted } from '../../lib/words.ts'
import type { MutantRow } from '../../reports/kill-matrix.ts'

interface Args {
  mutants: string[]
  dialect: string | undefined
  seed: number | undefined
  proof: boolean
  complete: boolean
  sample: number | undefined
  sampleSeed: number | undefined
  shard: string | undefined
  quick: boolean
  list: boolean
  workers: number | undefined
  client: boolean
  seeds: number
  out: string | undefined
  json: boolean
}

/** What became of one mutant, and why. */
const outcomeOf = ({ id, breaks, killed, by, notApplicable, notRun, ms }: MutantRow): string => {
  const [outcome, why] =
    notApplicable !== undefined
      ? ['absent', notApplicable]
      : killed
        ? ['killed', `by ${by.join(', ')}`]
        : notRun === true
          ? ['not run', 'its checks did not report']
          : ['SURVIVED', `breaks ${breaks.join(', ')}`]
  return `${outcome.padEnd(8)} ${id.padEnd(44)} ${why} (${ms} ms)\n`
}

/** What of the contract the checks on the sound reference should have shown, and steps that they should not have. */
const notShownBy = ({ coverage }: MutationResult): readonly string[] => {
  const { matrices = [], illegal = [] } = coverage ?? {}
  return [
    ...matrices.flatMap(({ missed }) =>
      missed.map(
        ({ matrix, cell, file, checks }) =>
          `${matrix}: ${cell} was not shown by ${checks.join(', ')}; its check belongs in suites/${file}`,
      ),
    ),
    ...illegal.map(({ step, checks }) => `no lifecycle permits ${step}, seen by ${checks[0]}`),
  ]
}

/** A line for one mutant, as `--list` shows it. */
const described = (id: string): string =>
  `${id.padEnd(64)} breaks ${mutants[id]?.breaks.join(', ')}\n`

/** The mutants that were written one by one, and of the generated ones as many as asked for, drawn by the seed. */
const sampled = (ids: readonly string[], size: number | undefined, seed: number): string[] => {
  if (size === undefined) return [...ids]
  const isGenerated = (id: string): boolean => mutants[id]?.generated === true
  const rng = rngFor({ seed, namespace: 'mutants', rule: 'sample', variant: '' })
  const drawn = new Set(shuffled(rng, ids.filter(isGenerated)).slice(0, size))
  return ids.filter((id) => !isGenerated(id) || drawn.has(id))
}

/** Every n-th mutant: those of one rule stand side by side, so that a part has some of each. */
const dealt = (ids: readonly string[], given: string | undefined): readonly string[] => {
  const shard = shardOf(given)
  return shard === undefined ? ids : ids.filter((_, at) => at % shard.of === shard.index - 1)
}

const chosen = (asked: readonly string[]): string[] => {
  const ids = Object.keys(mutants)
  if (asked.length === 0) return ids
  const selected = new Set(
    asked.flatMap((selector) => {
      const found = selectMutants(selector)
      if (found.length > 0) return found
      throw usageError(
        `no mutant has the id or prefix ${JSON.stringify(selector)}.${didYouMean(selector, ids)} \`assay list --json\` names the mutants of each rule.`,
      )
    }),
  )
  return ids.filter((id) => selected.has(id))
}

export const mutate: Command<Args> = {
  usage: 'mutate [mutants..]',
  summary: 'Inject each known defect into the reference and report which checks catch it',
  positionals: {
    mutants: {
      type: 'string',
      array: true,
      default: [] as string[],
      defaultDescription: 'every mutant',
      describe: 'Rules, prefixes of rules, or ids of mutants',
    },
  },
  options: {
    proof: {
      type: 'boolean',
      default: false,
      group: groups.scope,
      describe:
        'Continue until each check has caught a mutant too, and name the checks that catch none',
    },
    complete: {
      type: 'boolean',
      default: false,
      group: groups.scope,
      describe: 'Try each mutant with every check of its rules; takes hours',
    },
    sample: {
      type: 'number',
      group: groups.scope,
      describe: 'Number of generated mutants to draw by the seed; all of them when absent',
    },
    'sample-seed': {
      type: 'number',
      group: groups.scope,
      describe: 'Seed of that draw; that of the checks when absent',
    },
    shard: {
      type: 'string',
      group: groups.scope,
      describe:
        'Part i of n of the mutants, for example 1/2; every check also runs on the sound reference',
    },
    quick: {
      type: 'boolean',
      default: false,
      group: groups.scope,
      describe:
        'On the sound reference, run only the checks that catch a mutant, and one of each variant and family',
    },
    list: {
      type: 'boolean',
      default: false,
      group: groups.output,
      describe: 'List the mutants and the rules that they break, without running a check',
    },
    workers: {
      type: 'number',
      group: groups.scope,
      describe: 'Number of references that run in parallel; two when absent',
    },
    client: {
      type: 'boolean',
      default: false,
      group: groups.scope,
      describe: 'Examine the broken variants of the model client instead, and the sound client',
    },
    seeds: {
      type: 'number',
      default: 1,
      group: groups.scope,
      describe: 'With --client: number of seeds with which the sound client must pass',
    },
    dialect: { ...shared.dialect, group: groups.scope },
    seed: shared.seed,
    out: shared.out,
    json: shared.json,
  },
  examples: {
    'mutate --client --seeds 20': 'fail every broken client, pass the sound one',
  },
  run: async (args, io) => {
    if (args.client) {
      const { mutants: asked, seeds, json } = args
      if (!Number.isInteger(seeds) || seeds < 0)
        throw usageError(`--seeds: expected a whole number from 0, received ${seeds}`)
      return mutateClient({ mutants: asked, seed: seedOf(args.seed), seeds, json }, io)
    }
    if (args.shard !== undefined && args.proof)
      throw usageError('--shard cannot be combined with --proof: a part proves few of the checks')
    const seed = seedOf(args.seed)
    const ids = dealt(
      sampled(chosen(args.mutants), args.sample, args.sampleSeed ?? seed),
      args.shard,
    )
    if (args.list) {
      if (args.json)
        printJson(io, { mutants: ids.map((id) => ({ id, breaks: mutants[id]!.breaks })) })
      else for (const id of ids) io.out(described(id))
      return exits.conformant
    }
    io.err(`seed ${seed}; ${counted(ids.length, 'mutant')}\n`)
    const { out, release } = openRunDirectory(args.out, 'mutate', io)
    try {
      const started = new Date().toISOString()
      const result = await runMutation(
        {
          ids,
          every: args.mutants.length === 0,
          seed,
          dialect: dialectOf(args.dialect),
          pairs: args.complete ? 'all' : args.proof ? 'until-proved' : 'until-noticed',
          quick: args.quick,
          workers: args.workers,
          out,
        },
        io,
      )
      const { matrix, sound } = result
      await writeMatrix(result, { out, seed, started })
      const unproved = result.unproved.map(({ check }) => check)
      const proved = unproved.length > 0 ? exits.mutantsSurvived : matrix.exit
      const bad = sound.filter(({ verdict }) => isBad(verdict))
      const totals = totalsOf(sound)
      // A check that fails on the sound reference proves nothing about mutants.
      const judged = bad.length > 0 ? conclude(totals, { notRun: 0 }).exit : proved
      const exit = io.signal.aborted ? exits.interrupted : judged
      const notShown = notShownBy(result)
      if (args.json) {
        printJson(io, { ...matrix, unproved, sound: { totals, findings: bad }, notShown, exit })
        return exit
      }
      for (const row of matrix.mutants) io.out(outcomeOf(row))
      const { killed, survived, notApplicable } = matrix
      const rest = [
        notApplicable === 0 ? '' : `, ${notApplicable} not applicable`,
        matrix.notRun === 0 ? '' : `, ${matrix.notRun} not run (incomplete)`,
      ].join('')
      for (const check of unproved) io.out(`NO KILL  ${check}\n`)
      for (const hole of notShown) io.out(`NO CELL  ${hole}\n`)
      for (const { verdict, check, reason = '' } of bad)
        io.out(`UNSOUND  ${check}: ${verdict} on the reference without a mutant: ${reason}\n`)
      io.out(`\n${killed} killed, ${survived} survived${rest}; seed ${seed}\n`)
      return exit
    } finally {
      release()
    }
  },
}
