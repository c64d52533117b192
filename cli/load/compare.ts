import path from 'node:path'
import { compareLatencies } from '../../load/trace/compare.ts'
import type { Comparison } from '../../load/trace/compare.ts'
import { callsOf } from '../../load/trace/latency.ts'
import type { Io } from '../io.ts'
import { exits, printJson, usageError } from '../io.ts'
import type { LoadResult } from './result.ts'
import { runsFolder } from './stored.ts'
import { storedRun } from './stored-run.ts'
import type { StoredRun } from './stored-run.ts'

/** What changed between two stored runs. */

const readRun = (name: string, io: Io): StoredRun => {
  const folders = [path.resolve(io.cwd, name), path.resolve(io.cwd, runsFolder, name)]
  for (const folder of folders) {
    const run = storedRun(folder)
    if (run !== undefined) return run
  }
  throw usageError(
    `load compare: expected the id or directory of a stored run, received ${JSON.stringify(name)}. Runs are stored in ${runsFolder}`,
  )
}

const fromIntendedStart = ({ trace }: StoredRun): readonly number[] =>
  callsOf(trace)
    .filter(({ status }) => status !== 0)
    .map(({ due, ended }) => Math.max(0, ended - due))

/** Outcomes of which more is worse: what is counted, and how. */
const worse = {
  lost: ({ account }: LoadResult) => account.lost.length,
  doubled: ({ account }: LoadResult) => account.doubled.length,
  'with a wrong hash': ({ account }: LoadResult) => account.wrongHash.length,
  'missing from the receipt': ({ account }: LoadResult) => account.withoutReceipt.length,
  refused: ({ refused }: LoadResult) => Object.values(refused).reduce((sum, one) => sum + one, 0),
  'without an answer': ({ account }: LoadResult) => account.unknown.notFound.length,
} as const

const regressionsOf = (
  before: LoadResult,
  after: LoadResult,
  latency: Comparison,
): readonly string[] => [
  ...(latency.verdict === 'slower'
    ? [`slower: p95 ${latency.before.p95.toFixed(0)} ms, now ${latency.after.p95.toFixed(0)} ms`]
    : []),
  ...Object.entries(worse).flatMap(([what, count]) =>
    count(after) > count(before) ? [`${what}: ${count(before)}, now ${count(after)}`] : [],
  ),
]

const rows = (before: LoadResult, after: LoadResult, latency: Comparison): readonly string[] => {
  const cells: readonly (readonly [string, string, string])[] = [
    ['verdict', before.verdict, after.verdict],
    ['accepted', String(before.accepted), String(after.accepted)],
    ['throughput, a second', before.throughput.toFixed(1), after.throughput.toFixed(1)],
    ...(['p50', 'p95', 'p99', 'max'] as const).map((name): readonly [string, string, string] => [
      `${name}, ms`,
      latency.before[name].toFixed(0),
      latency.after[name].toFixed(0),
    ]),
    ...Object.entries(worse).map(([what, count]): readonly [string, string, string] => [
      what,
      String(count(before)),
      String(count(after)),
    ]),
  ]
  return cells.map(([what, was, is]) => `  ${what.padEnd(26)}${was.padStart(14)}${is.padStart(14)}`)
}

/** Compares two runs of one scenario. Exit 5 on a regression. */
export const compareRuns = (names: readonly string[], json: boolean, io: Io): number => {
  const [first, second] = names
  if (first === undefined || second === undefined || names.length > 2)
    throw usageError(
      `load compare: expected two stored runs, received ${names.length}. Try: assay load compare BEFORE AFTER`,
    )
  const [before, after] = [readRun(first, io), readRun(second, io)]
  for (const { result } of [before, after])
    if (!('account' in result))
      throw usageError(
        'load compare: expected runs that account for invoices (session-throughput, batch-upload), received another scenario',
      )
  if (before.result.scenario !== after.result.scenario)
    throw usageError(
      `load compare: expected two runs of one scenario, received ${before.result.scenario} and ${after.result.scenario}`,
    )
  const latency = compareLatencies(fromIntendedStart(before), fromIntendedStart(after))
  const regressions = regressionsOf(before.result, after.result, latency)
  if (json)
    printJson(io, { before: before.result.id, after: after.result.id, latency, regressions })
  else {
    io.out(`${''.padEnd(28)}${'before'.padStart(14)}${'after'.padStart(14)}\n`)
    io.out(`${rows(before.result, after.result, latency).join('\n')}\n\n`)
    const odds = (100 * latency.slower).toFixed(0)
    io.out(
      `latency from the intended start: ${latency.verdict} (Mann-Whitney p = ${latency.p.toPrecision(2)}; a call is slower than before in ${odds} % of all pairs)\n`,
    )
    for (const regression of regressions) io.out(`regression  ${regression}\n`)
    if (regressions.length === 0) io.out('no regression\n')
  }
  return regressions.length > 0 ? exits.thresholdsCrossed : exits.conformant
}
