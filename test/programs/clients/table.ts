import type { ClientRow } from './rows.ts'

/** The table of clients in the guide: one line a row of `rows.ts`. */

export interface Step {
  readonly name: string
  /** Absent where the step succeeded. */
  readonly failure?: string
}

export interface Result {
  readonly row: ClientRow
  readonly version: string
  readonly steps: readonly Step[]
  /** Why the flow said nothing. */
  readonly problem?: string
  /** The client could not even be installed, so this is no verdict about it. */
  readonly isMissing?: boolean
}

/** A line of the table that this run did not measure, and why. */
export interface Kept {
  readonly client: string
  readonly reason: string
}

const head = ['| registry | client | version | works | fails |', '| --- | --- | --- | --- | --- |']

const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 160)

const lineOf = ({ row, version, steps, problem }: Result): string => {
  const works = steps.filter(({ failure }) => failure === undefined).map(({ name }) => name)
  const fails = steps.flatMap(({ name, failure }) =>
    failure === undefined ? [] : [`${name} (${failure})`],
  )
  const failed = problem === undefined ? fails.join('; ') : `not run: ${problem}`
  return `| ${row.registry} | \`${row.package}\` | ${version} | ${cell(works.join(', '))} | ${cell(failed)} |`
}

/** The table of what was run. */
export const tableOf = (results: readonly Result[]): string =>
  [...head, ...results.map(lineOf)].join('\n')

const cellsOf = (line: string): string[] => line.split('|').map((text) => text.trim())

/** The line that a table has of a client. A row without a version owns what no other row has pinned. */
const lineBefore = (
  before: string,
  row: ClientRow,
  rows: readonly ClientRow[],
): string | undefined =>
  before.split('\n').find((line) => {
    const [, registry, name, version] = cellsOf(line)
    if (registry !== row.registry || name !== `\`${row.package}\``) return false
    if (row.version !== undefined) return version === row.version
    const isSame = (other: ClientRow) =>
      other.registry === row.registry && other.package === row.package
    return !rows.some((other) => isSame(other) && other.version === version)
  })

/**
 * The whole table after a run of some rows. What the run could not measure keeps its line.
 * @param before the table as it was
 * @param rows every client, in the order of the table
 */
export const tableAfter = (
  before: string,
  rows: readonly ClientRow[],
  results: readonly Result[],
): { readonly table: string; readonly kept: readonly Kept[] } => {
  const kept: Kept[] = []
  const lines = rows.flatMap((row) => {
    const result = results.find((one) => one.row === row)
    if (result !== undefined && result.isMissing !== true) return [lineOf(result)]
    const line = lineBefore(before, row, rows)
    const reason = result?.problem ?? 'not part of this run'
    if (line === undefined) return result === undefined ? [] : [lineOf(result)]
    kept.push({ client: `${row.registry} ${row.package}`, reason })
    return [line]
  })
  return { table: [...head, ...lines].join('\n'), kept }
}
