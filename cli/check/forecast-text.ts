import { variantName } from '../../contract/rules.ts'
import { counted } from '../../lib/words.ts'
import { shortWait } from '../../suites/support/run/patience.ts'
import { formatDuration } from '../plan/duration.ts'
import type { RegisteredCheck } from '../registered.ts'
import { titleOf } from '../../suites/support/checks/rule.ts'
import type { Course, Forecast, RowForecast } from './forecast.ts'

const count = (checks: number): string => counted(checks, 'check')

const limitsText = ({ thresholds }: RowForecast): string => {
  const { perSecond, perMinute, perHour } = thresholds ?? {}
  return (
    [
      perSecond === undefined ? '' : `${perSecond} a second`,
      perMinute === undefined ? '' : `${perMinute} a minute`,
      perHour === undefined ? '' : `${perHour} an hour`,
    ]
      .filter(Boolean)
      .join(', ') || 'no limit'
  )
}

const rowLine = (row: RowForecast): string =>
  `  ${row.row.padEnd(26)} ${String(row.calls).padStart(6)} calls, at best ${formatDuration(row.ms)} (${limitsText(row)})`

const durationText = (ms: number): string => formatDuration(Math.round(ms))

/** A run waits longer than its plan by so much: answers and other callers take time that no plan knows. */
const spare = 1.2

/** A patience that is enough, as the option takes it. */
const patienceFor = (ms: number): string => {
  const minutes = Math.ceil((spare * ms) / 60_000) + 1
  return minutes > 120 ? `${Math.ceil(minutes / 60)}h` : `${minutes}min`
}

const timeLine = ({ ms, patienceMs, withoutRoom }: Course, given: number): string => {
  const waits = `at best ${durationText(ms)}, with ${durationText(patienceMs)} of waits longer than ${formatDuration(shortWait)}`
  const more = given - patienceMs
  return more > 0 && withoutRoom.length > 0
    ? `${waits}; the patience allows ${durationText(more)} more`
    : waits
}

/** Rows beyond this wait for nothing that matters. */
const maxRows = 12

const names = (checks: readonly RegisteredCheck[], indent: string): readonly string[] =>
  checks.map(({ rule, variant }) => `${indent}${titleOf(rule, variant)}`)

interface ForecastText {
  /** The patience of the run, in milliseconds. */
  readonly given: number
  /** How many documents are generated for each schema. */
  readonly documents: number
  /** Whether each check is named. */
  readonly listed?: boolean
}

/** Which documents a run can afford to generate: those of one check go in one package, whatever their number. */
const documentsLine = ({ runs, planned }: Forecast, documents: number): string => {
  const of = (checks: readonly RegisteredCheck[]) =>
    checks.filter(({ variant = '' }) => variantName(variant).startsWith('generated ')).length
  const packages = of(runs) - of(planned.withoutRoom)
  if (of(runs) === 0) return ''
  return packages === 0
    ? 'generated documents: none, because there is no room for a package'
    : `generated documents: ${counted(packages, 'package')}, those that are to reach every element with up to ${documents} each, most informative first; \`--documents\` sets how many, and more cost no further calls`
}

/**
 * A forecast as a person reads it: `--dry-run` prints it, and a run begins with it.
 */
export const forecastLines = (
  plan: Forecast,
  { given, documents, listed = false }: ForecastText,
): readonly string[] => {
  const { runs, notRun, rows, planned, whole, earlier } = plan
  const [longest] = rows
  const left = notRun.reduce((sum, { checks }) => sum + checks.length, 0)
  return [
    `plan: ${count(runs.length)} will run, ${left} will not`,
    ...(listed ? names(runs, '  ') : []),
    ...notRun.flatMap(({ reason, checks }) => [
      `  ${count(checks.length)}: ${reason}`,
      ...(listed ? names(checks, '    ') : []),
    ]),
    earlier === 0
      ? ''
      : `${counted(earlier, 'call')} of earlier runs in the same contexts still ${earlier === 1 ? 'counts' : 'count'}, and take up room`,
    'calls by rate limit:',
    ...rows.slice(0, maxRows).map(rowLine),
    rows.length > maxRows ? `  and ${rows.length - maxRows} more limits that bind less` : '',
    longest?.bound === undefined
      ? 'no limit makes the run wait'
      : `the limit that binds: ${longest.bound.rule}, ${longest.bound.threshold} ${longest.bound.window === 'hour' ? 'an hour' : `a ${longest.bound.window}`}`,
    documentsLine(plan, documents),
    timeLine(planned, given),
    planned.withoutRoom.length === 0
      ? ''
      : `${given === 0 ? 'without --patience' : `with --patience ${formatDuration(given)}`}, ${count(planned.withoutRoom.length)} will find no room within the limits and not be verifiable; --patience ${patienceFor(whole.patienceMs)} verifies them too, in ${durationText(whole.ms)} at best`,
  ].filter(Boolean)
}
