import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** The templates for CI servers, read as what their runners do: jobs of steps, each step in order. */

export type Step =
  | {
      readonly kind: 'run'
      readonly script: string
      readonly env: Readonly<Record<string, string>>
      /** Also after a step that failed. */
      readonly always: boolean
    }
  /** Keeps a path of the job for others. */
  | { readonly kind: 'upload'; readonly name: string; readonly path: string }
  /** Gets everything that was kept. */
  | { readonly kind: 'download' }

export interface Job {
  readonly name: string
  readonly steps: readonly Step[]
}

/** Values that the server gives: secrets and facts of the run, by their names in expressions. */
export type Values = Readonly<Record<string, string>>

interface GithubStep {
  readonly run?: string
  readonly uses?: string
  readonly if?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, string>>
}

interface GithubJob {
  readonly steps: readonly GithubStep[]
  readonly strategy?: { readonly matrix?: Readonly<Record<string, readonly (string | number)[]>> }
}

/** Puts values into expressions such as `${{ matrix.part }}`. */
const evaluated = (text: string, values: Values): string =>
  text.replaceAll(/\$\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`no value for the expression ${name}`)
    return value
  })

const githubStep = (step: GithubStep, values: Values): Step[] => {
  const env = Object.fromEntries(
    Object.entries(step.env ?? {}).map(([name, text]) => [name, evaluated(text, values)]),
  )
  const always = step.if === 'always()'
  if (step.run !== undefined)
    return [{ kind: 'run', script: evaluated(step.run, values), env, always }]
  const { name = '', path = '' } = step.with ?? {}
  if (step.uses?.startsWith('actions/upload-artifact@'))
    return [{ kind: 'upload', name: evaluated(name, values), path }]
  return step.uses?.startsWith('actions/download-artifact@') ? [{ kind: 'download' }] : []
}

/** One job for each value of its matrix of one dimension. */
const matrixOf = ({ strategy }: GithubJob): Values[] => {
  const [dimension] = Object.entries(strategy?.matrix ?? {})
  if (dimension === undefined) return [{}]
  const [name, values] = dimension
  return values.map((value) => ({ [`matrix.${name}`]: String(value) }))
}

export const githubJobs = (file: string, values: Values): Job[] => {
  const { jobs } = parse(readFileSync(file, 'utf8')) as {
    readonly jobs: Readonly<Record<string, GithubJob>>
  }
  return Object.entries(jobs).flatMap(([name, job]) =>
    matrixOf(job).map((matrix) => ({
      name: [name, ...Object.values(matrix)].join(' '),
      steps: job.steps.flatMap((step) => githubStep(step, { ...values, ...matrix })),
    })),
  )
}

interface GitlabJob {
  readonly script?: readonly string[]
  readonly after_script?: readonly string[]
  readonly parallel?: number
  readonly needs?: readonly string[]
  readonly artifacts?: { readonly paths?: readonly string[] }
}

/** A job of GitLab in one of its parallel copies: one shell for the script, another for what follows it. */
const gitlabJob = (
  name: string,
  { script = [], after_script: after = [], needs = [], artifacts }: GitlabJob,
  before: readonly string[],
  env: Values,
): Job => ({
  name: [name, env['CI_NODE_INDEX'] ?? ''].join(' ').trim(),
  steps: [
    ...(needs.length === 0 ? [] : [{ kind: 'download' } as const]),
    { kind: 'run', script: [...before, ...script].join('\n'), env, always: false },
    ...(after.length === 0
      ? []
      : [{ kind: 'run', script: after.join('\n'), env, always: true } as const]),
    ...(artifacts?.paths ?? []).map((path) => ({ kind: 'upload', name: '', path }) as const),
  ],
})

export const gitlabJobs = (file: string, values: Values): Job[] => {
  const { before_script: before, ...document } = parse(readFileSync(file, 'utf8')) as {
    readonly before_script: readonly string[]
  } & Readonly<Record<string, GitlabJob>>
  return Object.entries(document)
    .filter(([, job]) => Array.isArray(job.script))
    .flatMap(([name, job]) =>
      Array.from({ length: job.parallel ?? 1 }, (_, at) =>
        gitlabJob(
          name,
          job,
          before,
          job.parallel === undefined
            ? values
            : { ...values, CI_NODE_INDEX: String(at + 1), CI_NODE_TOTAL: String(job.parallel) },
        ),
      ),
    )
}
