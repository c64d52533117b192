import { counted } from '../lib/words.ts'
import type { Finding } from './finding.ts'
import { grouped, totalsLine } from './finding.ts'

/** Findings that one cause explains. */
export interface Cause {
  readonly text: string
  readonly findings: readonly Finding[]
  /** How many rules they are about. */
  readonly rules: number
}

/** `182 checks of 40 rules: answers of auth.challenge have a wrong media type`. */
export const causeLine = ({ text, findings, rules }: Cause): string => {
  const totals = totalsLine(findings)
  return `${findings.length} checks of ${counted(rules, 'rule')}, one cause (${totals}): ${text}`
}

/** The minimum number of findings for which a cause gets a separate line. */
const minShared = 3

/**
 * Groups findings by the cause that the code that threw named, for example a login that is refused everywhere. The
 * largest group comes first; findings without a shared cause are left.
 */
export const causesOf = (
  findings: readonly Finding[],
): { readonly causes: readonly Cause[]; readonly left: readonly Finding[] } => {
  const groups = grouped(
    findings.filter(({ cause }) => cause !== undefined),
    ({ cause = '' }) => cause,
  )
  const causes = [...groups]
    .filter(([, group]) => group.length >= minShared)
    .map(([text, group]) => ({
      text,
      findings: group,
      rules: new Set(group.map(({ rule }) => rule)).size,
    }))
    .toSorted((a, b) => b.findings.length - a.findings.length)
  const explained = new Set(causes.flatMap((cause) => cause.findings))
  return { causes, left: findings.filter((finding) => !explained.has(finding)) }
}
