import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Stage, Status } from 'allure-js-commons'
import { FileSystemWriter, ReporterRuntime } from 'allure-js-commons/sdk/reporter'
import type { Rule } from '../contract/types.ts'
import { isBad } from '../lib/verdict.ts'
import { causeLine, causesOf } from './causes.ts'
import type { Finding, Verdict } from './finding.ts'
import { areaOf } from './matrix.ts'
import type { PlannedCheck } from './plan.ts'

const statusOf: Record<Verdict, Status> = {
  pass: Status.PASSED,
  warn: Status.PASSED,
  observed: Status.PASSED,
  known: Status.SKIPPED,
  fail: Status.FAILED,
  inconclusive: Status.BROKEN,
  broken: Status.BROKEN,
  'not-verifiable': Status.SKIPPED,
  'not-applicable': Status.SKIPPED,
}

const severityOf = { MUST: 'critical', SHOULD: 'normal', MAY: 'minor' } as const

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

export interface AllureRun {
  readonly rules: Readonly<Record<string, Rule>>
  /** Facts of the run that stand on the report's front page. */
  readonly environment: Readonly<Record<string, string>>
  /** Start of the run, milliseconds; results are laid one after the other from there. */
  readonly started: number
  /** Planned checks that did not report. */
  readonly notRun: readonly PlannedCheck[]
}

/** Writes Allure results (one per finding) into `directory`, which is emptied first. */
export const writeAllureResults = async (
  directory: string,
  findings: readonly Finding[],
  run: AllureRun,
): Promise<void> => {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  const runtime = new ReporterRuntime({
    writer: new FileSystemWriter({ resultsDir: directory }),
    environmentInfo: run.environment,
    categories: [
      ...causesOf(findings.filter(({ verdict }) => isBad(verdict))).causes.map((cause) => ({
        name: causeLine(cause),
        messageRegex: `(?s).*\\ncause: ${escaped(cause.text)}(\\n.*)?`,
      })),
      {
        name: 'Not run: the run is incomplete',
        matchedStatuses: [Status.BROKEN],
        messageRegex: '^not run.*',
      },
      { name: 'The rule did not hold', matchedStatuses: [Status.FAILED] },
      { name: 'No verdict was reached', matchedStatuses: [Status.BROKEN] },
      { name: 'Not verified on this target', matchedStatuses: [Status.SKIPPED] },
    ],
  })
  let at = run.started
  for (const finding of findings) {
    const rule = run.rules[finding.rule]
    const name = finding.variant ? `${finding.rule} (${finding.variant})` : finding.rule
    const start = at
    at += finding.ms
    const uuid = runtime.startTest({
      name,
      start,
      fullName: `${finding.rule}#${finding.variant ?? ''}`,
      historyId: createHash('sha256')
        .update(`${finding.rule}#${finding.variant ?? ''}`)
        .digest('hex'),
      description: [rule?.sentence, rule && `Clause: ${rule.clause}`].filter(Boolean).join('\n\n'),
      labels: [
        { name: 'epic', value: areaOf(finding.rule) },
        { name: 'feature', value: finding.rule },
        { name: 'parentSuite', value: areaOf(finding.rule) },
        { name: 'suite', value: finding.rule },
        { name: 'tag', value: finding.verdict },
        { name: 'severity', value: severityOf[rule?.level ?? 'MUST'] },
      ],
    })
    const attach = (title: string, text: string) =>
      runtime.writeAttachment(uuid, null, title, Buffer.from(text), { contentType: 'text/plain' })
    if (finding.steps?.length) attach('steps', finding.steps.join('\n'))
    if (finding.replay) attach('replay', finding.replay)
    for (const { operation, curl, status, answer } of finding.exchanges ?? [])
      attach(`${operation ?? 'call'} -> ${status}`, `${curl}\n\n${status}\n${answer}`)
    runtime.updateTest(uuid, (result) => {
      result.stage = Stage.FINISHED
      result.status = statusOf[finding.verdict]
      result.statusDetails = {
        // The HTML shows the message alone, so that the values stand in it as well.
        message: [
          [finding.verdict, finding.reason].filter(Boolean).join(': '),
          finding.cause && `cause: ${finding.cause}`,
          finding.expected && `expected: ${finding.expected}`,
          finding.actual && `actual: ${finding.actual}`,
        ]
          .filter(Boolean)
          .join('\n'),
        ...(finding.expected === undefined ? {} : { expected: finding.expected }),
        ...(finding.actual === undefined ? {} : { actual: finding.actual }),
      }
    })
    runtime.stopTest(uuid, { stop: at })
    runtime.writeTest(uuid)
  }
  for (const missing of run.notRun) writeNotRun(runtime, missing, at)
  runtime.writeEnvironmentInfo()
  runtime.writeCategoriesDefinitions()
}

/** A planned check that did not report: neither passed nor failed, and never left out. */
const writeNotRun = (
  runtime: ReporterRuntime,
  { rule, variant }: PlannedCheck,
  at: number,
): void => {
  const uuid = runtime.startTest({
    name: variant ? `${rule} (${variant})` : rule,
    start: at,
    fullName: `${rule}#${variant ?? ''}`,
    historyId: createHash('sha256')
      .update(`${rule}#${variant ?? ''}`)
      .digest('hex'),
    labels: [
      { name: 'parentSuite', value: areaOf(rule) },
      { name: 'suite', value: rule },
      { name: 'tag', value: 'not run' },
    ],
  })
  runtime.updateTest(uuid, (result) => {
    result.stage = Stage.FINISHED
    result.status = Status.BROKEN
    result.statusDetails = { message: 'not run: the run ended before this check' }
  })
  runtime.stopTest(uuid, { stop: at })
  runtime.writeTest(uuid)
}

export type AllureOutcome = { readonly written: string } | { readonly missing: string }

const java = (): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = spawn(
      process.env['JAVA_HOME'] ? path.join(process.env['JAVA_HOME'], 'bin/java') : 'java',
      ['-version'],
    )
    probe.on('error', () => resolve(false))
    probe.on('exit', (code) => resolve(code === 0))
  })

/**
 * Makes the HTML report, one file that needs no server, out of Allure results. Needs Java; without it the
 * outcome says what is missing. The generator's analytics tag is switched off: a report of ours calls nobody.
 */
export const generateAllureHtml = async (
  results: string,
  directory: string,
): Promise<AllureOutcome> => {
  if (!(await java()))
    return {
      missing:
        'no Java found: the Allure results are written, the HTML is not. Install a Java runtime (17 or later) or set JAVA_HOME, then run `assay report`',
    }
  const generator = path.join(
    path.dirname(createRequire(import.meta.url).resolve('allure-commandline')),
    // JavaScript, which runs everywhere: it starts the shell or batch script of the platform.
    'bin/allure',
  )
  const args = [generator, 'generate', '--single-file', '--clean', '--output', directory, results]
  const said: string[] = []
  const code = await new Promise<number | null>((resolve) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ALLURE_NO_ANALYTICS: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => said.push(chunk.toString()))
    child.on('error', (error) => {
      said.push(error.message)
      resolve(null)
    })
    child.on('exit', resolve)
  })
  return code === 0
    ? { written: path.join(directory, 'index.html') }
    : { missing: `the Allure generator failed: ${said.join('').trim().split('\n').at(-1) ?? code}` }
}
