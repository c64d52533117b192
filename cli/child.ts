import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import process from 'node:process'

/** Programs that this one started and that have not ended. */
const running = new Set<ChildProcess>()

export interface ChildRun {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Text of its standard output and standard error, as it comes. */
  readonly onText?: (text: string, stream: 'out' | 'err') => void
  /** Whether all that it writes is kept for the end; it is when absent. */
  readonly keeps?: boolean
  /** Milliseconds that it has to end after it was asked to; then it is killed. */
  readonly graceMs?: number
  /** What a Node program sends by `process.send`; opens a channel when given. */
  readonly onMessage?: (message: unknown) => void
}

export interface ChildEnd {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null
  /** Everything it wrote, where that is kept. */
  readonly said: string
}

const kill = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return
  try {
    // Negative: the whole group, so that the programs that it started end with it.
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * Runs a program to its end. It has its own process group, so that Ctrl-C at a terminal reaches it once:
 * when `stop` aborts, as SIGINT, after which it may still write what it has.
 */
export const runChild = (run: ChildRun, stop: AbortSignal): Promise<ChildEnd> =>
  new Promise((resolve, reject) => {
    const child = spawn(run.command, run.args, {
      ...(run.cwd === undefined ? {} : { cwd: run.cwd }),
      env: run.env,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', ...(run.onMessage ? (['ipc'] as const) : [])],
    })
    running.add(child)
    const said: string[] = []
    const listen = (stream: 'out' | 'err') => (text: string) => {
      if (run.keeps !== false) said.push(text)
      run.onText?.(text, stream)
    }
    child.stdout?.setEncoding('utf8').on('data', listen('out'))
    child.stderr?.setEncoding('utf8').on('data', listen('err'))
    if (run.onMessage) child.on('message', run.onMessage)
    let deadline: NodeJS.Timeout | undefined
    const onStop = () => {
      child.kill('SIGINT')
      deadline = setTimeout(() => kill(child, 'SIGKILL'), run.graceMs ?? 10_000)
    }
    stop.addEventListener('abort', onStop, { once: true })
    if (stop.aborted) onStop()
    const settle = () => {
      clearTimeout(deadline)
      running.delete(child)
      stop.removeEventListener('abort', onStop)
    }
    child.on('error', (error) => {
      settle()
      reject(error)
    })
    child.on('close', (code) => {
      settle()
      resolve({ code, said: said.join('') })
    })
  })

/** Whether a program that was started still runs. */
export const childrenRun = (): boolean => running.size > 0

/** Kills every program that was started, with all that it started itself. */
export const killChildren = (): void => {
  for (const child of running) kill(child, 'SIGKILL')
}
