import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Dialect } from '../../contract/dialect.ts'
import { dialectOf, dialects } from '../../contract/dialects.ts'
import { operationIds } from '../../contract/endpoints.ts'
import { environments } from '../../contract/environments.ts'
import type { Environment, EnvironmentId } from '../../contract/environments.ts'
import { isBad } from '../../lib/verdict.ts'
import { absence } from '../../lib/wire.ts'
import { mutants } from '../../reference/mutants/mutants.ts'
import type { Finding } from '../../reports/finding.ts'
import { killMatrix, unprovedChecks } from '../../reports/kill-matrix.ts'
import type { KillMatrix, Trial, UnprovedCheck } from '../../reports/kill-matrix.ts'
import type { RunCoverage } from '../../reports/run-coverage.ts'
import { checksOfCells } from '../coverage/responsible.ts'
import { coverageOfRun } from '../coverage/run.ts'
import { quickSelection } from '../quick.ts'
import { listedChecks } from '../registered.ts'
import type { RegisteredCheck } from '../registered.ts'
import type { Io } from '../io.ts'
import { selectorPattern } from '../options.ts'
import { keepForSpecs, runSuite } from '../playwright.ts'
import type { SuiteResult } from '../playwright.ts'
import { titleOf } from '../../suites/support/checks/rule.ts'
import type { MutantRun, Pairs } from '../../suites/support/checks/run-options.ts'
import { knownKillers } from './killers.ts'

/** Runs the suite against mutants, and against the sound reference beside them. */

export interface MutationArgs {
  readonly ids: readonly string[]
  /** Every mutant: the checks of rules that none breaks run on the sound reference too. */
  readonly every: boolean
  readonly seed: number
  readonly dialect: string | undefined
  readonly pairs: Pairs
  /** On the sound reference one check of each variant and family, beside those that the mutants are put to. */
  readonly quick: boolean
  readonly workers: number | undefined
  readonly out: string
}

