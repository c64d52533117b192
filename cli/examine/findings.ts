import type { Finding } from '../../reports/finding.ts'
import type { Run } from '../../reports/run.ts'
import type { Examination } from '../../suites/client/examination.ts'
import { toolVersion } from '../version.ts'

/** An examination as the findings that reports are made of. */

/** One finding for each rule that the ordeals could exercise. */
export const findingsOf = (
  { verdicts, results }: Examination,
  about: Pick<Finding, 'check' | 'variant'>,
  replay: (ordeals: readonly string[]) => string,
): Finding[] =>
  verdicts.map(({ rule, verdict, reason, convictions }) => ({
    rule,
    ...about,
    verdict: verdict === 'not-exercised' ? 'not-verifiable' : verdict,
    ms: results.reduce((sum, { ms }) => sum + ms, 0),
    reason: verdict === 'not-exercised' ? `not exercised: ${reason}` : reason,
    ...(convictions[0] && { actual: convictions[0].reason }),
    replay: replay(convictions.slice(0, 1).map(({ ordeal }) => ordeal)),
  }))

/** The examination of a user's client as a run. */
export const examinationRun = (
  found: Examination,
  { command, dialect }: { readonly command: readonly string[]; readonly dialect: string },
): Run => {
  const { seed, started, finished } = found
  const target = command.join(' ') || 'a client that was started by hand'
  const spelled = dialect === 'svc' ? '' : ` --dialect ${dialect}`
  const findings = findingsOf(found, { check: 'the client keeps the rule' }, (ordeals) =>
    ['assay examine', ...ordeals, `--seed ${seed}${spelled} --`, ...command].join(' '),
  )
  const version = toolVersion()
  return {
    facts: { started, finished, seed, namespace: '', target, dialect, version },
    findings,
    planned: findings.length,
    notRun: [],
  }
}
