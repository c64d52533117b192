import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import process from 'node:process'
import type { Finding } from '../reports/finding.ts'
import { readSuiteRecord } from '../reports/plan.ts'
import type { PlannedCheck } from '../reports/plan.ts'
import type { RefusedWrite } from '../reports/run-file.ts'
import { runChild } from './child.ts'
import type { RoomWait } from '../suites/support/run/patience.ts'
import { makeDirectory } from '../lib/node/make-directory.ts'
import { publishedDefault } from '../lib/node/published.ts'
import type { Io } from './io.ts'
import { couldNotRun, interrupted } from './io.ts'
import { progress } from './progress.ts'
import type { Position } from './progress.ts'
import { specFilesOf } from './registered.ts'
import { built } from './root.ts'
import { systemError } from './system-error.ts'

export interface SuiteRun {
  /** What its progress is called. */
  readonly label: string
  /** How long it was planned to take, milliseconds. */
  readonly plannedMs?: number | undefined
  /** What the specs read, by name; see `suites/support/checks/run-options.ts`. */
  readonly options: Readonly<Record<string, string | undefined>>
  /** Regular expression over titles and tags. */
  readonly grep?: string | undefined
  readonly workers?: number
  readonly out: string
}

/** What came of a run of the suite, over the checks that were planned. */
export interface SuiteResult {
  readonly findings: readonly Finding[]
  readonly planned: number
  /** Planned checks that did not report: the suite was interrupted or killed, or ran out of time. */
  readonly notRun: readonly PlannedCheck[]
}

/** What the specs of a run read, as a file: it is too much for an argument. */
export const keepForSpecs = (out: string, name: string, rows: readonly unknown[]): string => {
  makeDirectory(out)
  const file = path.join(out, `${name}.json`)
  writeFileSync(file, JSON.stringify(rows))
  return file
}

/** Checks create much that is soon garbage: with more room for it, it is collected less often. */
const nodeOptions = ['--enable-source-maps', '--max-semi-space-size=64']

/**
 * Runs the compiled suite and reads its findings. There is no supported way to run Playwright Test in process:
 * its command line is started with this very Node. It is stopped with SIGINT: at SIGTERM it would skip the end of the
 * reporter and lose findings. The reporter sends its position through the channel between the two processes.
 */
export const runSuite = async (run: SuiteRun, io: Io): Promise<SuiteResult> => {
  const cli = path.join(
    path.dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')),
    'cli.js',
  )
  const args = [
    cli,
    'test',
    '-c',
    path.join(built, 'playwright.config.js'),
    '--project',
    'conformance*',
    '--output',
    path.join(run.out, 'playwright'),
    ...(run.grep ? ['--grep', run.grep, ...(await filtersOf(run.grep))] : []),
    ...(run.workers ? ['--workers', String(run.workers)] : []),
    '--pass-with-no-tests',
  ]
  const env = {
    ...io.env,
    PW_DISABLE_TS_ESM: '1',
    NODE_OPTIONS: [io.env['NODE_OPTIONS'], ...nodeOptions].filter(Boolean).join(' '),
    ASSAY_OUT: run.out,
    // Playwright runs in the folder of the build; the published data is named from the user's.
    ASSAY_PUBLIC: path.resolve(io.cwd, io.env['ASSAY_PUBLIC'] ?? publishedDefault),
    ...Object.fromEntries(Object.entries(run.options).filter(([, value]) => value !== undefined)),
  }
  const shown = progress(io, run.label, { plannedMs: run.plannedMs })
  let refused: RefusedWrite['refused'] | undefined
  const { code, said } = await runChild(
    {
      command: process.execPath,
      args,
      cwd: built,
      env,
      onText: (text) => {
        if (io.env['ASSAY_VERBOSE']) io.err(text)
      },
      onMessage: (message) => {
        const report = message as Position | RefusedWrite | { readonly waiting: RoomWait }
        if ('refused' in report) refused = report.refused
        else if ('waiting' in report) shown.waits(report.waiting)
        else shown.at(report)
      },
    },
    io.signal,
  ).finally(shown.end)
  if (refused !== undefined)
    throw (
      systemError(refused) ??
      couldNotRun(`${refused.path} cannot be written (${refused.code}): choose another --out`)
    )
  const record = readSuiteRecord(run.out)
  if (record === undefined && io.signal.aborted)
    throw interrupted('interrupted before the first check')
  if (record === undefined)
    throw couldNotRun(
      `the suite ended (${code === null ? 'by a signal' : `exit ${code}`}) before it planned a check:\n${said.trim().split('\n').slice(-15).join('\n')}`,
    )
  const { findings, planned, notRun, errors, ended } = record
  // A run that was killed after its last check has lost what it would have said at its end.
  const silent =
    ended || notRun.length > 0 ? [] : ['the suite was killed before it came to its end']
  return {
    findings: [...findings, ...[...errors, ...silent].map(brokenPart)],
    planned,
    notRun,
  }
}

/** Where checks are registered that a run leaves out or repeats: Playwright takes these files for theirs. */
const registeringFiles = ['support/checks/chosen.ts', 'support/service/mutation.ts']

/** Playwright's filters of files, regular expressions over paths, for the checks that `grep` chooses. */
const filtersOf = async (grep: string): Promise<string[]> =>
  [...(await specFilesOf(new RegExp(grep))), ...registeringFiles].map(
    (file) => `/suites/${file.replace(/\.ts$/, '').replaceAll('.', '\\.')}\\.[jt]s$`,
  )

/** Errors outside any check, for example a spec that does not load: they must not read as a pass. */
export const brokenPart = (reason: string): Finding => ({
  rule: 'suite',
  check: 'the suite loads and ends',
  verdict: 'broken',
  ms: 0,
  reason,
})
