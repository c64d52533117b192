import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Io } from '../io.ts'
import { usageError } from '../io.ts'
import { limitsOf } from '../limits.ts'
import { dialectOf, runNamesOf, seedOf, sharesOf } from '../options.ts'
import type { MinVerified, RunNames } from '../options.ts'
import { typedPath } from '../paths.ts'
import { parseDuration } from '../plan/duration.ts'
import { selectChecks } from './selection.ts'
import type { Selection, SelectionArgs } from './selection.ts'

/** What `check` was asked for, read before anything is called. */

export interface RunArgs extends Omit<SelectionArgs, 'seed'> {
  readonly target: string | undefined
  readonly dialect: string | undefined
  readonly limits: string | undefined
  readonly seed: number | undefined
  readonly namespace: string | undefined
  readonly strict: boolean
  readonly baseline: string | undefined
  readonly invoices: string | undefined
  readonly unmodified: boolean
  readonly documents: number | undefined
  readonly workers: number | undefined
  readonly patience: string | undefined
  readonly minVerified: readonly string[] | undefined
  readonly har: boolean
}

/** Everything of the suite, with the defaults of `check`. */
export const everyCheck = {
  selectors: [],
  grep: undefined,
  onlyMust: false,
  since: undefined,
  shard: undefined,
  limits: undefined,
  baseline: undefined,
  invoices: undefined,
  unmodified: false,
  documents: undefined,
  quick: false,
  workers: undefined,
  patience: undefined,
  har: false,
} as const satisfies Partial<RunArgs>

export const readable = async (option: string, file: string, io: Io): Promise<string> => {
  const full = path.resolve(io.cwd, file)
  await stat(full).catch(() => {
    throw usageError(`--${option}: ${typedPath(full, io.cwd)} does not exist; check the path`)
  })
  return full
}

/** The number of generated documents, as the suite reads it. */
export const documentsOf = (documents: number | undefined): string | undefined => {
  if (documents === undefined) return undefined
  if (Number.isInteger(documents) && documents > 0 && documents <= 2_000) return String(documents)
  throw usageError(
    `--documents: expected a whole number from 1 to 2000, received ${documents}; try \`--documents 100\``,
  )
}

export interface Wanted {
  readonly seed: number
  readonly names: RunNames
  readonly dialect: string | undefined
  readonly selection: Selection
  readonly patienceMs: number | undefined
  readonly minVerified: MinVerified
}

/** Reads the arguments before anything is called. */
export const wantedOf = async (args: RunArgs, io: Io): Promise<Wanted> => {
  limitsOf(args.limits)
  if (args.shard !== undefined && args.seed === undefined)
    throw usageError('--shard: name a --seed too, the same for every shard')
  const seed = seedOf(args.seed)
  const selection = await selectChecks({ ...args, seed }, io)
  if (args.invoices !== undefined && selection.titles !== undefined)
    throw usageError(
      '--invoices cannot be combined with --grep, --only-must, --since or --shard; choose rules instead: assay check invoices --invoices DIR',
    )
  return {
    seed,
    names: runNamesOf(args.namespace, { runsOn: args.target !== undefined }),
    dialect: dialectOf(args.dialect),
    selection,
    patienceMs: args.patience === undefined ? undefined : parseDuration('patience', args.patience),
    minVerified: sharesOf('min-verified', args.minVerified),
  }
}