export interface MutationResult {
  readonly matrix: KillMatrix
  /** What the checks said of the sound reference. */
  readonly sound: readonly Finding[]
  /** What the exchanges of the checks on the sound reference showed of the contract. */
  readonly coverage: RunCoverage | undefined
  /** Checks that no mutant proved, where each was to be. */
  readonly unproved: readonly UnprovedCheck[]
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

/** What a quick run needs: one check of each group, those of the matrices, and what the mutants are put to. */
const quickChecks = async (
  rows: readonly MutantRun[],
  seed: number,
): Promise<readonly RegisteredCheck[]> => {
  const listed = await listedChecks()
  const quick = new Set([...quickSelection(listed, seed), ...checksOfCells(listed)])
  const titles = new Set(rows.flatMap(({ checks = [] }) => checks))
  const rules = new Set(broken(rows.flatMap(({ id, checks }) => (checks === undefined ? id : []))))
  return listed.filter(
    (check) =>
      quick.has(check) || titles.has(titleOf(check.rule, check.variant)) || rules.has(check.rule),
  )
}

const round = async (args: MutationArgs, rows: readonly MutantRun[], io: Io): Promise<Round> => {
  const { every, seed, dialect, pairs, quick, workers, out } = args
  const mutantsFile = keepForSpecs(out, 'mutants-run', rows)
  const result = await runSuite(
    {
      label: 'mutate',
      out,
      ...(every ? {} : { grep: selectorPattern(broken(rows.map(({ id }) => id))) }),
      ...(workers === undefined ? {} : { workers }),
      options: {
        ASSAY_SEED: String(seed),
        ASSAY_DIALECT: dialect,
        // Each run has its own references, so only the seed decides what it draws.
        ASSAY_NAMESPACE: 'mutate',
        ASSAY_MUTANTS: `@${mutantsFile}`,
        ASSAY_PAIRS: pairs,
        ASSAY_ONLY: quick ? keepForSpecs(out, 'quick', await quickChecks(rows, seed)) : undefined,
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
  const { needs, at, environment, absentIn } = mutants[id]?.defect ?? {}
  if (environment !== undefined && isEverywhere(environment, dialect))
    return 'the environments of the dialect are so'
  const absent = absentIn?.(dialect)
  if (absent !== undefined) return absent
  const reasons = (needs === undefined ? at : [needs])?.map((place) => {
    const operation = operationIds.find((one) => one === place)
    return operation && absence(operation, dialect)
  })
  return reasons?.every((reason) => reason !== undefined) === true ? reasons[0] : undefined
}

const matrixOf = (
  { ids, dialect }: Pick<MutationArgs, 'ids' | 'dialect'>,
  rounds: readonly Round[],
  /** Mutants that were to be put to further checks, and were not. */
  left: readonly string[] = [],
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
    new Set([...unfinished, ...left]),
  )
}

const isSound = ({ check }: Finding): boolean =>
  mutants[check.split(' against ').at(-1)!] === undefined

/** Each mutant with the checks that are known to notice it; alone, where none is known or all are wanted. */
const firstRows = async (ids: readonly string[], pairs: Pairs): Promise<MutantRun[]> => {
  if (pairs === 'all') return ids.map((id) => ({ id }))
  const titles = new Set((await listedChecks()).map(({ rule, variant }) => titleOf(rule, variant)))
  const killers = knownKillers()
  return ids.map((id) => {
    const known = killers.get(id)?.filter((title) => titles.has(title)) ?? []
    if (known.length === 0) return { id }
    return { id, checks: pairs === 'until-proved' ? known : known.slice(0, 1) }
  })
}

/** What is known of the rules whose mutants are all among these; the checks of other rules may catch more. */
const ofWholeRules = (sound: readonly Finding[], ids: readonly string[]): readonly Finding[] => {
  const chosen = new Set(ids)
  const partly = new Set<string>(
    Object.entries(mutants).flatMap(([id, { breaks }]) => (chosen.has(id) ? [] : breaks)),
  )
  return sound.filter(({ rule }) => !partly.has(rule))
}

/** What the first round left open: mutants that no check noticed yet, and checks that noticed none. */
const restRows = (
  ids: readonly string[],
  first: readonly MutantRun[],
  { matrix, unproved: checksLeft }: MutationResult,
): MutantRun[] => {
  const tried = new Map(first.map(({ id, checks }) => [id, checks]))
  const alive = new Set(
    matrix.mutants
      .filter(({ id, killed, notRun }) => !killed && notRun !== true && tried.get(id) !== undefined)
      .map(({ id }) => id),
  )
  const unproved = new Map<string, string[]>()
  for (const { rule, check } of checksLeft)
    unproved.set(rule, [...(unproved.get(rule) ?? []), check])
  return ids.flatMap((id) => {
    if (alive.has(id)) return [{ id }]
    const checks = mutants[id]!.breaks.flatMap((rule) => unproved.get(rule) ?? [])
    return checks.length === 0 ? [] : [{ id, checks, dead: true }]
  })
}

/** Puts mutants to the checks that noticed them before, and those that went unnoticed to every check of their rules. */
export const runMutation = async (
  args: MutationArgs,
  io: Io,
  run: typeof round = round,
): Promise<MutationResult> => {
  const { out, pairs } = args
  const ids = args.ids.filter((id) => absenceOf(id, args.dialect) === undefined)
  if (ids.length === 0 && args.ids.length > 0)
    return { matrix: matrixOf(args, []), sound: [], coverage: undefined, unproved: [] }
  const rows = await firstRows(ids, pairs)
  const first = await run(args, rows, io)
  const sound = first.findings.filter(isSound)
  const coverage = await coverageOfRun(out, sound, args.dialect)
  const provable = pairs === 'until-noticed' ? [] : ofWholeRules(sound, args.ids)
  const resultOf = (rounds: readonly Round[]): MutationResult => {
    const matrix = matrixOf(args, rounds)
    // What held in the first round may fail in a later one: such a check proves nothing either.
    const later = rounds.slice(1).flatMap(({ findings }) => findings)
    const failed = later.filter((one) => isSound(one) && isBad(one.verdict))
    const unproved = unprovedChecks(matrix, provable)
    return { matrix, sound: [...sound, ...failed], coverage, unproved }
  }
  const result = resultOf([first])
  const left = pairs === 'all' ? [] : restRows(ids, rows, result)
  if (left.length === 0) return result
  // A check that noticed nothing yet may do so in the rounds that were not run: nothing is said of it.
  const interrupted = (): MutationResult => ({
    matrix: matrixOf(
      args,
      [first],
      left.flatMap(({ id, dead }) => (dead === true ? [] : id)),
    ),
    sound,
    coverage,
    unproved: [],
  })
  if (io.signal.aborted) return interrupted()
  try {
    const further = { ...args, every: false, quick: false, out: path.join(out, 'rest') }
    return resultOf([first, await run(further, left, io)])
  } catch (error) {
    if (io.signal.aborted) return interrupted()
    throw error
  }
}
