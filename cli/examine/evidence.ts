import { ruleRow } from '../../contract/rules.ts'
import type { Examination } from '../../suites/client/examination.ts'
import type { RuleVerdict } from '../../suites/client/judge.ts'
import { clientRules } from '../../suites/client/judge.ts'
import { issuedOnce } from '../../suites/client/exactly-once.ts'
import type { PackFacts } from '../evidence.ts'

/** What an examination puts into an evidence pack: the verdicts, and every history in full. */

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function measuresOf({ results }: Examination): (readonly [string, string])[] {
  const manners = results.map((result) => result.manners)
  const documents = results.map(({ history }) => issuedOnce(history))
  const beyond = manners.flatMap(({ retryAfter }) => retryAfter.shortest ?? [])
  const ages = manners.flatMap(({ keysAge }) => keysAge ?? [])
  return [
    ['Ordeals', String(results.length)],
    ['Calls', String(sum(manners.map(({ calls }) => calls)))],
    [
      'Documents issued exactly once',
      `${sum(documents.map(({ once }) => once))} of ${sum(documents.map(({ of }) => of))}`,
    ],
    [
      'Retry-After obeyed',
      `${sum(manners.map(({ retryAfter }) => retryAfter.refusals - retryAfter.early))} of ${sum(manners.map(({ retryAfter }) => retryAfter.refusals))}${beyond.length === 0 ? '' : `; earliest call ${Math.round(Math.min(...beyond))} ms after the time that was asked for`}`,
    ],
    ['Calls above the limits', String(sum(manners.map(({ limitsExceeded }) => limitsExceeded)))],
    [
      'Most calls of one operation in a second',
      String(Math.max(0, ...manners.map(({ busiest }) => busiest.perSecond))),
    ],
    ['Most looks at one outcome', String(Math.max(0, ...manners.map(({ polls }) => polls.most)))],
    [
      'Oldest list of certificates used',
      ages.length === 0 ? 'none' : `${(Math.max(...ages) / 1000).toFixed(1)} s`,
    ],
    [
      'Calls with a secret in the wrong place',
      String(sum(manners.map(({ misplacedSecrets }) => misplacedSecrets))),
    ],
  ]
}

/** Rules that the chosen ordeals do not exercise are named as such: nothing that was left out looks examined. */
const everyRule = ({ verdicts }: Examination): readonly RuleVerdict[] =>
  clientRules.map(
    (rule) =>
      verdicts.find((one) => one.rule === rule) ?? {
        rule,
        verdict: 'not-exercised',
        reason: 'none of the chosen ordeals exercises it',
        convictions: [],
        heldIn: [],
      },
  )

export const examinationEvidence = (
  found: Examination,
  command: readonly string[],
  dialect: string,
  exit: number,
): PackFacts => ({
  title: 'Examination of a client',
  examined: command.join(' '),
  dialect,
  seed: found.seed,
  started: found.started,
  finished: found.finished,
  verdict:
    exit === 0 ? 'No rule was broken' : exit === 1 ? 'The client breaks a rule' : 'No verdict',
  isComplete: exit === 0 || exit === 1,
  rules: everyRule(found).map(({ rule, verdict, reason, heldIn }) => ({
    rule,
    verdict,
    level: ruleRow(rule).level,
    sentence: ruleRow(rule).sentence,
    reason: verdict === 'pass' ? `${reason} (in ${heldIn.length} ordeals)` : reason,
  })),
  measures: measuresOf(found),
  advice: [...new Set(found.results.flatMap(({ manners }) => manners.advice))],
  files: {
    'findings.ndjson': found.verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join(''),
    'histories.ndjson': found.results
      .map(
        ({ id, seed, conditions, ends, history }) =>
          `${JSON.stringify({ ordeal: id, seed, conditions, ends, history })}\n`,
      )
      .join(''),
  },
})
