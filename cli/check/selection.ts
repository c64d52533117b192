import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseFindings } from '../../reports/finding.ts'
import type { Finding } from '../../reports/finding.ts'
import { families } from '../../suites/support/checks/families.ts'
import { rowOf, titleOf } from '../../suites/support/checks/rule.ts'
import { usageError } from '../io.ts'
import type { Io } from '../io.ts'
import { listedChecks } from '../registered.ts'
import type { RegisteredCheck } from '../registered.ts'
import { selectorPattern } from '../options.ts'
import { quickSelection } from '../quick.ts'
import { costOf, joined } from './costs.ts'

/** Which checks a run consists of. */

export interface SelectionArgs {
  readonly selectors: string[]
  readonly grep: string | undefined
  readonly onlyMust: boolean
  readonly since: string | undefined
  readonly shard: string | undefined
  /** One check of each variant and family, drawn by the seed. */
  readonly quick: boolean
  readonly seed: number
}

/** Part of a run that is split over several machines. */
export interface Shard {
  /** From 1. */
  readonly index: number
  readonly of: number
}

export interface Selection {
  readonly checks: readonly RegisteredCheck[]
  /** Regular expression over tags, where rules alone select; undefined where titles do, or where nothing does. */
  readonly tags?: string
  /** Titles of the chosen checks; undefined where tags alone select. */
  readonly titles?: readonly string[]
}

/** `2/5`. */
export const shardOf = (given: string | undefined): Shard | undefined => {
  if (given === undefined) return undefined
  const [, index, of] = /^(\d{1,3})\/(\d{1,3})$/.exec(given) ?? []
  const shard = { index: Number(index), of: Number(of) }
  if (index === undefined || shard.index < 1 || shard.index > shard.of)
    throw usageError(`--shard: expected i/n with i from 1 to n, for example 2/5, received ${given}`)
  return shard
}

const patternOf = (given: string): RegExp => {
  try {
    return new RegExp(given)
  } catch (error) {
    throw usageError(`--grep: expected a regular expression: ${(error as Error).message}`)
  }
}

/** Findings of an earlier run: the file, or the directory of the run. */
export const earlierFindings = (option: string, given: string, io: Io): readonly Finding[] => {
  const place = path.resolve(io.cwd, given)
  for (const file of [place, path.join(place, 'findings.ndjson')])
    try {
      return parseFindings(readFileSync(file, 'utf8'))
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === undefined) throw usageError(`--${option}: ${file}: ${message}`)
    }
  throw usageError(
    `--${option}: expected the findings.ndjson of an earlier run, or its directory; there is no such file at ${place}`,
  )
}

const settled = new Set(['pass', 'observed', 'warn', 'not-verifiable', 'not-applicable'])

/** What an earlier run left open: checks that failed or came to no verdict, and checks that it did not have. */
const openSince = (checks: readonly RegisteredCheck[], earlier: readonly Finding[]) => {
  const verdicts = new Map(earlier.map(({ check, verdict }) => [check, verdict]))
  return checks.filter(
    ({ rule, variant }) => !settled.has(verdicts.get(titleOf(rule, variant)) ?? ''),
  )
}

/**
 * The checks of one shard. A file stays whole, because its checks share what they prepare; the files are dealt out by
 * how long their checks take, the longest first.
 */
export const shardedChecks = (
  checks: readonly RegisteredCheck[],
  { index, of }: Shard,
): readonly RegisteredCheck[] => {
  const files = new Map<string, number>()
  for (const check of joined(checks))
    files.set(check.file, (files.get(check.file) ?? 0) + costOf(check).ms)
  const shards = Array.from({ length: of }, () => ({ ms: 0, files: new Set<string>() }))
  const longestFirst = [...files].toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b))
  for (const [file, ms] of longestFirst) {
    const emptiest = shards.reduce((lowest, shard) => (shard.ms < lowest.ms ? shard : lowest))
    emptiest.ms += ms
    emptiest.files.add(file)
  }
  return checks.filter(({ file }) => shards[index - 1]?.files.has(file) === true)
}

const described = ({ selectors, grep, onlyMust, since, shard }: SelectionArgs): string =>
  [
    ...selectors,
    grep === undefined ? '' : `--grep ${grep}`,
    onlyMust ? '--only-must' : '',
    since === undefined ? '' : `--since ${since}`,
    shard === undefined ? '' : `--shard ${shard}`,
  ]
    .filter(Boolean)
    .join(' ')

/**
 * The checks that the arguments choose.
 * @throws {Explained} when they choose none: a run of nothing would prove nothing
 */
export const selectChecks = async (args: SelectionArgs, io: Io): Promise<Selection> => {
  const { grep, onlyMust, since } = args
  const shard = shardOf(args.shard)
  const tags = selectorPattern(args.selectors)
  const all = await listedChecks()
  const listed = args.quick ? quickSelection(all, args.seed) : all
  const tagged = tags === undefined ? undefined : new RegExp(tags)
  const named = listed.filter(({ rule }) => tagged?.test(`@${rule}`) ?? true)
  if (grep === undefined && !onlyMust && since === undefined && shard === undefined)
    return { checks: named, ...(tags === undefined ? {} : { tags }) }
  const pattern = grep === undefined ? undefined : patternOf(grep)
  const wanted = named.filter(
    ({ rule, variant }) =>
      (pattern?.test(titleOf(rule, variant)) ?? true) &&
      (!onlyMust || rowOf(rule, variant).level === 'MUST'),
  )
  const open = since === undefined ? wanted : openSince(wanted, earlierFindings('since', since, io))
  const checks = shard === undefined ? open : shardedChecks(open, shard)
  if (checks.length === 0)
    throw usageError(
      `no check is chosen by ${described(args)}${since === undefined ? '' : ': the earlier run left nothing open'}. \`assay list\` shows the rules.`,
    )
  return { checks, titles: checks.map(({ rule, variant }) => titleOf(rule, variant)) }
}

/** Whether checks of a family are registered only with documents of the user. */
export const isOptional = (variant = ''): boolean =>
  Object.entries(families).some(
    ([name, row]) => 'optional' in row && (variant === name || variant.startsWith(`${name}, `)),
  )
