import { escapeHtml } from '../html.ts'

/**
 * A table that a narrow screen shows as one block for each row, each cell below the name of its column. The roles keep
 * it a table there for a screen reader.
 */

export interface Row {
  /** Cells as HTML; the first one names the row. */
  readonly cells: readonly string[]
}

export const tableHtml = (heads: readonly string[], rows: readonly Row[]): string => {
  const head = heads.map((text) => `<th role="columnheader" scope="col">${escapeHtml(text)}</th>`)
  const body = rows.map(({ cells }) => {
    const [first = '', ...rest] = cells
    const others = rest.map((html, at) =>
      html === ''
        ? '<td role="cell"></td>'
        : `<td role="cell" data-label="${escapeHtml(heads[at + 1] ?? '')}">${html}</td>`,
    )
    return `<tr role="row"><th role="rowheader" scope="row">${first}</th>${others.join('')}</tr>`
  })
  return `<table role="table"><thead role="rowgroup"><tr role="row">${head.join('')}</tr></thead><tbody role="rowgroup">${body.join('')}</tbody></table>`
}
