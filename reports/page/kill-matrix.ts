import { grouped } from '../finding.ts'
import { escapeHtml } from '../html.ts'
import type { KillMatrix } from '../kill-matrix.ts'
import type { Words } from './words.ts'

/** Which check noticed which known defect, rule by rule, survivors first. */
export function killMatrixHtml(words: Words, { mutants, checks, killed }: KillMatrix): string {
  const applicable = mutants.filter((row) => row.notApplicable === undefined)
  const alive = applicable.filter((row) => !row.killed)
  const survivors = alive.map(
    ({ id, notRun }) =>
      `<li><code>${escapeHtml(id)}</code>${notRun === true ? ` (${words.verdicts['not run']})` : ''}</li>`,
  )
  const rules = [...grouped(checks, ({ rule }) => rule)].map(([rule, own]) => {
    const rows = own.map(
      ({ check, tried, kills }) =>
        `<tr><td>${escapeHtml(check)}</td><td>${tried}</td><td>${kills.length}</td><td>${kills.map((id) => `<code>${escapeHtml(id)}</code>`).join('<br>')}</td></tr>`,
    )
    const caught = new Set(own.flatMap(({ kills }) => kills)).size
    return `<details class="cause"><summary><code>${escapeHtml(rule)}</code> <strong>${caught}</strong> ${words.defectsCaught.toLowerCase()}</summary><div class="wide" tabindex="0"><table><thead><tr><th scope="col">${words.checks}</th><th scope="col">${words.defectsTried}</th><th scope="col">${words.defectsCaught}</th><th scope="col">${words.whichDefects}</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></details>`
  })
  return `<section><h2>${words.defects}</h2><p>${escapeHtml(words.defectsCount(killed, applicable.length))}</p>${survivors.length === 0 ? '' : `<h3>${words.survivors}</h3><ul>${survivors.join('')}</ul>`}${rules.join('')}</section>`
}
