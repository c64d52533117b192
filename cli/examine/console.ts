import { ruleRow } from '../../contract/rules.ts'
import { counted } from '../../lib/words.ts'
import type { Examination } from '../../suites/client/examination.ts'
import type { OrdealResult } from '../../suites/client/examiner.ts'
import type { Step } from '../../suites/client/history.ts'
import type { Placed } from '../../suites/client/judge.ts'
import { groupedBy } from '../../suites/client/manners.ts'
import { measuresOf } from './measures.ts'

/** An examination as text. */

/** One line for an ordeal that found something, or has no verdict. */
export function findingLine({ id, opinions, inconclusive }: OrdealResult): string | undefined {
  const failed = [
    ...new Set(opinions.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule)),
  ]
  if (failed.length === 0 && inconclusive === undefined) return undefined
  return `${id.padEnd(30)} ${[...failed, ...(inconclusive === undefined ? [] : [inconclusive])].join(', ')}\n`
}

/** A step as a line of a story. */
export const stepLine = (step: Step): string =>
  `${(step.at / 1000).toFixed(2).padStart(7)} s  #${step.n} ${step.operation ?? `${step.method} ${step.path}`}${step.number === undefined ? '' : ` (${step.number})`} -> ${step.status ?? 'no answer'}${step.code === undefined ? '' : ` code ${step.code}`}${step.details?.[0] === undefined ? '' : ` "${step.details[0]}"`}${step.fault === undefined ? '' : ` [${step.fault}]`}`

/** Ends of a client that explain nothing. */
const expectedEnd = /^(exit 0$|killed$)/

/** How a runtime begins the line that names an error: Node, Python, Java, Go. */
const errorLine = /^(Exception in |Caused by: |panic: |[\w.$]*(Error|Exception)\b)/

/** How a client ended, and the line of its standard error that says why. */
function endLine(end: string): string {
  const lines = end.split('\n').map((line) => line.trim())
  const [first = ''] = lines
  const error = lines.findLast((line) => errorLine.test(line))
  const how = /^(exit \d+|[^:]+)/.exec(first)?.[0] ?? first
  return (error === undefined ? end.replaceAll(/\s+/g, ' ') : `${how}: ${error}`).slice(0, 250)
}

/** What is the same in the words of two convictions of one kind: all but names, numbers and counts. */
const kindOf = ({ reason }: Placed): string =>
  reason.replaceAll(/(?<!answered |code )\S*\d\S*/g, '#')

/** The conviction whose story is shortest, of those that have one. */
const plainest = (group: readonly Placed[]): Placed | undefined =>
  group.toSorted((a, b) => (a.steps.length || Infinity) - (b.steps.length || Infinity))[0]

/** Convictions of one kind: the shortest story, and where else it was seen. */
function groupLines(group: readonly Placed[], found: Examination, replay: string): string[] {
  const conviction = plainest(group)
  if (conviction === undefined) return []
  const result = found.results.find(({ id }) => id === conviction.ordeal)
  const steps = result?.history.steps.filter(({ n }) => conviction.steps.includes(n)) ?? []
  const others = new Set(group.map(({ ordeal }) => ordeal))
  others.delete(conviction.ordeal)
  return [
    `    in ${conviction.ordeal} (${result?.title ?? ''}): ${conviction.reason}`,
    ...steps.map((step) => `      ${stepLine(step)}`),
    ...(result?.ends ?? [])
      .filter((end) => !expectedEnd.test(end))
      .slice(-1)
      .map((end) => `      the client ended: ${endLine(end)}`),
    ...(conviction.advice === undefined ? [] : [`      advice: ${conviction.advice}`]),
    `      replay: ${replay} ${conviction.ordeal} -- ...`,
    ...(others.size === 0
      ? []
      : [`      the same in ${counted(others.size, 'other ordeal')}: ${[...others].join(', ')}`]),
  ]
}

/** Kinds of convictions of one rule that are shown. */
const shown = 3

export function* examinationLines(
  found: Examination,
  dialect: string,
  exit: number,
): Generator<string> {
  const replay = `assay examine --seed ${found.seed}${dialect === 'svc' ? '' : ` --dialect ${dialect}`}`
  for (const { rule, verdict, reason, convictions, heldIn } of found.verdicts) {
    yield `${verdict.padEnd(14)} ${rule.padEnd(34)} ${verdict === 'pass' ? `in ${counted(heldIn.length, 'ordeal')}` : verdict === 'fail' || verdict === 'warn' ? ruleRow(rule).sentence : reason}`
    const groups = [...groupedBy(convictions, kindOf).values()]
    const lines = groups.slice(0, shown).flatMap((group) => groupLines(group, found, replay))
    // What the first story said need not be said again for the documents that it harmed.
    yield* new Set(lines)
    const rest = groups.slice(shown).flat().length
    if (rest > 0) yield `    and ${counted(rest, 'more conviction')}`
  }
  const advice = new Set(found.results.flatMap(({ manners }) => manners.advice))
  if (advice.size > 0) yield ''
  for (const line of [...advice].slice(0, 5)) yield `advice         ${line}`
  yield ''
  for (const { id, inconclusive } of found.results)
    if (inconclusive !== undefined) yield `inconclusive   ${id}: ${inconclusive}`
  for (const id of found.missing) yield `missing        ${id} did not report`
  for (const [name, value] of measuresOf(found.results)) yield `${name.padEnd(38)} ${value}`
  yield `took ${Math.round((Date.parse(found.finished) - Date.parse(found.started)) / 1000)} s`
  yield `seed           ${found.seed}`
  yield `verdict        ${exit === 0 ? 'no rule was broken' : exit === 1 ? 'the client breaks a rule' : 'no verdict'} (exit ${exit})`
}
