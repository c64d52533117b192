import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import path from 'node:path'
import { k6Environment } from '../../load/engine.ts'
import type { K6 } from '../../load/engine.ts'
import { parseLine } from '../../load/trace/line.ts'
import type { TraceLine } from '../../load/trace/line.ts'
import type { Io } from '../io.ts'
import { couldNotRun } from '../io.ts'
import { built } from '../root.ts'
import type { Progress } from './progress.ts'

/** k6's own exit codes of runs that went well: a threshold was crossed, or the user ended it. */
const endings = { 99: 'threshold', 105: 'interrupted' } as const

export interface K6Run {
  readonly trace: readonly TraceLine[]
  /** Why the run ended before its time; undefined when it did not. */
  readonly endedBy: 'threshold' | 'interrupted' | 'k6 failed' | undefined
  /** What k6 said last, where it failed: one line. */
  readonly complaint?: string
}

export interface K6Options {
  readonly assignment: string
  /** Further arguments of `k6 run`, for example outputs. */
  readonly arguments?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly onLine: (line: TraceLine) => void
}

/** The message of an error in k6's log, without its stack. */
const complaintIn = (said: readonly string[]): string =>
  said
    .map((line) => line.trim())
    .find((line) => line !== '' && !/^(?:at|running at) |^\w+\[\d/.test(line)) ?? 'it said nothing'

/** Runs k6 on an assignment and reads what it reports. */
export const runK6 = async (k6: K6, options: K6Options, io: Io): Promise<K6Run> => {
  const trace: TraceLine[] = []
  const said: string[] = []
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(
      k6.path,
      [
        'run',
        '--quiet',
        '--no-color',
        '--summary-mode=disabled',
        '--log-format=raw',
        ...(options.arguments ?? []),
        path.join(built, 'load/main.js'),
      ],
      {
        env: {
          ...k6Environment(),
          ...io.env,
          ...options.env,
          ASSAY_ASSIGNMENT: options.assignment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', (text) => {
        const line = parseLine(text)
        if (line !== undefined) {
          trace.push(line)
          options.onLine(line)
          return
        }
        said.push(text)
        if (io.env['ASSAY_VERBOSE']) io.err(`${text}\n`)
      })
    const stop = () => child.kill('SIGINT')
    io.signal.addEventListener('abort', stop)
    child.on('error', reject)
    child.on('close', (exit) => {
      io.signal.removeEventListener('abort', stop)
      resolve(exit)
    })
  })
  const endedBy =
    code !== null && code in endings ? endings[code as keyof typeof endings] : undefined
  if (code === 0 || endedBy !== undefined) return { trace, endedBy }
  const complaint = `k6 ended with ${code ?? 'a signal'}: ${complaintIn(said)}`
  // What it measured before counts.
  if (trace.some(({ t }) => t === 'call')) return { trace, endedBy: 'k6 failed', complaint }
  throw couldNotRun(`${complaint}. ASSAY_VERBOSE=1 shows its log`)
}

/** Runs k6 and says every few seconds how far it has come. */
export const runWithProgress = async (
  k6: K6,
  options: Omit<K6Options, 'onLine'>,
  progress: Progress,
  io: Io,
): Promise<K6Run> => {
  const ticker = setInterval(
    () => io.err(`${progress.text(Date.now())}\n`),
    io.interactive ? 1000 : 5000,
  )
  try {
    return await runK6(k6, { ...options, onLine: (line) => progress.see(line) }, io)
  } finally {
    clearInterval(ticker)
  }
}
