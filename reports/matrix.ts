import { areas } from '../contract/types.ts'
import type { Area, Rule } from '../contract/types.ts'
import type { Finding, Verdict } from './finding.ts'
import { isBad } from '../lib/verdict.ts'
import { causeLine, causesOf } from './causes.ts'
import { areaOf, grouped, totalsLine } from './finding.ts'
import { verdictLine } from './run.ts'
import type { Run } from './run.ts'

/** Worst first: the verdict of a rule is the worst of its checks. */
const worst: readonly Verdict[] = [
  'fail',
  'broken',
  'inconclusive',
  'known',
  'warn',
  'observed',
  'pass',
  'not-verifiable',
  'not-applicable',
]

export const verdictOfRule = (findings: readonly Finding[]): Verdict | undefined =>
  worst.find((verdict) => findings.some((finding) => finding.verdict === verdict))

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const reasonOf = (findings: readonly Finding[], verdict: Verdict | undefined): string => {
  if (verdict === undefined || verdict === 'pass') return ''
  const finding = findings.find((candidate) => candidate.verdict === verdict)
  return finding?.reason ?? finding?.actual ?? ''
}

/**
 * The requirement matrix: every rule of the contract, whether something checked it, and what came out.
 * A rule that nothing checked says so; it is never left out.
 */
export const matrix = (rules: Readonly<Record<string, Rule>>, run: Run): string => {
  const { facts, findings, notRun } = run
  const missing = grouped(notRun, ({ rule }) => rule)
  const byRule = grouped(findings, ({ rule }) => rule)
  const { causes } = causesOf(findings.filter(({ verdict }) => isBad(verdict)))
  const lines = [
    '# Requirement matrix',
    '',
    `Verdict: ${verdictLine(run)}`,
    '',
    totalsLine(findings),
    '',
    `Target: ${facts.target}. Date: ${facts.started} to ${facts.finished}. Seed ${facts.seed}, namespace ${facts.namespace}, assay ${facts.version}.`,
    '',
    ...(causes.length === 0
      ? []
      : ['## Causes', '', ...causes.map((one) => `- ${causeLine(one)}`), '']),
  ]
  const order: readonly Area[] = areas
  for (const area of order) {
    const ids = Object.keys(rules).filter((id) => areaOf(id) === area)
    if (ids.length === 0) continue
    lines.push(`## ${area}`, '')
    lines.push(
      '| rule | requirement | clause | level | binds | verdict | checks | reason |',
      '| --- | --- | --- | --- | --- | --- | --- | --- |',
    )
    for (const id of ids) {
      const rule = rules[id]
      if (rule === undefined) continue
      const found = byRule.get(id) ?? []
      const verdict = verdictOfRule(found)
      const unreported = missing.get(id)?.length ?? 0
      const reason = [
        reasonOf(found, verdict),
        unreported === 0 ? '' : `${unreported} of ${found.length + unreported} checks did not run`,
      ]
        .filter(Boolean)
        .join('; ')
      lines.push(
        `| ${id} | ${cell(rule.sentence)} | ${cell(rule.clause)} | ${rule.level} | ${rule.binds} | ${verdict ?? 'not run'} | ${found.length} | ${cell(reason)} |`,
      )
    }
    lines.push('')
  }
  return lines.join('\n')
}
