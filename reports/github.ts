import type { Rule } from '../contract/types.ts'
import { isBad } from '../lib/verdict.ts'
import { causeLine, causesOf } from './causes.ts'
import type { Finding } from './finding.ts'
import { grouped, totalsLine } from './finding.ts'
import { code, table } from './markdown.ts'
import { coverageLine, headline } from './run.ts'
import type { Run } from './run.ts'

/** What GitHub shows of a run: annotations (workflow commands) and the summary of a step. */

export interface Annotation {
  readonly level: 'error' | 'warning'
  readonly title: string
  readonly message: string
  /** Path in the repository, and the place in it, from 1. */
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** An annotation as the line that GitHub's runner reads from the output of a step. */
export const workflowCommand = ({ level, title, message, file, line, column }: Annotation) => {
  const properties = Object.entries({ title, file, line, col: column }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`],
  )
  return `::${level} ${properties.join(',')}::${escapeData(message)}`
}

/** The maximum number of annotations of each level that GitHub shows for a step; it drops the rest. */
const maxAnnotations = 10

const few = (annotations: readonly Annotation[], level: Annotation['level']): Annotation[] => {
  const own = annotations.filter((one) => one.level === level)
  if (own.length <= maxAnnotations) return own
  const shown = own.slice(0, maxAnnotations - 1)
  const message = `${own.length - shown.length} more are in the summary of the step and in the reports`
  return [...shown, { level, title: `${own.length} in all`, message }]
}

/** At most as many annotations as GitHub shows; the last one of a level says how many there are. */
export const shownAnnotations = (annotations: readonly Annotation[]): Annotation[] => [
  ...few(annotations, 'error'),
  ...few(annotations, 'warning'),
]

type Rules = Readonly<Record<string, Rule>>

const messageOf = (found: readonly Finding[], rule: Rule | undefined): string => {
  const [first] = found
  return [
    rule && `${rule.sentence} (${rule.clause})`,
    first?.reason,
    first?.expected && `expected: ${first.expected}`,
    first?.actual && `received: ${first.actual}`,
    first?.likely && `likely cause: ${first.likely}`,
    found.length > 1 && `${found.length} checks of this rule`,
    first?.replay && `replay: ${first.replay}`,
  ]
    .filter(Boolean)
    .join('\n')
}

const shownWhen = (finding: Finding): boolean =>
  isBad(finding.verdict) || finding.verdict === 'warn'

/** An annotation for each shared cause, and for each rule that failed for another cause. */
export const annotationsOf = ({ findings, notRun }: Run, rules: Rules): Annotation[] => {
  const { causes, left } = causesOf(findings.filter(shownWhen))
  const levelOf = (found: readonly Finding[]): Annotation['level'] =>
    found.some(({ verdict }) => isBad(verdict)) ? 'error' : 'warning'
  const annotations: Annotation[] = [
    ...causes.map((cause) => ({
      level: levelOf(cause.findings),
      title: `${cause.rules} rules, one cause`,
      message: causeLine(cause),
    })),
    ...[...grouped(left, ({ rule }) => rule)].map(([rule, found]) => ({
      level: levelOf(found),
      title: rule,
      message: messageOf(found, rules[rule]),
    })),
    ...(notRun.length === 0
      ? []
      : [
          {
            level: 'error',
            title: 'the run is incomplete',
            message: `${notRun.length} planned checks did not report`,
          } as const,
        ]),
  ]
  return shownAnnotations(annotations)
}

/** Maximum number of rules in the summary of a step, whose size GitHub limits. */
const maxRows = 50

/** The summary of a step in Markdown: the verdict, what failed and why, and how to see it again. */
export const stepSummary = (run: Run, rules: Rules): string => {
  const { findings, facts } = run
  const groups = [...grouped(findings.filter(shownWhen), ({ rule }) => rule)]
  const rows = groups.slice(0, maxRows).map(([rule, found]) => {
    const [first] = found
    const what = [first?.expected && `expected ${first.expected}`, first?.actual ?? first?.reason]
    const contract = rules[rule]
    return [
      code(rule),
      first?.verdict ?? '',
      contract?.sentence ?? '',
      contract?.clause ?? '',
      what.filter(Boolean).join('; received '),
    ]
  })
  const replays = groups.flatMap(([, found]) => found[0]?.replay ?? []).slice(0, maxRows)
  return [
    `## ${headline(run)}`,
    '',
    `${facts.target}: ${coverageLine(run)}; ${totalsLine(findings)}`,
    '',
    ...(rows.length === 0
      ? []
      : [table(['rule', 'verdict', 'requirement', 'clause', 'seen'], rows)]),
    ...(groups.length > rows.length ? ['', `${groups.length - rows.length} more rules`] : []),
    ...(replays.length === 0
      ? []
      : ['', '<details><summary>Replay</summary>', '', '```', ...replays, '```', '', '</details>']),
    '',
    `seed ${facts.seed}, namespace ${facts.namespace}, assay ${facts.version}`,
    '',
  ].join('\n')
}
