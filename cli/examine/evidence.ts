import { ruleRow } from '../../contract/rules.ts'
import { counted } from '../../lib/words.ts'
import type { Examination } from '../../suites/client/examination.ts'
import type { RuleVerdict } from '../../suites/client/judge.ts'
import { clientRules } from '../../suites/client/judge.ts'
import type { PackFacts } from '../evidence.ts'
import { measuresOf } from './measures.ts'

/** What an examination puts into an evidence pack: the verdicts, and every history in full. */

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
    reason: verdict === 'pass' ? `${reason} (in ${counted(heldIn.length, 'ordeal')})` : reason,
  })),
  measures: measuresOf(found.results),
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
