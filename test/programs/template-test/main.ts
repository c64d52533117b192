import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { serve } from '../../served.ts'
import { projectRoot } from '../../sources.ts'
import { readCommandLine } from '../command-line.ts'
import { linkPackages, writeProject } from './project.ts'
import { runJob } from './runner.ts'
import type { Site } from './runner.ts'
import { githubJobs, gitlabJobs } from './workflow.ts'
import type { Job } from './workflow.ts'

/** Runs the CI templates job by job against a served reference; if that has a defect, the nightly job must fail. */

const defect = 'auth.status.wrong-bearer-refused/access-token-accepted'
const annotation = '::error title=auth.status.wrong-bearer-refused::'

/** A variant of the model client, and what its examination must report. */
const brokenClient = 'hammers-at-the-limit'
const clientAnnotation = '::error title=client.limits.respected::'

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Substitutes: all checks would take four minutes per part, and a certificate or an examination even longer. */
const fewRules = 'npx assay check auth.status auth.redeem auth.challenge '
const fewOrdeals = 'npx assay examine quiet-day limit-on-submit '
const bounded = (script: string): string =>
  script
    .replaceAll(/^npm ci.*$/gm, 'true')
    .replaceAll('--port 8080', '--port 0')
    .replaceAll('npx assay check ', fewRules)
    .replaceAll('npx assay examine ', fewOrdeals)
    .replaceAll(/npx assay certify (.*)$/gm, `${fewRules} $1 --report`)

interface Result {
  readonly green: boolean
  readonly output: string
}

const runAll = (jobs: readonly Job[], site: Site): Result => {
  let output = ''
  let green = true
  for (const job of jobs) {
    const ran = runJob(job, site)
    const failed = ran.find(({ exit }) => exit !== 0)
    green &&= failed === undefined
    output += ran.map((one) => one.output).join('\n')
    say(`${failed === undefined ? 'ok  ' : 'red '} ${job.name}`)
    if (failed !== undefined)
      say(`      ${failed.output.trim().split('\n').slice(-4).join('\n      ')}`)
  }
  return { green, output }
}

const siteOf = (
  work: string,
  root: string,
  token: string,
  target: Parameters<typeof writeProject>[1],
): Site => ({
  work,
  env: {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: path.join(work, 'summary.md'),
    SERVICE_TOKEN: token,
  },
  adapt: bounded,
  clone: (folder) => {
    mkdirSync(folder, { recursive: true })
    writeProject(folder, target)
    linkPackages(folder, root)
    // Restores what the server's cache would restore.
    cpSync(path.join(work, 'nights'), path.join(folder, 'nights'), { recursive: true })
  },
})

/** Runs every template against one service; returns whether each passed or failed as it should. */
const tryTemplates = async (root: string, broken: boolean): Promise<boolean> => {
  const work = mkdtempSync(path.join(tmpdir(), 'assay-templates-'))
  mkdirSync(path.join(work, 'nights'))
  const served = await serve('--limits', 'off', ...(broken ? ['--mutant', defect] : []))
  try {
    const [context] = served.profile.contexts
    const { token = '', value = '' } = context ?? {}
    const { privateKey } = generateKeyPairSync('ed25519')
    const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const values = {
      'secrets.SERVICE_TOKEN': token,
      'secrets.SIGNING_KEY': key,
      'github.run_number': '42',
    }
    const site = siteOf(work, root, token, { url: served.profile.url, value })
    const folder = path.join(root, 'examples/ci')
    const nightly = runAll(githubJobs(path.join(folder, 'github/nightly.yml'), values), site)
    const release = path.join(folder, 'github/release.yml')
    if (broken) {
      const convicting = { ...site, env: { ...site.env, ASSAY_VARIANT: brokenClient } }
      const released = githubJobs(release, values).map((job) => runAll([job], convicting))
      const red = [nightly, ...released].every(({ green }) => !green)
      const output = [nightly, ...released].map((one) => one.output)
      const marks = [annotation, annotation, clientAnnotation]
      const named = marks.every((mark, at) => output[at]?.includes(mark))
      const summary = readFileSync(path.join(work, 'summary.md'), 'utf8')
      say(`      red: ${red}, annotated: ${named}`)
      return red && named && summary.includes('auth.status.wrong-bearer-refused')
    }
    const others = [path.join(folder, 'github/on-push.yml'), release].map((template) =>
      runAll(githubJobs(template, values), site),
    )
    const file = path.join(work, 'signing-key.pem')
    writeFileSync(file, key, { mode: 0o600 })
    const variables = { SIGNING_KEY: file, CI_PIPELINE_IID: '42' }
    const gitlab = runAll(gitlabJobs(path.join(folder, 'gitlab-ci.yml'), variables), site)
    return [nightly, ...others, gitlab].every(({ green }) => green)
  } finally {
    await served.stop()
    rmSync(work, { recursive: true, force: true })
  }
}

const asked = await readCommandLine({
  command: 'npm run template-test --',
  shows:
    'Runs the templates of examples/ci line by line against a served reference, with some rules and ordeals in place of all: green when the reference is sound, red with the right annotation when it has a defect. About four minutes.',
  options: {},
})

const root = projectRoot()
if (asked !== undefined && root !== undefined) {
  const sound = await tryTemplates(root, false)
  say(sound ? 'green against a sound service' : 'FAIL: not green against a sound service')
  const broken = await tryTemplates(root, true)
  say(broken ? 'red with its annotation against a defect' : 'FAIL: the defect is not shown')
  process.exitCode = sound && broken ? 0 : 1
}
