import { Status } from 'allure-js-commons'
import type { Category } from 'allure-js-commons/sdk'
import type { Rule } from '../../contract/types.ts'
import { isBad } from '../../lib/verdict.ts'
import { causeLine, causesOf } from '../causes.ts'
import type { Finding } from '../finding.ts'
import type { AllureWords, Kind } from './words.ts'

/**
 * Allure sorts results into categories by their status and message, so each message has a line with the kind of its
 * fault, and each kind is a category.
 */

/** In this order: a result goes into the first category that matches. */
const kinds = [
  'missing refusal',
  'unexpected refusal',
  'wrong code',
  'shape',
  'server error',
  'time',
  'environment',
] as const satisfies readonly Kind[]

/** The kind of a finding: as named by the code that threw, else by what its rule needs. */
export const kindOf = ({ fault, verdict }: Finding, rule: Rule | undefined): Kind | undefined => {
  if (!isBad(verdict) && verdict !== 'warn') return undefined
  return fault ?? (rule?.needs?.includes('clock') === true ? 'time' : undefined)
}

export const kindLine = (kind: Kind): string => `kind: ${kind}`

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** A regular expression (Java's) for messages that have this line. */
const withLine = (line: string): string => `(?s)(.*\\n)?${escaped(line)}(\\n.*)?`

/** The status that Allure shows as neither passed nor failed; its types do not name it. */
export const unknownStatus = 'unknown' as Status

/** The categories of a run, the narrow ones first: its shared causes, then the kinds of fault. */
export const categoriesOf = (
  findings: readonly Finding[],
  { kinds: names, categories }: AllureWords,
): Category[] => [
  ...causesOf(findings.filter(({ verdict }) => isBad(verdict))).causes.map((cause) => ({
    name: causeLine(cause),
    messageRegex: withLine(`cause: ${cause.text}`),
  })),
  ...kinds.map((kind) => ({
    name: names[kind],
    matchedStatuses: [Status.FAILED, Status.BROKEN],
    messageRegex: withLine(kindLine(kind)),
  })),
  {
    name: categories.notRun,
    matchedStatuses: [Status.BROKEN],
    messageRegex: '(?s)not run.*',
  },
  { name: categories.failed, matchedStatuses: [Status.FAILED] },
  { name: categories.undecided, matchedStatuses: [Status.BROKEN] },
  { name: categories.warning, matchedStatuses: [unknownStatus] },
  {
    name: categories.known,
    matchedStatuses: [Status.SKIPPED],
    messageRegex: '(?s)known: .*',
  },
  { name: categories.unverified, matchedStatuses: [Status.SKIPPED] },
]
