import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { mutants } from '../../reference/mutants/mutants.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { couldNotRun, interrupted, printJson, usageError } from '../io.ts'
import { didYouMean } from '../nearest.ts'
import { dialectOf, namespaceOf, outDirectory, seedOf } from '../options.ts'
import { mutateClient } from '../examine/mutate-client.ts'
import { typedPath } from '../paths.ts'
import { runSuite } from '../playwright.ts'
import { counted } from '../words.ts'
import type { KillMatrix, MutantRow } from '../../reports/verdict.ts'

interface Args {
  mutants: string[]
  dialect: string | undefined
  seed: number | undefined
  client: boolean
  seeds: number
  out: string
  json: boolean
}

/** What became of one mutant, and why. */
const outcomeOf = ({ id, breaks, killed, by, notApplicable, ms }: MutantRow): string => {
  const [outcome, why] =
    notApplicable !== undefined
      ? ['absent', notApplicable]
      : killed
        ? ['killed', `by ${by.join(', ')}`]
        : ['SURVIVED', `breaks ${breaks.join(', ')}`]
  return `${outcome.padEnd(8)} ${id.padEnd(44)} ${why} (${ms} ms)\n`
}

const chosen = (asked: readonly string[]): string[] => {
  const ids = Object.keys(mutants)
  for (const id of asked)
    if (!ids.some((known) => known === id || known.startsWith(`${id}.`)))
      throw usageError(
        `no mutant has the id or prefix ${JSON.stringify(id)}.${didYouMean(id, ids)} \`assay list --json\` names the mutants of each rule.`,
      )
  return asked.length === 0
    ? ids
    : ids.filter((known) => asked.some((id) => known === id || known.startsWith(`${id}.`)))
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
      describe: 'Ids of mutants, or prefixes of ids',
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
    out: { ...shared.out, default: 'reports/out/mutants' },
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
    const out = outDirectory(args.out, io)
    await runSuite(
      {
        label: 'mutate',
        out,
        options: {
          ASSAY_SEED: String(seed),
          ASSAY_DIALECT: dialectOf(args.dialect),
          ASSAY_NAMESPACE: namespaceOf(undefined),
          ASSAY_MUTANTS: args.mutants.length === 0 ? 'all' : ids.join(','),
        },
      },
      io,
    )
    const file = path.join(out, 'mutants.json')
    const matrix = JSON.parse(
      await readFile(file, 'utf8').catch(() => {
        if (io.signal.aborted) throw interrupted('interrupted before the first verdict')
        throw couldNotRun(`the run wrote no kill matrix (${typedPath(file, io.cwd)}); run it again`)
      }),
    ) as KillMatrix
    if (args.json) printJson(io, matrix)
    else {
      for (const row of matrix.mutants) io.out(outcomeOf(row))
      const { killed, survived, notApplicable } = matrix
      const rest = notApplicable === 0 ? '' : `, ${notApplicable} not applicable`
      io.out(`\n${killed} killed, ${survived} survived${rest}; seed ${seed}\n`)
    }
    return matrix.exit
  },
}
