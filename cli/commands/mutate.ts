import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { mutants, selectMutants } from '../../reference/mutants/mutants.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { exits, printJson, usageError } from '../io.ts'
import { didYouMean } from '../nearest.ts'
import { dialectOf, grepOf, namespaceOf, seedOf } from '../options.ts'
import { mutateClient } from '../examine/mutate-client.ts'
import { runSuite } from '../playwright.ts'
import { openRunDirectory } from '../run-directory.ts'
import { counted } from '../words.ts'
import { killMatrix } from '../../reports/kill-matrix.ts'
import type { MutantRow, Trial } from '../../reports/kill-matrix.ts'

interface Args {
  mutants: string[]
  dialect: string | undefined
  seed: number | undefined
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

/** The rules that these mutants break. */
const broken = (ids: readonly string[]): string[] => [
  ...new Set(ids.flatMap((id) => mutants[id]!.breaks as readonly string[])),
]

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
      describe: 'With --client: number of seeds that the sound client has to pass with',
    },
    dialect: { ...shared.dialect, group: groups.scope },
    seed: shared.seed,
    out: shared.out,
    json: shared.json,
  },
  examples: {
    'mutate --client --seeds 20': 'convicts every broken client, and acquits the sound one',
  },
  run: async (args, io) => {
    if (args.client) {
      const { mutants: asked, seeds, json } = args
      if (!Number.isInteger(seeds) || seeds < 0)
        throw usageError(`--seeds: expected a whole number from 0, received ${seeds}`)
      return mutateClient({ mutants: asked, seed: seedOf(args.seed), seeds, json }, io)
    }
    const ids = chosen(args.mutants)
    const seed = seedOf(args.seed)
    io.err(`seed ${seed}; ${counted(ids.length, 'mutant')}\n`)
    const { out, release } = openRunDirectory(args.out, 'mutate', io)
    try {
      const { notRun } = await runSuite(
        {
          label: 'mutate',
          out,
          ...(args.mutants.length === 0 ? {} : { grep: grepOf(broken(ids)) }),
          options: {
            ASSAY_SEED: String(seed),
            ASSAY_DIALECT: dialectOf(args.dialect),
            ASSAY_NAMESPACE: namespaceOf(undefined),
            ASSAY_MUTANTS: args.mutants.length === 0 ? 'all' : ids.join(','),
          },
        },
        io,
      )
      const trials = await readTrials(out)
      const unfinished = new Set(notRun.flatMap(({ mutant }) => mutant ?? []))
      const rows = ids.map((id) => ({ id, breaks: mutants[id]!.breaks }))
      const matrix = killMatrix(rows, trials, unfinished)
      await writeFile(path.join(out, 'mutants.json'), `${JSON.stringify(matrix, undefined, 2)}\n`)
      const exit = io.signal.aborted ? exits.interrupted : matrix.exit
      if (args.json) {
        printJson(io, { ...matrix, exit })
        return exit
      }
      for (const row of matrix.mutants) io.out(outcomeOf(row))
      const { killed, survived, notApplicable } = matrix
      const rest = [
        notApplicable === 0 ? '' : `, ${notApplicable} not applicable`,
        matrix.notRun === 0 ? '' : `, ${matrix.notRun} not run (incomplete)`,
      ].join('')
      io.out(`\n${killed} killed, ${survived} survived${rest}; seed ${seed}\n`)
      return exit
    } finally {
      release()
    }
  },
}

const readTrials = async (out: string): Promise<Trial[]> => {
  const text = await readFile(path.join(out, 'trials.ndjson'), 'utf8').catch(() => '')
  // The last line of a run that was killed may be cut off.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Trial)
}
