import { languages } from '../reports/page/languages.ts'
import type { Options, PositionalOptions } from 'yargs'
import type { Io } from './io.ts'

/** A command as data: what yargs shows, and what runs. `run` gets the parsed arguments and gives the exit code. */
export interface Command<A extends object = object> {
  readonly usage: string
  readonly summary: string
  readonly positionals?: Readonly<
    Record<string, PositionalOptions & { readonly defaultDescription?: string }>
  >
  readonly options: Readonly<Record<string, Options>>
  /** Another command follows after `--`; it arrives under that name. */
  readonly takesCommand?: boolean
  /** Command line after `assay`, and what it is good for. */
  readonly examples?: Readonly<Record<string, string>>
  /** It ends when it is stopped: that is no interruption. */
  readonly runsUntilStopped?: boolean
  /** The arguments are those of `positionals` and `options`, dashed names in camel case. */
  readonly run: (args: A, io: Io) => Promise<number>
}

/** Headings of the help, in its order; every option stands under one of them. */
export const groups = {
  scope: 'What to do:',
  documents: 'Documents:',
  service: 'Network and threads:',
  behaviour: 'Behaviour:',
  time: 'Time:',
  data: 'Data:',
  target: 'Target:',
  reference: 'Embedded reference:',
  packaging: 'Encryption and packages:',
  verdict: 'Verdict:',
  repeat: 'Repeatable runs:',
  output: 'Output:',
} as const

/** The positional of commands that choose rules. */
export const ruleSelectors = {
  type: 'string',
  array: true,
  default: [] as string[],
  defaultDescription: 'every rule',
  describe: 'An area (auth), a prefix (auth.status) or a rule id',
} as const satisfies NonNullable<Command['positionals']>[string]

/** Options that several commands share, each written once. */
export const shared = {
  json: {
    type: 'boolean',
    default: false,
    group: groups.output,
    describe: 'Write one JSON document to standard output; progress goes to standard error',
  },
  seed: {
    type: 'number',
    group: groups.repeat,
    describe: 'Seed of the run, an int32; random when absent, and always printed',
  },
  namespace: {
    type: 'string',
    group: groups.repeat,
    describe: 'Namespace of contexts and invoice numbers; new for each run when absent',
  },
  lang: {
    choices: Object.keys(languages),
    default: 'en',
    group: groups.output,
    describe: 'Language of the report page, index.html, and of the HTML of Allure',
  },
  history: {
    type: 'string',
    group: groups.output,
    describe: 'Directory that carries history, trend and flaky marks from run to run',
  },
  target: {
    type: 'string',
    group: groups.target,
    describe: 'URL with the version prefix, or a profile file; absent: the embedded reference',
  },
  dialect: {
    type: 'string',
    group: groups.target,
    describe: 'svc (the specification) or ksef (the public contract)',
  },
  environment: {
    choices: ['test', 'demo', 'production'] as const,
    group: groups.behaviour,
    describe: 'Environment whose rules the reference follows; test when absent',
  },
  limits: {
    type: 'string',
    group: groups.reference,
    describe: 'Rate limits of the reference: production, test, off, or a JSON file',
  },
  strict: {
    type: 'boolean',
    default: false,
    group: groups.verdict,
    describe: 'Fail when a SHOULD does not hold or a part could not run',
  },
  minVerified: {
    type: 'string',
    array: true,
    group: groups.verdict,
    describe:
      'Least share of the checks to verify, for example 80%, or auth=80% for an area; repeatable; less ends with exit code 3',
  },
  out: {
    type: 'string',
    defaultDescription: 'a new directory below reports/out',
    group: groups.output,
    describe: 'Directory of the findings and reports of this run',
  },
} as const satisfies Record<string, Options>
