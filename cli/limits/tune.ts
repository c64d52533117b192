import { endpoint, operationIds } from '../../contract/endpoints.ts'
import { limits as limitRows } from '../../contract/limits.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import type { Window } from '../../contract/types.ts'
import type { AssignedJob } from '../../load/assignment.ts'
import type { Measured, Subject } from '../../load/probes/job.ts'
import { spans } from '../../load/probes/job.ts'
import type { Io } from '../io.ts'
import { couldNotRun } from '../io.ts'
import type { Wanted } from '../load/target.ts'
import { rowsOf } from './edge.ts'
import type { ProbedTarget } from './run-probes.ts'
import { withProbedTarget } from './run-probes.ts'
import { subjectOfRow } from './subjects.ts'

/** The highest legal pace of a target, proved by a run without a single 429. */

export interface Pace {
  readonly $schema: string
  readonly target: string
  readonly written: string
  readonly marginMs: number
  readonly limits: Readonly<Record<string, Window>>
  readonly operations: Readonly<
    Record<
      string,
      Window & { readonly rule: string; readonly burst: number; readonly spacingMs: number }
    >
  >
  readonly batch: { readonly invoices: number; readonly partBytes: number }
  readonly proof: {
    readonly calls: number
    readonly limited: 0
    readonly seconds: number
    readonly time: 'virtual' | 'real'
    /** Rows that were called side by side. */
    readonly rules: readonly string[]
  }
}

export interface TuneArgs {
  /** Rows of the mix; all when empty. */
  readonly rules: readonly string[]
  /** Length of the proof; two hours in virtual time and 75 s in real time when absent. */
  readonly seconds: number | undefined
}

const attempts = 8
const margins = [100, 200, 400] as const
/** What is left of a limit after an attempt at it failed. */
const step = 0.8

interface Tuned {
  readonly table: Readonly<Record<string, Window>>
  readonly marginMs: number
  readonly calls: number
}

/** Looks for the pace: from the limits that the target reports downwards, until a run meets no 429. */
const search = async (
  target: ProbedTarget,
  rows: readonly RateRuleId[],
  seconds: number,
  io: Io,
): Promise<Tuned> => {
  const { callers, run } = target
  let table: Record<string, Window> = {}
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const marginMs = margins[Math.min(attempt, margins.length - 1)] ?? 100
    const caller = await callers.next()
    const subjects: Subject[] = []
    for (const row of rows)
      subjects.push(await subjectOfRow(row, caller, callers.offsetMs(), table[row]))
    table = Object.fromEntries(subjects.map(({ row, thresholds }) => [row, thresholds]))
    const job: AssignedJob = {
      probe: 'pace',
      subjects,
      ...caller.login,
      pauseMs: caller.isUsed ? spans.minute : 0,
      seconds,
      marginMs,
    }
    io.err(`attempt ${attempt + 1}: ${rows.length} rules for ${seconds} s, margin ${marginMs} ms\n`)
    const trace = await run('limit-pace', [[job]], { maximumSeconds: seconds + 600 })
    const measured = trace.flatMap((line) => (line.t === 'probe' ? [line.measured] : []))
    if (measured.length === 0) throw couldNotRun('the run at the pace ended without a result')
    for (const one of measured) io.err(`  ${one.row}: ${one.passed} pass, ${one.actual}\n`)
    const refused = measured.filter(({ verdict }) => verdict === 'fail')
    if (refused.length === 0)
      return { table, marginMs, calls: measured.reduce((sum, { passed = 0 }) => sum + passed, 0) }
    if (attempt + 1 >= margins.length) table = { ...table, ...lowered(table, refused) }
  }
  throw couldNotRun(
    `no pace without a 429 was found in ${attempts} attempts; \`assay limits identify\` shows how the target limits`,
  )
}

const lowered = (
  table: Readonly<Record<string, Window>>,
  refused: readonly Measured[],
): Record<string, Window> =>
  Object.fromEntries(
    refused.flatMap(({ row }) => {
      const window = table[row]
      if (window === undefined) return []
      const less = (calls: number) => Math.max(1, Math.floor(calls * step))
      const { perSecond, perMinute, perHour } = window
      return [
        [row, { perSecond: less(perSecond), perMinute: less(perMinute), perHour: less(perHour) }],
      ]
    }),
  )

export const tunePace = (
  wanted: Wanted,
  { rules, seconds: asked }: TuneArgs,
  io: Io,
): Promise<Pace> => {
  const rows = rowsOf(rules)
  return withProbedTarget(wanted, io, async (target) => {
    const { virtual, place } = target
    const seconds = asked ?? (virtual ? 7200 : 75)
    io.err(`seed ${wanted.seed}\n`)
    const { table, marginMs, calls } = await search(target, rows, seconds, io)
    return {
      $schema: 'node_modules/assay/docs/reference/pace.schema.json',
      target: place.profile.url,
      written: new Date().toISOString(),
      marginMs,
      limits: table,
      operations: operationsOf(table, marginMs),
      batch: {
        invoices: limitRows['session.invoices'].value,
        partBytes: limitRows['batch.partBytes'].value,
      },
      proof: {
        calls,
        limited: 0,
        seconds,
        time: virtual ? 'virtual' : 'real',
        rules: rows,
      },
    }
  })
}

const operationsOf = (
  table: Readonly<Record<string, Window>>,
  marginMs: number,
): Pace['operations'] =>
  Object.fromEntries(
    operationIds.flatMap((operation) => {
      const { rate: rule } = endpoint(operation)
      const window = table[rule]
      if (window === undefined) return []
      const { perSecond } = window
      const spacingMs = Math.ceil((1000 + marginMs) / perSecond)
      return [[operation, { rule, ...window, burst: perSecond, spacingMs }]]
    }),
  )

export const paceText = ({ target, limits, marginMs, proof }: Pace): string =>
  [
    `Pace at ${target}: ${proof.calls} calls in ${proof.seconds} s of ${proof.time} time, none refused`,
    `  ${'rule'.padEnd(18)}${'a second'.padStart(10)}${'a minute'.padStart(10)}${'an hour'.padStart(10)}`,
    ...Object.entries(limits).map(
      ([row, { perSecond, perMinute, perHour }]) =>
        `  ${row.padEnd(18)}${String(perSecond).padStart(10)}${String(perMinute).padStart(10)}${String(perHour).padStart(10)}`,
    ),
    `  a call that waits for a window leaves ${marginMs} ms later than it might`,
    '',
  ].join('\n')
