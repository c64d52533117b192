import { rateRules } from '../../contract/limits.ts'
import type { Repeat } from '../../lib/plan/cycles.ts'
import type { SendingPlan } from '../../lib/plan/plan.ts'
import type { Bound } from '../../lib/plan/timetable.ts'
import { formatClock, formatDuration } from './duration.ts'

/** A plan as a person reads it. */

const number = (value: number): string => value.toLocaleString('en')
const plural = (count: number, one: string, more = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : more}`

const operationOf = (rule: string): string =>
  rule in rateRules ? rateRules[rule as keyof typeof rateRules].operation : rule

const boundText = ({ window, threshold }: Bound): string =>
  `${number(threshold)} ${window === 'hour' ? 'an' : 'a'} ${window}`

const reason = (bound: Bound | undefined): string =>
  bound === undefined ? '' : `  [${boundText(bound)}]`

const rhythm = (part: Repeat): string => {
  const calls = plural(part.calls, 'call')
  if (part.repeats === 1) return part.parts.length === 0 ? calls : `${calls}:`
  const every = `one every ${formatDuration(part.every)}`
  return part.parts.length === 0
    ? `${plural(part.repeats, 'burst')} of ${calls}, ${every}${reason(part.bound)}`
    : `${plural(part.repeats, 'round')} of ${calls}, ${every}${reason(part.bound)}`
}

const rhythmLines = (part: Repeat, depth: number, start: number): string[] => [
  `  ${formatClock(start + part.from).padStart(10)}  ${'  '.repeat(depth)}${rhythm(part)}`,
  ...part.parts.flatMap((inner) => rhythmLines(inner, depth + 1, start + part.from)),
]

/** Lines of a schedule that a person still reads; the JSON has all of it. */
const maximumLines = 24

const scheduleLines = (cycles: readonly Repeat[]): string[] => {
  const lines = cycles.flatMap((cycle) => rhythmLines(cycle, 0, 0))
  return lines.length <= maximumLines
    ? lines
    : [...lines.slice(0, maximumLines), `  and ${lines.length - maximumLines} lines more (--json)`]
}

const heading = ({ design, pairs }: SendingPlan): string => {
  const { invoices, mode, contexts, addresses, limits } = design
  const how = mode === 'online' ? 'interactive sessions' : 'batch sessions'
  const who =
    pairs === 1
      ? '1 context from 1 address'
      : `${plural(contexts, 'context')} from ${plural(addresses, 'address', 'addresses')}`
  return `${plural(invoices, 'invoice')} in ${how}, ${who}, limits: ${limits.name}\n`
}

const waitLines = ({ waits, schedule }: SendingPlan): string[] => {
  const total = schedule?.ends ?? 0
  if (waits.length === 0 || total === 0) return ['  nothing: no window is ever full']
  return waits.map(
    ({ bound, ms, from }) =>
      `  ${operationOf(bound.rule)}, ${boundText(bound)}: from ${formatClock(from)}, ${((100 * ms) / total).toFixed(1)} % of the time`,
  )
}

const companionLines = ({ companions }: SendingPlan): string[] =>
  companions.map(({ what, calls, ms, fits, advice }) => {
    const verdict = fits ? 'fits' : `takes ${formatDuration(ms)}, longer than the sending`
    return `  ${what}: ${plural(calls, 'call')}, ${verdict}${advice === undefined ? '' : `; ${advice}`}`
  })

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\n${title}\n${lines.join('\n')}\n`

export const planText = (plan: SendingPlan): string => {
  const { schedule, design, pairs } = plan
  const head = heading(plan)
  const facts =
    schedule === undefined
      ? []
      : [
          `  time at best   ${formatDuration(schedule.ends)} (${formatClock(schedule.ends)})`,
          ...(schedule.ends < 60_000
            ? []
            : [
                `  pace           ${number(Math.round((design.invoices * 3_600_000) / schedule.ends))} invoices an hour`,
              ]),
          `  sessions       ${number(schedule.sessions.length)}${pairs === 1 ? '' : ' for each context and address'}, at most ${number(Math.max(...schedule.sessions.map(({ invoices }) => invoices)))} invoices each`,
        ]
  const whose = pairs === 1 ? '' : ', for each context and address'
  return [
    head,
    facts.length === 0 ? '' : `${facts.join('\n')}\n`,
    section(
      'Not feasible',
      plan.problems.map((line) => `  ${line}`),
    ),
    schedule === undefined ? '' : section('What limits it', waitLines(plan)),
    section(
      `Schedule (${design.mode === 'online' ? 'submissions' : 'openings and closings'}${whose})`,
      scheduleLines(plan.cycles),
    ),
    section('What else must fit', companionLines(plan)),
    section(
      'Faster',
      plan.alternatives.map(({ change, ms }) => `  ${change}: ${formatDuration(ms)}`),
    ),
    section(
      'Note',
      plan.remarks.map((line) => `  ${line}`),
    ),
  ].join('')
}
