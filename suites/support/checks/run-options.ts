import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { defaultDocuments } from '../../../generators/invoice/options.ts'

/**
 * The options of one run of the suite: environment variables, read only here. The command line sets them;
 * `npx playwright test` alone runs against an embedded reference with the defaults below.
 */
export interface RunOptions {
  /** Path of a resolved target profile; absent: an embedded reference per worker. */
  readonly target: string | undefined
  /** The target as it was named on the command line, for commands that repeat the run. */
  readonly targetName: string | undefined
  /** Directory of findings and attachments. */
  readonly out: string
  /** int32; every draw of the run derives from it. */
  readonly seed: number
  /** Keeps the numbers of this run apart from those of every other run against the same target. */
  readonly namespace: string
  /** Counts the runs under one namespace, if a target is still running that has seen an earlier one. */
  readonly run: string | undefined
  /** Mutate mode: the mutants, or `all`. */
  readonly mutants: 'all' | readonly MutantRun[] | undefined
  /** Mutate mode: how many of the pairs of a mutant and a check are tried. */
  readonly pairs: Pairs
  /** A SHOULD that does not hold fails. */
  readonly strict: boolean
  /** Path of the baseline of known failures. */
  readonly baseline: string | undefined
  /** Directory of a user's own documents. */
  readonly invoices: string | undefined
  /** Path of a file with the checks to register; all when absent. */
  readonly only: string | undefined
  /** How many documents of each schema the checks of generated documents send. */
  readonly documents: number
  /** Send the user's documents byte for byte. */
  readonly unmodified: boolean
  /** Limits of the embedded reference: `production`, `test`, `off` or a file. */
  readonly limits: string
  readonly dialect: string
  /** How long the run may wait for room within the rate limits of a target, milliseconds in all. */
  readonly patienceMs: number
  /** Path of a file with what the plan of the run says of its checks (`suites/support/run/schedule.ts`). */
  readonly schedule: string | undefined
  /** Path of a list of the titles of checks; every check when absent. */
  readonly selection: string | undefined
  /** One failing sequence of the model, to be made again: as its report names it. */
  readonly sequence: string | undefined
  /** Record the exchanges of passed checks too. */
  readonly verbose: boolean
  /** Write the exchanges of every check as HAR files. */
  readonly har: boolean
}

/** A mutant of a run. */
export interface MutantRun {
  readonly id: string
  /** Titles of the only checks that it is put to; every check of its rules when absent. */
  readonly checks?: readonly string[]
  /** Noticed in an earlier run: it only serves to prove checks. */
  readonly dead?: boolean
}

/** Stop when a check notices the mutant; or when each check has noticed a mutant too; or try all pairs. */
const pairs = ['until-noticed', 'until-proved', 'all'] as const
export type Pairs = (typeof pairs)[number]

type Environment = Readonly<Record<string, string | undefined>>

const text = (value: string | undefined): string | undefined =>
  value === undefined || value === '' ? undefined : value

const flag = (value: string | undefined): boolean => /^(1|true|yes)$/i.test(value ?? '')

const int32 = (name: string, value: string): number => {
  const number = Number(value)
  if (!Number.isInteger(number) || number < -(2 ** 31) || number > 2 ** 31 - 1)
    throw new Error(`${name}: expected an int32, received ${JSON.stringify(value)}`)
  return number
}

/** Ids separated by commas, or a file of rows. */
const listed = (value: string | undefined): RunOptions['mutants'] => {
  const given = text(value)
  if (given === undefined || given === 'all') return given
  if (given.startsWith('@'))
    return JSON.parse(readFileSync(given.slice(1), 'utf8')) as readonly MutantRun[]
  return given.split(',').map((id) => ({ id: id.trim() }))
}

/** Reads the options of a run. Throws when a value cannot be read. */
export const readRunOptions = (environment: Environment): RunOptions => ({
  target: text(environment['ASSAY_TARGET']),
  targetName: text(environment['ASSAY_TARGET_NAME']) ?? text(environment['ASSAY_TARGET']),
  out: path.resolve(text(environment['ASSAY_OUT']) ?? 'reports/out'),
  seed: int32('ASSAY_SEED', text(environment['ASSAY_SEED']) ?? '1'),
  namespace: text(environment['ASSAY_NAMESPACE']) ?? 'local',
  run: text(environment['ASSAY_RUN']),
  mutants: listed(environment['ASSAY_MUTANTS']),
  pairs: pairs.find((name) => name === environment['ASSAY_PAIRS']) ?? 'until-noticed',
  strict: flag(environment['ASSAY_STRICT']),
  baseline: text(environment['ASSAY_BASELINE']),
  invoices: text(environment['ASSAY_INVOICES']),
  only: text(environment['ASSAY_ONLY']),
  documents: int32(
    'ASSAY_DOCUMENTS',
    text(environment['ASSAY_DOCUMENTS']) ?? String(defaultDocuments),
  ),
  unmodified: flag(environment['ASSAY_UNMODIFIED']),
  limits: text(environment['ASSAY_LIMITS']) ?? 'production',
  dialect: text(environment['ASSAY_DIALECT']) ?? 'svc',
  patienceMs: Number(text(environment['ASSAY_PATIENCE_MS']) ?? 0),
  schedule: text(environment['ASSAY_SCHEDULE']),
  selection: text(environment['ASSAY_SELECTION']),
  sequence: text(environment['ASSAY_SEQUENCE']),
  verbose: flag(environment['ASSAY_VERBOSE']),
  har: flag(environment['ASSAY_HAR']),
})

export const runOptions: RunOptions = readRunOptions(process.env)

/**
 * The namespace of contexts and numbers. Another run under the same namespace draws the same documents, but the target
 * knows the numbers of the first.
 */
export const freshNamespace: string =
  runOptions.run === undefined ? runOptions.namespace : `${runOptions.namespace}.${runOptions.run}`
