/** The little Markdown that generated pages need. */

const note = '<!-- Made from contract/ by scripts/docs.mjs; changes here are lost. -->'

/** Text inside a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
export const code = (text: string): string => `\`${text}\``
export const codes = (texts: readonly (string | number)[] | undefined): string =>
  (texts ?? []).map((text) => code(String(text))).join(' ')

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => ' --- |').join('')}`,
    ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
  ].join('\n')

/** A page with its title and the note that it is generated. */
export const page = (title: string, ...parts: readonly string[]): string =>
  `${[`# ${title}`, note, ...parts].join('\n\n')}\n`
