/** What of the matrices of coverage the exchanges of a run showed. */

/** A cell that a check of the run should have shown and did not, although it passed. */
export interface MissedCell {
  readonly matrix: string
  readonly cell: string
  /** Where a check of it belongs, below `suites/`. */
  readonly file: string
  /** Titles of the checks that should have shown it. */
  readonly checks: readonly string[]
}

export interface MatrixOfRun {
  readonly matrix: string
  readonly title: string
  readonly shown: number
  /** The checks that show them failed, could not be verified on the target, or do not apply to it. */
  readonly unverified: number
  /** The checks that show them were not part of the run. */
  readonly notRun: number
  readonly missed: readonly MissedCell[]
}

export interface RunCoverage {
  readonly matrices: readonly MatrixOfRun[]
  /** Steps from state to state that no lifecycle permits, with the checks that saw them. */
  readonly illegal: readonly { readonly step: string; readonly checks: readonly string[] }[]
}

/** Missed cells that the terminal names. */
const maxNamed = 10

const expected = ({ shown, missed }: MatrixOfRun): number => shown + missed.length

/** What a run showed, in a few lines. */
export const runCoverageLines = ({ matrices, illegal }: RunCoverage): readonly string[] => {
  const tried = matrices.filter((one) => expected(one) > 0)
  const missed = tried.flatMap((one) => one.missed)
  const rest = missed.length - maxNamed
  return [
    ...(tried.length === 0
      ? []
      : [
          `shown: ${tried.map((one) => `${one.matrix} ${one.shown} of ${expected(one)}`).join(', ')}`,
        ]),
    ...missed
      .slice(0, maxNamed)
      .map(({ matrix, cell, file }) => `  not shown: ${matrix} ${cell} (suites/${file})`),
    ...(rest > 0 ? [`  and ${rest} more, see coverage.json`] : []),
    ...illegal.map(
      ({ step, checks }) => `  illegal step: ${step}, in ${checks.slice(0, 3).join('; ')}`,
    ),
  ]
}

/** The matrices of a run as a section of a page. */
export const runCoverageSection = ({ matrices, illegal }: RunCoverage): string =>
  [
    '## Coverage',
    '',
    'What the exchanges of this run showed of the contract. `coverage.json` names the checks that showed each row.',
    '',
    '| matrix | what | shown | not shown | not verified | not run |',
    '| --- | --- | --- | --- | --- | --- |',
    ...matrices.map(
      ({ matrix, title, shown, missed, unverified, notRun }) =>
        `| ${matrix} | ${title} | ${shown} | ${missed.length} | ${unverified} | ${notRun} |`,
    ),
    '',
    ...matrices.flatMap(({ missed }) =>
      missed.map(({ matrix, cell, file }) => `- not shown: ${matrix} ${cell} (suites/${file})`),
    ),
    ...illegal.map(({ step, checks }) => `- illegal step: ${step}, in ${checks.join('; ')}`),
    '',
  ].join('\n')
