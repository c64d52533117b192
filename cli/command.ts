import type { Options, PositionalOptions } from 'yargs'
import type { Io } from './io.ts'

/** A command as data: what yargs shows, and what runs. `run` gets the parsed arguments and gives the exit code. */
export interface Command<A extends object = object> {
  readonly usage: string
  readonly summary: string
  readonly positionals?: Readonly<Record<string, PositionalOptions>>
  readonly options: Readonly<Record<string, Options>>
  /** Command line after `assay`, and what it is good for. */
  readonly examples?: Readonly<Record<string, string>>
  /** The arguments are those of `positionals` and `options`, dashed names in camel case. */
  readonly run: (args: A, io: Io) => Promise<number>
}

/** Options that several commands share, each written once. */
export const shared = {
  json: {
    type: 'boolean',
    default: false,
    describe: 'one JSON document on standard output, progress on standard error',
  },
  seed: {
    type: 'number',
    describe: 'seed of the run, an int32; drawn and printed when absent',
  },
  namespace: {
    type: 'string',
    describe: 'namespace of contexts and invoice numbers; new for each run when absent',
  },
  target: {
    type: 'string',
    describe: 'URL with the version prefix, or a profile file; the embedded reference when absent',
  },
  dialect: { type: 'string', describe: 'svc (the specification) or ksef (the public contract)' },
  environment: {
    choices: ['test', 'demo', 'production'] as const,
    describe: 'how the reference behaves',
  },
  limits: {
    type: 'string',
    describe: 'rate limits of the reference: production, test, off, or a file with a table',
  },
  strict: {
    type: 'boolean',
    default: false,
    describe: 'a SHOULD that does not hold fails; a part that could not run fails',
  },
  out: {
    type: 'string',
    default: 'reports/out',
    describe: 'directory of the findings and reports',
  },
} as const satisfies Record<string, Options>
