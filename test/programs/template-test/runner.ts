import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import type { Job, Step } from './workflow.ts'

/** Does what a CI server's runner does with a job, on this machine. */

export interface Site {
  /** Makes a fresh clone of the project; each job gets its own. */
  readonly clone: (into: string) => void
  /** The folder below which jobs work and artifacts are kept. */
  readonly work: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Changes a script before it runs: steps that would take too long may be replaced. */
  readonly adapt: (script: string) => string
}

export interface Ran {
  readonly script: string
  readonly exit: number | null
  readonly output: string
}

/** The options of GitHub's own shell, which also suit GitLab. */
const shell = ['--noprofile', '--norc', '-eo', 'pipefail', '-c']

const artifacts = (site: Site): string => path.join(site.work, 'artifacts')

/** Paths of a job that match a pattern whose only star stands at the end. */
const matching = (folder: string, pattern: string): string[] =>
  pattern.endsWith('*')
    ? readdirSync(folder).filter((name) => name.startsWith(pattern.slice(0, -1)))
    : [pattern].filter((name) => existsSync(path.join(folder, name)))

const keep = (
  { name, path: pattern }: Extract<Step, { kind: 'upload' }>,
  folder: string,
  site: Site,
) => {
  for (const found of matching(folder, pattern)) {
    const target = path.join(artifacts(site), name === '' ? found : name)
    rmSync(target, { recursive: true, force: true })
    cpSync(path.join(folder, found), target, { recursive: true })
  }
}

const runScript = (script: string, folder: string, env: Site['env']): Ran => {
  const { status, stdout, stderr } = spawnSync('bash', [...shell, script], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 1_800_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  return { script, exit: status, output: `${stdout}${stderr}` }
}

/** Ends what a job left running: the service that it started in the background. */
const stopService = (folder: string): void => {
  try {
    const { pid } = JSON.parse(readFileSync(path.join(folder, 'service.json'), 'utf8')) as {
      pid: number
    }
    process.kill(pid, 'SIGTERM')
  } catch {
    // It started none.
  }
}

/** Runs the steps of a job in order; after one that fails, only what runs in any case. */
export const runJob = (job: Job, site: Site): readonly Ran[] => {
  const folder = mkdtempSync(path.join(site.work, 'job-'))
  mkdirSync(artifacts(site), { recursive: true })
  site.clone(folder)
  const ran: Ran[] = []
  try {
    for (const step of job.steps) {
      if (step.kind === 'upload') keep(step, folder, site)
      else if (step.kind === 'download') cpSync(artifacts(site), folder, { recursive: true })
      else if (step.always || ran.every(({ exit }) => exit === 0))
        ran.push(runScript(site.adapt(step.script), folder, { ...site.env, ...step.env }))
    }
    return ran
  } finally {
    stopService(folder)
  }
}
