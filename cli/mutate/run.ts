import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Dialect } from '../../contract/dialect.ts'
import { dialectOf, dialects } from '../../contract/dialects.ts'
import { operationIds } from '../../contract/endpoints.ts'
import { environments } from '../../contract/environments.ts'
import type { Environment, EnvironmentId } from '../../contract/environments.ts'
import { makeDirectory } from '../../lib/node/make-directory.ts'
import { isBad } from '../../lib/verdict.ts'
import { absence } from '../../lib/wire.ts'
import { mutants } from '../../reference/mutants/mutants.ts'
import type { Finding } from '../../reports/finding.ts'
import { killMatrix } from '../../reports/kill-matrix.ts'
import type { KillMatrix, Trial } from '../../reports/kill-matrix.ts'
import { quickSelection, writeChosen } from '../quick.ts'
import { listedChecks } from '../registered.ts'
import type { RegisteredCheck } from '../registered.ts'
import type { Io } from '../io.ts'
import { selectorPattern } from '../options.ts'
import { runSuite } from '../playwright.ts'
import type { SuiteResult } from '../playwright.ts'
import { titleOf } from '../../suites/support/rule.ts'
import { knownKillers } from './killers.ts'

/** Runs the suite against mutants, and against the sound reference beside them. */

export interface MutationArgs {
  readonly ids: readonly string[]
  /** Every mutant: the checks of rules that none breaks run on the sound reference too. */
  readonly every: boolean
  readonly seed: number
  readonly dialect: string | undefined
  /** Every check of its rules, and not only until one notices it. */
  readonly complete: boolean
  /** On the sound reference one check of each variant and family, beside those that the mutants are put to. */
  readonly quick: boolean
  readonly workers: number | undefined
  readonly out: string
}

export interface MutationResult {
  readonly matrix: KillMatrix
  /** What the checks said of the sound reference. */
  readonly sound: readonly Finding[]
}

interface Round extends SuiteResult {
  readonly trials: readonly Trial[]
}

const readTrials = async (out: string): Promise<Trial[]> => {
  const text = await readFile(path.join(out, 'trials.ndjson'), 'utf8').catch(() => '')
  // The last line of a run that was killed may be cut off.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Trial)
}

/** The rules that these mutants break. */
const broken = (ids: readonly string[]): string[] => [
  ...new Set(ids.flatMap((id) => mutants[id]!.breaks as readonly string[])),
]

/** What a quick run needs: one check of each group, the known killers, and every check of a mutant that has none. */
const quickChecks = async (
  { ids, seed }: MutationArgs,
  killers: Readonly<Record<string, string>>,
): Promise<readonly RegisteredCheck[]> => {
  const listed = await listedChecks()
  const quick = new Set(quickSelection(listed, seed))
  const titles = new Set(ids.flatMap((id) => killers[id] ?? []))
  const rules = new Set(broken(ids.filter((id) => killers[id] === undefined)))
  return listed.filter(
    (check) =>
      quick.has(check) || titles.has(titleOf(check.rule, check.variant)) || rules.has(check.rule),
  )
}

const round = async (
  args: MutationArgs,
  killers: Readonly<Record<string, string>>,
  io: Io,
): Promise<Round> => {
  const { ids, every, seed, dialect, complete, quick, workers, out } = args
  makeDirectory(out)
  const idsFile = path.join(out, 'mutants.txt')
  await writeFile(
    idsFile,
    ids.map((id) => (killers[id] === undefined ? id : `${id}\t${killers[id]}`)).join('\n'),
  )
  const result = await runSuite(
    {
      label: 'mutate',
      out,
      ...(every ? {} : { grep: selectorPattern(broken(ids)) }),
      ...(workers === undefined ? {} : { workers }),
      options: {
        ASSAY_SEED: String(seed),
        ASSAY_DIALECT: dialect,
        // Each run has references of its own: the seed alone says what it draws.
        ASSAY_NAMESPACE: 'mutate',
        ASSAY_MUTANTS: `@${idsFile}`,
        ASSAY_COMPLETE: complete ? '1' : undefined,
        ASSAY_ONLY: quick ? await writeChosen(out, await quickChecks(args, killers)) : undefined,
      },
    },
    io,
  )
  return { ...result, trials: await readTrials(out) }
}

/** Whether each environment of a dialect has these fields as they are. */
const isEverywhere = (fields: Partial<Environment>, dialect: Dialect): boolean =>
  (Object.keys(environments) as EnvironmentId[]).every((id) => {
    const row: Environment = { ...environments[id], ...dialect.environments?.[id] }
    return (Object.keys(fields) as (keyof Environment)[]).every(
      (name) => row[name] === fields[name],
    )
  })

/** Why a mutant cannot show in a dialect: what it needs, or every place where it would, is an operation that this lacks. */
const absenceOf = (id: string, dialectId = 'svc'): string | undefined => {
  const dialect = dialectOf(dialectId) ?? dialects.svc
  const { needs, at, environment } = mutants[id]?.defect ?? {}
  if (environment !== undefined && isEverywhere(environment, dialect))
    return 'the environments of the dialect are so'
  const reasons = (needs === undefined ? at : [needs])?.map((place) => {
    const operation = operationIds.find((one) => one === place)
    return operation && absence(operation, dialect)
  })
  return reasons?.every((reason) => reason !== undefined) === true ? reasons[0] : undefined
}

const matrixOf = (
  { ids, dialect }: Pick<MutationArgs, 'ids' | 'dialect'>,
  rounds: readonly Round[],
): KillMatrix => {
  const unfinished = rounds.flatMap(({ notRun }) => notRun.flatMap(({ mutant }) => mutant ?? []))
  const unsound = new Set(
    rounds
      .flatMap(({ findings }) => findings)
      .flatMap((one) => (isBad(one.verdict) ? one.check : [])),
  )
  return killMatrix(
    ids.map((id) => ({ id, breaks: mutants[id]!.breaks, absent: absenceOf(id, dialect) })),
    // What fails on the sound reference too has not noticed the mutant.
    rounds.flatMap(({ trials }) => trials).filter(({ check = '' }) => !unsound.has(check)),
    new Set(unfinished),
  )
}

const isSound = ({ check }: Finding): boolean =>
  mutants[check.split(' against ').at(-1)!] === undefined

/** Puts mutants to the checks that noticed them before, and those that went unnoticed to every check of their rules. */
export const runMutation = async (args: MutationArgs, io: Io): Promise<MutationResult> => {
  const { complete, out } = args
  const ids = args.ids.filter((id) => absenceOf(id, args.dialect) === undefined)
  if (ids.length === 0 && args.ids.length > 0) return { matrix: matrixOf(args, []), sound: [] }
  const titles = new Set((await listedChecks()).map(({ rule, variant }) => titleOf(rule, variant)))
  const killers = Object.fromEntries(
    complete ? [] : Object.entries(knownKillers()).filter(([, title]) => titles.has(title)),
  )
  const first = await round({ ...args, ids }, killers, io)
  const sound = first.findings.filter(isSound)
  const matrix = matrixOf(args, [first])
  const alive = matrix.mutants
    .filter(({ id, killed, notRun }) => !killed && notRun !== true && killers[id] !== undefined)
    .map(({ id }) => id)
  if (alive.length === 0 || io.signal.aborted) return { matrix, sound }
  const rest = await round(
    { ...args, ids: alive, every: false, quick: false, out: path.join(out, 'rest') },
    {},
    io,
  )
  return { matrix: matrixOf(args, [first, rest]), sound }
}
