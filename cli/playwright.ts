import { spawn } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import process from 'node:process'
import { parseFindings } from '../reports/finding.ts'
import type { Finding } from '../reports/finding.ts'
import type { Io } from './io.ts'
import { couldNotRun } from './io.ts'
import { built } from './root.ts'

export interface SuiteRun {
  /** What the specs read, by name; see `suites/support/run-options.ts`. */
  readonly options: Readonly<Record<string, string | undefined>>
  /** Regular expression over titles and tags. */
  readonly grep?: string
  readonly workers?: number
  readonly out: string
  readonly listOnly?: boolean
}

/**
 * Runs the compiled suite and reads its findings. There is no supported way to run Playwright Test in process:
 * its command line is started with this very Node, exit codes are passed on, and SIGTERM reaches it as SIGINT
 * (at SIGTERM it would skip the end of the reporter and lose findings).
 */
export const runSuite = async (run: SuiteRun, io: Io): Promise<Finding[]> => {
  await mkdir(run.out, { recursive: true })
  const file = path.join(run.out, 'findings.ndjson')
  await rm(file, { force: true })
  await rm(path.join(run.out, 'totals.json'), { force: true })
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
    'conformance',
    '--output',
    path.join(run.out, 'playwright'),
    ...(run.grep ? ['--grep', run.grep] : []),
    ...(run.workers ? ['--workers', String(run.workers)] : []),
    '--pass-with-no-tests',
  ]
  const env = {
    ...io.env,
    PW_DISABLE_TS_ESM: '1',
    NODE_OPTIONS: [io.env['NODE_OPTIONS'], '--enable-source-maps'].filter(Boolean).join(' '),
    ASSAY_OUT: run.out,
    ...Object.fromEntries(Object.entries(run.options).filter(([, value]) => value !== undefined)),
  }
  const said: string[] = []
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: built,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.on('data', (chunk: Buffer) => {
      said.push(chunk.toString())
      if (io.interactive || io.env['ASSAY_VERBOSE']) io.err(chunk.toString())
    })
    child.stderr.on('data', (chunk: Buffer) => {
      said.push(chunk.toString())
      if (io.env['ASSAY_VERBOSE']) io.err(chunk.toString())
    })
    const stop = () => child.kill('SIGINT')
    io.signal.addEventListener('abort', stop)
    child.on('error', reject)
    child.on('exit', (exit) => {
      io.signal.removeEventListener('abort', stop)
      resolve(exit)
    })
  })
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined)
    throw couldNotRun(
      `the suite ended (exit ${code ?? 'by signal'}) before it wrote findings.\n${said.join('').trim().split('\n').slice(-15).join('\n')}`,
    )
  return [...parseFindings(text), ...(await brokenParts(run.out))]
}

/** What went wrong outside any check, for example a spec that does not load: it may not read as a pass. */
const brokenParts = async (out: string): Promise<Finding[]> => {
  const totals = JSON.parse(
    await readFile(path.join(out, 'totals.json'), 'utf8').catch(() => '{}'),
  ) as { errors?: string[] }
  return (totals.errors ?? []).map((reason) => ({
    rule: 'suite',
    check: 'the suite loads and ends',
    verdict: 'broken',
    ms: 0,
    reason,
  }))
}
