import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { mutants } from '../../reference/mutants.ts'
import type { Command } from '../command.ts'
import { shared } from '../command.ts'
import { couldNotRun, exits, printJson, usageError } from '../io.ts'
import { namespaceOf, outDirectory, seedOf } from '../options.ts'
import { runSuite } from '../playwright.ts'

interface Args {
  mutants: string[]
  dialect: string | undefined
  seed: number | undefined
  out: string
  json: boolean
}

/** What `reports/findings-reporter.ts` writes at the end of a run with mutants. */
export interface KillMatrix {
  readonly mutants: readonly {
    readonly id: string
    readonly breaks: readonly string[]
    readonly killed: boolean
    readonly by: readonly string[]
    readonly ms: number
  }[]
  readonly killed: number
  readonly survived: number
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
    const exit =
      matrix.survived > 0
        ? exits.mutantsSurvived
        : matrix.mutants.length === 0
          ? exits.couldNotRun
          : exits.conformant
    if (args.json) printJson(io, { ...matrix, exit })
    else {
      for (const { id, breaks, killed, by, ms } of matrix.mutants)
        io.out(
          `${killed ? 'killed  ' : 'SURVIVED'} ${id.padEnd(44)} ${killed ? `by ${by.join(', ')}` : `breaks ${breaks.join(', ')}`} (${ms} ms)\n`,
        )
      io.out(`\n${matrix.killed} killed, ${matrix.survived} survived; seed ${seed}\n`)
    }
    return exit
  },
}
