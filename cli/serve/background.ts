import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Profile } from '../../reference/server/server.ts'
import { Explained, couldNotRun, exits, usageError } from '../io.ts'
import type { Exit, Io } from '../io.ts'
import { summaryOf } from './summary.ts'

/** A service in the background: started by this command, which returns once the service is ready or has failed. */

interface Background {
  readonly profile: Profile
  readonly pid: number
  readonly log: string
}

/** The arguments of the process in the background: those of this one without \`--wait\`. */
const withoutWait = (argv: readonly string[]): string[] =>
  argv.filter(
    (argument, at) =>
      !/^--wait(=|$)/.test(argument) &&
      !(argv[at - 1] === '--wait' && /^\d+(\.\d+)?$/.test(argument)),
  )

const profileIn = (file: string): Profile | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Profile
  } catch {
    return undefined
  }
}

/**
 * Starts the same command in the background.
 * @param readyFile where the service writes its profile; a new file when absent
 * @throws {Explained} with what it said, when it ends before it is ready, or is not ready in time
 */
const startInBackground = async (
  argv: readonly string[],
  io: Io,
  seconds: number,
  readyFile: string | undefined,
): Promise<Background> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-serve-'))
  const log = path.join(folder, 'serve.log')
  const ready = readyFile ?? path.join(folder, 'ready.json')
  rmSync(ready, { force: true })
  const output = openSync(log, 'a', 0o600)
  // It has no parent any more: npm's variables would end it together with this process.
  const env = Object.fromEntries(
    Object.entries(io.env).filter(([name]) => !name.startsWith('npm_')),
  )
  const child = spawn(
    process.execPath,
    [
      process.argv[1] ?? '',
      ...withoutWait(argv),
      ...(readyFile === undefined ? ['--ready-file', ready] : []),
    ],
    { cwd: io.cwd, env, detached: true, stdio: ['ignore', output, output] },
  )
  closeSync(output)
  let code: number | null | undefined
  child.once('exit', (status) => (code = status))
  const until = Date.now() + seconds * 1_000
  for (;;) {
    const profile = profileIn(ready)
    if (profile !== undefined && child.pid !== undefined) {
      child.unref()
      return { profile, pid: child.pid, log }
    }
    const said = () =>
      readFileSync(log, 'utf8')
        .replace(/^assay: /gm, '')
        .trim()
    if (code !== undefined)
      throw new Explained(
        (code ?? 3) as Exit,
        `the service did not start: ${said() || 'no reason given'}`,
      )
    if (Date.now() > until || io.signal.aborted) {
      child.kill('SIGKILL')
      throw couldNotRun(
        `the service was not ready within ${seconds} s; its output: ${said() || 'none'}`,
      )
    }
    await sleep(50)
  }
}

interface Asked {
  readonly wait: number
  readonly readyFile: string | undefined
  readonly export: string | undefined
  readonly json: boolean
}

const secondsOf = (wait: number): number => {
  if (!(wait > 0 && wait <= 3_600))
    throw usageError(`--wait: expected seconds from 1 to 3600, received ${wait}`)
  return wait
}

/** Starts the service in the background and says how to use and to stop it. */
export const inBackground = async (
  { wait, readyFile, json, export: folder }: Asked,
  io: Io,
): Promise<number> => {
  const ready = readyFile === undefined ? undefined : path.resolve(io.cwd, readyFile)
  const { profile, pid, log } = await startInBackground(
    process.argv.slice(2),
    io,
    secondsOf(wait),
    ready,
  )
  const stop = `kill ${pid} (in the background; its output: ${log})`
  const exported = folder === undefined ? undefined : path.resolve(io.cwd, folder)
  if (json) io.out(`${JSON.stringify(profile)}\n`)
  else io.out(summaryOf({ profile, origin: new URL(profile.url).origin, exported, stop }))
  return exits.conformant
}
