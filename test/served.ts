import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Profile } from '../reference/server/server.ts'
import { projectRoot } from './sources.ts'

/** The reference service as users run it: a process of its own, by the built command line. */
export interface Served {
  readonly profile: Profile
  readonly pid: number
  /** Ends the process at once, as `kill -9` does. */
  kill(): Promise<void>
  /** Asks the process to stop; the exit code. */
  stop(): Promise<number | null>
}

/** The built command line; `ASSAY_CLI` names another build. */
export const commandLine = (): string => {
  const file =
    process.env['ASSAY_CLI'] ?? path.join(projectRoot() ?? process.cwd(), 'dist/cli/main.js')
  if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm run build\``)
  return file
}

/**
 * Starts `assay serve` with these arguments and awaits its profile.
 * @throws {Error} with what it said on standard error, when it ends before that
 */
export const serve = async (...args: string[]): Promise<Served> => {
  const child = spawn(
    process.execPath,
    [
      commandLine(),
      'serve',
      '--port',
      '0',
      '--json',
      ...args,
      ...(args.includes('--limits') ? [] : ['--limits', 'off']),
      // Each environment takes a second to start.
      ...(args.includes('--all-environments') ? [] : ['--no-all-environments']),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const complaints: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk))
  const ended = once(child, 'exit') as Promise<[code: number | null]>
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const first = await lines.next()
  if (first.done) {
    await ended
    throw new Error(`serve ended: ${Buffer.concat(complaints).toString('utf8')}`)
  }
  return {
    profile: JSON.parse(first.value) as Profile,
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = await ended
      return code
    },
  }
}

/** Runs the built command line to its end. */
export const runAssay = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> => {
  const child = spawn(process.execPath, [commandLine(), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => void (said.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (said.err += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...said }
}
