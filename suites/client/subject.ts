import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { redactText } from '../../lib/redact.ts'

/** The client under examination: a command, started for each ordeal. */

export interface Ended {
  readonly code: number | undefined
  readonly words: string
  /** The end of what it wrote to standard error, redacted. */
  readonly stderr: string
}

export interface Subject {
  readonly ended: Promise<Ended>
  /** Ends it at once, as a crash would. */
  kill(): void
}

/** How much of standard error is kept, in characters. */
const kept = 2000

/** Environment that the command may need, and nothing of the examiner's own secrets. */
const passed = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'ASSAY_VARIANT',
  'JAVA_HOME',
  'PYTHONPATH',
  'VIRTUAL_ENV',
  'SystemRoot',
]

export function startSubject(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Subject {
  const [file, ...args] = command
  const inherited = Object.fromEntries(
    passed.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const child: ChildProcess = spawn(file, args, {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: what the command starts ends with it.
    detached: true,
  })
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-kept)
  })
  const ended = Promise.race([
    once(child, 'close').then(([code, signal]) => ({
      code: typeof code === 'number' ? code : undefined,
      words: typeof code === 'number' ? `exit ${code}` : `ended by ${String(signal)}`,
    })),
    once(child, 'error').then(([error]) => ({
      code: undefined,
      words: `could not be started: ${(error as Error).message}`,
    })),
  ]).then((end) => ({ ...end, stderr: redactText(stderr) }))
  return {
    ended,
    kill() {
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        child.kill('SIGKILL')
      }
    },
  }
}
