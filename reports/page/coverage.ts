import { capabilities } from '../../contract/types.ts'
import type { Capability, Rule } from '../../contract/types.ts'
import { grouped } from '../finding.ts'
import type { Finding } from '../finding.ts'
import { escapeHtml } from '../html.ts'
import type { Run } from '../run.ts'
import type { Words } from './words.ts'

/** What was not verified, grouped by the reason: what the target lacks, or what the check said. */

const isCapability = (need: string): need is Capability => need in capabilities

const reasonOf = (words: Words, { needs = [], reason }: Finding): string => {
  if (needs.length === 0) return reason ?? words.verdicts['not-verifiable']
  const named = needs.map((need) =>
    isCapability(need) ? `${words.capabilities[need] ?? capabilities[need]} (${need})` : need,
  )
  return words.lacking(named.join(', '))
}

const rulesHtml = (ids: Iterable<string>): string =>
  [...ids].map((id) => `<li><a href="#${id}"><code>${id}</code></a></li>`).join('')

const groupHtml = (reason: string, count: number, ids: Iterable<string>): string =>
  `<details class="cause"><summary>${escapeHtml(reason)} <strong>${count}</strong></summary><ul class="links">${rulesHtml(ids)}</ul></details>`

export function unverifiedHtml(
  words: Words,
  rules: Readonly<Record<string, Rule>>,
  { findings, notRun }: Run,
): string {
  const unverified = findings.filter(({ verdict }) => verdict === 'not-verifiable')
  const reported = new Set(findings.map(({ rule }) => rule))
  const untouched = Object.keys(rules).filter((id) => !reported.has(id))
  const groups = [...grouped(unverified, (finding) => reasonOf(words, finding))]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([reason, group]) =>
      groupHtml(reason, group.length, new Set(group.map(({ rule }) => rule))),
    )
  const unfinished = new Set(notRun.map(({ rule }) => rule))
  if (notRun.length > 0)
    groups.unshift(groupHtml(words.verdicts['not run'], notRun.length, unfinished))
  const unselected = untouched.filter((id) => !unfinished.has(id))
  if (unselected.length > 0)
    groups.push(
      `<details class="cause"><summary>${escapeHtml(words.notSelected(unselected.length))}</summary><ul class="links">${rulesHtml(unselected)}</ul></details>`,
    )
  const shown = groups.length === 0 ? `<p>${words.allVerified}</p>` : groups.join('')
  return `<section><h2>${words.unverified}</h2>${shown}</section>`
}
