import { escapeHtml } from '../html.ts'

/** The certificate as one HTML page: what was examined, what was not, against what, and valid for which build. */

export interface CertifiedRule {
  readonly rule: string
  readonly level: string
  readonly verdict: string
  readonly sentence: string
  /** Why, in a sentence. */
  readonly reason: string
}

export interface Certificate {
  readonly title: string
  readonly tool: string
  readonly started: string
  readonly finished: string
  readonly seed: number
  /** The command or the target. */
  readonly examined: string
  /** Name and SHA-256 of the build, where one was given. */
  readonly build?: { readonly name: string; readonly sha256: string } | undefined
  readonly contract: { readonly dialect: string; readonly sha256: string }
  readonly rules: readonly CertifiedRule[]
  /** Assumptions where the specification is silent. */
  readonly gaps: readonly string[]
  /** Measures beside the verdicts: label and value. */
  readonly measures: readonly (readonly [string, string])[]
  readonly advice: readonly string[]
  readonly verdict: string
}

const rows = (pairs: readonly (readonly [string, string])[]): string =>
  pairs
    .map(
      ([label, value]) =>
        `<tr><th scope="row">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
    )
    .join('\n')

const ruleRow = ({ rule, level, verdict, sentence, reason }: CertifiedRule): string =>
  `<tr class="${verdict}"><td class="verdict">${escapeHtml(verdict)}</td><td><code>${escapeHtml(rule)}</code><br>${escapeHtml(sentence)}</td><td>${level}</td><td>${escapeHtml(reason)}</td></tr>`

/** Verdicts, the worst first. */
export const gravestFirst: readonly string[] = [
  'fail',
  'broken',
  'inconclusive',
  'warn',
  'known',
  'pass',
  'observed',
  'not-exercised',
  'not-verifiable',
  'not-applicable',
]
const place = ({ verdict }: CertifiedRule): number => gravestFirst.indexOf(verdict)

const style = `
:root { color-scheme: light; --line: #d0d7de; }
body { font: 15px/1.5 system-ui, sans-serif; color: #1f2328; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th[scope=row] { width: 14rem; font-weight: 600; } code { font-size: .9em; }
thead th, td:nth-child(3):not(:last-child) { white-space: nowrap; overflow-wrap: normal; } .verdict { font-weight: 600; white-space: nowrap; overflow-wrap: normal; }
.pass .verdict, .observed .verdict { color: #1a7f37; } .fail .verdict, .broken .verdict, .inconclusive .verdict { color: #cf222e; } .warn .verdict, .known .verdict { color: #9a6700; }
.not-exercised, .not-verifiable, .not-applicable { color: #59636e; }
.result { display: inline-block; padding: .2rem .8rem; border: 2px solid currentColor; border-radius: .4rem; font-weight: 700; margin: .5rem 0 1rem; }
`

/** The page; it loads nothing from another host. */
export function certificatePage(certificate: Certificate, signer: string | undefined): string {
  const {
    title,
    tool,
    started,
    finished,
    seed,
    examined,
    build,
    contract,
    rules,
    gaps,
    measures,
    advice,
    verdict,
  } = certificate
  const facts: (readonly [string, string])[] = [
    ['Examined', examined],
    [
      'Valid for',
      build === undefined
        ? 'no particular build: none was named with --subject'
        : `${build.name}, sha256 ${build.sha256}`,
    ],
    ['Contract', `dialect ${contract.dialect}, sha256 ${contract.sha256}`],
    ['Tool', tool],
    ['Seed', String(seed)],
    ['Time', `${started} to ${finished}`],
    ['Signed by the key', signer ?? 'not signed: the pack was written without --sign'],
  ]
  const silent = new Set(['not-exercised', 'not-verifiable', 'not-applicable'])
  const said = rules
    .filter((one) => !silent.has(one.verdict))
    .toSorted((a, b) => place(a) - place(b))
  const unsaid = rules.filter((one) => silent.has(one.verdict))
  const table = (list: readonly CertifiedRule[]): string =>
    `<table><thead><tr><th>Verdict</th><th>Rule</th><th>Level</th><th>Reason</th></tr></thead><tbody>\n${list.map(ruleRow).join('\n')}\n</tbody></table>`
  const bullets = (list: readonly string[]): string =>
    `<ul>${list.map((text) => `<li>${escapeHtml(text)}</li>`).join('\n')}</ul>`
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>
<h1>${escapeHtml(title)}</h1>
<p class="result">${escapeHtml(verdict)}</p>
<table>${rows(facts)}</table>
<h2>Examined: ${said.length} rules</h2>
${table(said)}
<h2>Not examined: ${unsaid.length} rules</h2>
${unsaid.length === 0 ? '<p>Every rule was tested.</p>' : table(unsaid)}
${measures.length === 0 ? '' : `<h2>Measured</h2><table>${rows(measures)}</table>`}
${advice.length === 0 ? '' : `<h2>Advice</h2>${bullets(advice)}`}
<h2>Assumptions</h2>
${gaps.length === 0 ? '<p>No verdict rests on an assumption.</p>' : `<p>The specification is silent here; the verdicts rest on these assumptions.</p>${bullets(gaps)}`}
</body>
</html>
`
}
