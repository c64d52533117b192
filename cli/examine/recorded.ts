import { dialects } from '../../contract/dialects.ts'
import { ruleRow } from '../../contract/rules.ts'
import type { History } from '../../suites/client/history.ts'
import { judgeHistory, verdictsOf } from '../../suites/client/judge.ts'
import type { RuleVerdict } from '../../suites/client/judge.ts'
import { mannersOf } from '../../suites/client/manners.ts'
import type { Io } from '../io.ts'
import { exits, printJson } from '../io.ts'
import { stepLine } from './console.ts'

/** Verdicts about a client from a recording or a HAR file: one history, without tasks or conditions. */

export const dialectNamed = (id: string | undefined) =>
  dialects[(id ?? 'svc') as keyof typeof dialects]

/**
 * Reads a history that `assay record` wrote.
 * @throws {Error} when the text is something else
 */
export function readHistory(text: string): History {
  const value = JSON.parse(text) as Partial<History> | null
  if (!Array.isArray(value?.steps) || !Array.isArray(value.events))
    throw new Error('expected a history of `assay record`, with steps and events')
  return value as History
}

function assess(history: History, strict: boolean) {
  const opinions = judgeHistory(history).map((opinion) => ({ ...opinion, ordeal: history.source }))
  const verdicts = verdictsOf(opinions, { strict })
  const exit = verdicts.some(({ verdict }) => verdict === 'fail')
    ? exits.failed
    : verdicts.some(({ verdict }) => verdict === 'pass' || verdict === 'warn')
      ? exits.conformant
      : exits.couldNotRun
  return { verdicts, manners: mannersOf(history.steps), exit }
}

const lines = (history: History, { rule, verdict, reason, convictions }: RuleVerdict): string[] => [
  `${verdict.padEnd(14)} ${rule.padEnd(34)} ${verdict === 'fail' || verdict === 'warn' ? ruleRow(rule).sentence : reason}`,
  ...convictions
    .slice(0, 3)
    .flatMap((conviction) => [
      `    ${conviction.reason}`,
      ...history.steps
        .filter(({ n }) => conviction.steps.includes(n))
        .map((step) => `      ${stepLine(step)}`),
      ...(conviction.advice === undefined ? [] : [`      advice: ${conviction.advice}`]),
    ]),
]

/** Prints the verdicts about a history; the exit code. */
export function report(
  history: History,
  { strict, json }: { readonly strict: boolean; readonly json: boolean },
  io: Io,
): number {
  const { verdicts, manners, exit } = assess(history, strict)
  if (json) {
    printJson(io, {
      source: history.source,
      rules: verdicts,
      manners,
      steps: history.steps.length,
      exit,
    })
    return exit
  }
  for (const verdict of verdicts) for (const line of lines(history, verdict)) io.out(`${line}\n`)
  for (const line of manners.advice) io.out(`advice         ${line}\n`)
  io.out(
    `\n${history.steps.length} calls; verdict: ${exit === 0 ? 'no rule was broken' : exit === 1 ? 'the client breaks a rule' : 'no verdict'} (exit ${exit})\n`,
  )
  return exit
}
