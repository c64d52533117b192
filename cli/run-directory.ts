import { randomBytes } from 'node:crypto'
import {
  closeSync,
  lstatSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { makeDirectory } from '../lib/node/make-directory.ts'
import type { Io } from './io.ts'
import { usageError } from './io.ts'

/**
 * Where a run writes. Each run has its own directory, so that findings and reports of different runs never mix;
 * `latest` beside them leads to the one that started last.
 */

/** Where runs write without --out. */
const runsDirectory = 'reports/out'

/** What a run writes into its directory: removed before the next run writes into the same one. */
const artifacts = [
  'plan.json',
  'findings.ndjson',
  'trials.ndjson',
  'skipped.txt',
  'end.json',
  'run.json',
  'gaps.json',
  'quick.json',
  'selection.json',
  'har',
  'load',
  'mutants.json',
  'mutants-run.json',
  'kill-matrix.md',
  'rest',
  'examination.json',
  'ordeals.ndjson',
  'index.html',
  'junit.xml',
  'ctrf.json',
  'requirements.md',
  'allure-results',
  'allure',
  'playwright',
]

const lockName = '.running'

export interface RunDirectory {
  readonly out: string
  /** The run has ended: another may write into the same directory. */
  readonly release: () => void
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Takes a directory for one run; two runs at the same time would destroy each other's findings. */
const lock = (out: string): (() => void) => {
  const file = path.join(out, lockName)
  for (;;)
    try {
      const handle = openSync(file, 'wx')
      writeSync(handle, String(process.pid))
      closeSync(handle)
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const pid = Number(readFileSync(file, 'utf8'))
      if (pid > 0 && alive(pid))
        throw usageError(
          `--out ${out}: another run (process ${pid}) is writing there; wait for it, or choose another directory`,
        )
      rmSync(file, { force: true })
    }
}

/**
 * Takes the directory that is named for a run that writes elsewhere by default; what an earlier run left there stays.
 * @returns what gives it back
 */
export const takeDirectory = (named: string | undefined, io: Io): (() => void) => {
  if (named === undefined) return () => undefined
  const out = path.resolve(io.cwd, named)
  makeDirectory(out)
  return lock(out)
}

/** Points `latest` at a run: a link, or where links cannot be created a file with the name of the directory. */
const pointLatest = (runs: string, name: string): void => {
  const latest = path.join(runs, 'latest')
  const fresh = `${latest}-${randomBytes(3).toString('hex')}`
  try {
    symlinkSync(name, fresh, process.platform === 'win32' ? 'junction' : 'dir')
  } catch {
    writeFileSync(fresh, `${name}\n`)
  }
  try {
    renameSync(fresh, latest)
  } catch {
    // Something else has that name: it is not ours to remove.
    rmSync(fresh, { force: true })
  }
}

const stamp = (now: Date): string =>
  now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')

/**
 * The directory of a new run: the one that is named, emptied of an earlier run's files, or a new one below
 * `reports/out`.
 */
export const openRunDirectory = (
  named: string | undefined,
  command: string,
  io: Io,
  /** What an earlier run left stays: this one continues it. */
  { continues = false }: { readonly continues?: boolean } = {},
): RunDirectory => {
  if (named !== undefined) {
    const out = path.resolve(io.cwd, named)
    makeDirectory(out)
    const release = lock(out)
    for (const artifact of continues ? [] : artifacts)
      rmSync(path.join(out, artifact), { recursive: true, force: true })
    return { out, release }
  }
  const runs = path.resolve(io.cwd, runsDirectory)
  const name = `${stamp(new Date())}-${command}-${randomBytes(2).toString('hex')}`
  const out = path.join(runs, name)
  makeDirectory(out)
  const release = lock(out)
  pointLatest(runs, name)
  return { out, release }
}

/** The directory of the last run, or the one that is named. */
export const lastRunDirectory = (named: string | undefined, io: Io): string => {
  if (named !== undefined) return path.resolve(io.cwd, named)
  const runs = path.resolve(io.cwd, runsDirectory)
  const latest = path.join(runs, 'latest')
  try {
    const seen = lstatSync(latest)
    if (seen.isSymbolicLink()) return path.resolve(runs, readlinkSync(latest))
    if (seen.isFile()) return path.join(runs, readFileSync(latest, 'utf8').trim())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return newest(runs) ?? latest
}

const newest = (runs: string): string | undefined => {
  try {
    const [last] = readdirSync(runs, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && /^\d{8}-\d{6}-/.test(entry.name))
      .map((entry) => entry.name)
      .toSorted()
      .toReversed()
    return last === undefined ? undefined : path.join(runs, last)
  } catch {
    return undefined
  }
}
