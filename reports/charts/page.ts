import { escapeHtml } from '../html.ts'

/** A self-contained report page: no script, no font, no network. */

export interface Figure {
  readonly title: string
  /** What the reader sees in it, in a sentence. */
  readonly caption?: string
  readonly svg: string
}

export interface Table {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface Page {
  readonly title: string
  readonly summary: readonly string[]
  /** Coloured beside the title; none when absent. */
  readonly verdict?: string
  readonly figures: readonly Figure[]
  readonly tables?: readonly Table[]
  /** Text as it is, in a fixed-width font. */
  readonly text?: string
}

const style = `
:root{color-scheme:light;font:16px/1.5 system-ui,sans-serif;color:#1d2329;background:#f5f6f8}
body{margin:0 auto;max-width:1180px;padding:1rem}
h1{font-size:1.5rem;margin:.5rem 0;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:0 0 .25rem}
section,figure{background:#fff;border:1px solid #dde1e6;border-radius:6px;margin:1rem 0;padding:1rem}
figcaption{color:#4b545e;font-size:.9rem;margin-bottom:.5rem}
.verdict{border-radius:4px;color:#fff;display:inline-block;font-size:.9rem;padding:.1rem .6rem;vertical-align:middle}
.pass{background:#2c7a51}.fail{background:#c0283d}.inconclusive{background:#8a5a00}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem;min-width:50%}
th,td{border-bottom:1px solid #e6e9ed;padding:.3rem .8rem .3rem 0;text-align:left;vertical-align:top}
td:not(:first-child),th:not(:first-child){font-variant-numeric:tabular-nums}
figure svg{display:block;min-width:640px}
pre{font-size:.82rem;margin:0;overflow-x:auto;white-space:pre-wrap}
ul{margin:.25rem 0;padding-left:1.2rem}
`

const tableHtml = ({ title, head, rows }: Table): string =>
  `<section><h2>${escapeHtml(title)}</h2><div class="wide" tabindex="0"><table><thead><tr>${head
    .map((cell) => `<th scope="col">${escapeHtml(cell)}</th>`)
    .join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
    .join('')}</tbody></table></div></section>`

const figureHtml = ({ title, caption, svg }: Figure): string => {
  // An image needs a name for readers who cannot see it; the caption beside it says what to look for.
  const named = svg.replace('<svg role="img"', `<svg role="img" aria-label="${escapeHtml(title)}"`)
  return `<figure><h2>${escapeHtml(title)}</h2>${
    caption === undefined ? '' : `<figcaption>${escapeHtml(caption)}</figcaption>`
  }<div class="wide" tabindex="0">${named}</div></figure>`
}

/** Charts as HTML, for a section of another page. */
export const figuresHtml = (figures: readonly Figure[]): string[] =>
  figures.map((figure) => figureHtml(figure).replaceAll(/(<\/?)h2>/g, '$1h3>'))

export const pageHtml = ({ title, summary, verdict, figures, tables = [], text }: Page): string =>
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>
<h1>${escapeHtml(title)}${verdict === undefined ? '' : ` <span class="verdict ${escapeHtml(verdict)}">${escapeHtml(verdict)}</span>`}</h1>
${summary.length === 0 ? '' : `<section><ul>${summary.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul></section>`}
${figures.map(figureHtml).join('\n')}
${tables.map(tableHtml).join('\n')}
${text === undefined ? '' : `<section><pre>${escapeHtml(text)}</pre></section>`}
</main></body></html>
`
