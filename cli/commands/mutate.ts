import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { mutants } from '../../reference/mutants/mutants.ts'
import type { Command } from '../command.ts'
import { shared } from '../command.ts'
import { couldNotRun, printJson, usageError } from '../io.ts'
import { namespaceOf, outDirectory, seedOf } from '../options.ts'
import { runSuite } from '../playwright.ts'
import type { KillMatrix, MutantRow } from '../../reports/verdict.ts'

interface Args {
  mutants: string[]
  dialect: string | undefined
  seed: number | undefined
  out: string
  json: boolean
}

/** How one mutant ended, and why when that is not plain. */
const fateOf = ({ id, breaks, killed, by, notApplicable, ms }: MutantRow): string => {
  const [fate, why] =
    notApplicable !== undefined
      ? ['absent', notApplicable]
      : killed
        ? ['killed', `by ${by.join(', ')}`]
        : ['SURVIVED', `breaks ${breaks.join(', ')}`]
  return `${fate.padEnd(8)} ${id.padEnd(44)} ${why} (${ms} ms)\n`
}

const chosen = (asked: readonly string[]): string[] => {
  const ids = Object.keys(mutants)
  for (const id of asked)
    if (!ids.some((known) => known === id || known.startsWith(`${id}.`)))
      throw usageError(
        `no mutant is called ${JSON.stringify(id)} or starts with it: expected one of ${ids.slice(0, 5).join(', ')}, ... (${ids.length} in all)`,
      )
  return asked.length === 0
    ? ids
    : ids.filter((known) => asked.some((id) => known === id || known.startsWith(`${id}.`)))
}

export const mutate: Command<Args> = {
  usage: 'mutate [mutants..]',
  summary: 'Break the reference on purpose and see whether the checks notice',
  positionals: {
    mutants: {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'ids or prefixes; all when none is named',
    },
  },
  options: {
    dialect: shared.dialect,
    seed: shared.seed,
    out: { ...shared.out, default: 'reports/out/mutants' },
    json: shared.json,
  },
  run: async (args, io) => {
    const ids = chosen(args.mutants)
    const seed = seedOf(args.seed)
    io.err(`seed ${seed}; ${ids.length} mutants\n`)
    const out = outDirectory(args.out, io)
    await runSuite(
      {
        out,
        options: {
          ASSAY_SEED: String(seed),
          ASSAY_DIALECT: args.dialect,
          ASSAY_NAMESPACE: namespaceOf(undefined),
          ASSAY_MUTANTS: args.mutants.length === 0 ? 'all' : ids.join(','),
        },
      },
      io,
    )
    const file = path.join(out, 'mutants.json')
    const matrix = JSON.parse(
      await readFile(file, 'utf8').catch(() => {
        throw couldNotRun(`the run left no kill matrix at ${file}`)
      }),
    ) as KillMatrix
    if (args.json) printJson(io, matrix)
    else {
      for (const row of matrix.mutants) io.out(fateOf(row))
      const { killed, survived, notApplicable } = matrix
      const rest = notApplicable === 0 ? '' : `, ${notApplicable} not applicable`
      io.out(`\n${killed} killed, ${survived} survived${rest}; seed ${seed}\n`)
    }
    return matrix.exit
  },
}
