import { Status } from 'allure-js-commons'
import type { Category } from 'allure-js-commons/sdk'
import type { Rule } from '../../contract/types.ts'
import { isBad } from '../../lib/verdict.ts'
import { causeLine, causesOf } from '../causes.ts'
import type { Finding } from '../finding.ts'

/**
 * Allure sorts results into categories by their status and message, so each message has a line with the kind of its
 * fault, and each kind is a category.
 */

/** What a category is called, by the kind of fault that its messages name. */
const kinds = {
  'missing refusal': 'Accepted, where a refusal is due',
  'unexpected refusal': 'Refused, where a success is due',
  'wrong code': 'Refused with another status or code',
  shape: 'An answer does not have the shape of the contract',
  'server error': 'The service answered 5xx',
  time: 'Time: expiry, clock or rate',
  environment: 'Environment: the target did not answer',
} as const
type Kind = keyof typeof kinds

/** The kind of a finding: as whoever threw named it, else by what its rule needs. */
export const kindOf = ({ fault, verdict }: Finding, rule: Rule | undefined): Kind | undefined => {
  if (!isBad(verdict) && verdict !== 'warn') return undefined
  return fault ?? (rule?.needs?.includes('clock') === true ? 'time' : undefined)
}

export const kindLine = (kind: Kind): string => `kind: ${kind}`

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** A regular expression (Java's) for messages that have this line. */
const withLine = (line: string): string => `(?s)(.*\\n)?${escaped(line)}(\\n.*)?`

/** What Allure shows as neither passed nor failed; its types do not name it. */
export const unknownStatus = 'unknown' as Status

/** The categories of a run, the narrow ones first: its shared causes, then the kinds of fault. */
export const categoriesOf = (findings: readonly Finding[]): Category[] => [
  ...causesOf(findings.filter(({ verdict }) => isBad(verdict))).causes.map((cause) => ({
    name: causeLine(cause),
    messageRegex: withLine(`cause: ${cause.text}`),
  })),
  ...Object.entries(kinds).map(([kind, name]) => ({
    name,
    matchedStatuses: [Status.FAILED, Status.BROKEN],
    messageRegex: withLine(kindLine(kind as Kind)),
  })),
  {
    name: 'Not run: the run is incomplete',
    matchedStatuses: [Status.BROKEN],
    messageRegex: '(?s)not run.*',
  },
  { name: 'The rule does not hold', matchedStatuses: [Status.FAILED] },
  { name: 'No verdict', matchedStatuses: [Status.BROKEN] },
  { name: 'Warning: a recommendation (SHOULD) does not hold', matchedStatuses: [unknownStatus] },
  {
    name: 'Known failure',
    matchedStatuses: [Status.SKIPPED],
    messageRegex: '(?s)known: .*',
  },
  { name: 'Not verified on this target', matchedStatuses: [Status.SKIPPED] },
]
