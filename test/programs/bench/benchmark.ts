/** A benchmark as data: one file each. Ratios are taken within one run, because machines differ and are shared. */
export interface Benchmark {
  readonly id: string
  /** What is measured, and against what. */
  readonly what: string
  /** `scale` is 1 for the full size; smaller for a quick look. */
  run(scale: number, say: (text: string) => void): Promise<readonly Measurement[]>
}

export interface Measurement {
  readonly what: string
  readonly value: number
  /** For example `/s`, `bytes`, `s`; a ratio has none. */
  readonly unit?: string
  /** What the project aims at. Printed, never asserted: a shared machine decides no test. */
  readonly aim?: { readonly min: number } | { readonly max: number }
}

/** Whether a measurement reaches its aim; undefined where it has none. */
export const reaches = ({ value, aim }: Measurement): boolean | undefined =>
  aim === undefined ? undefined : 'min' in aim ? value >= aim.min : value <= aim.max

/** The value in the middle of an odd number of values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
