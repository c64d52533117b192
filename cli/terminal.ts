import process from 'node:process'
import { outliveFileSizeLimit } from '../lib/node/file-size-limit.ts'
import { childrenRun, killChildren } from './child.ts'
import type { Io } from './io.ts'
import { closedPipe, exits, lostOutput } from './io.ts'
import { watchParent } from './orphan.ts'
import { systemError } from './system-error.ts'

/**
 * Runs the command line in this process. The first Ctrl-C (or SIGTERM, or a terminal that closes) asks it to stop,
 * a second Ctrl-C or SIGTERM ends it and what it started. A reader that closes standard output ends it quietly.
 */
export const runAtTerminal = async (
  main: (argv: readonly string[], io: Io) => Promise<number>,
): Promise<void> => {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stop.signal.aborted) {
        // A terminal that closes may send it twice: from the system and from the shell.
        if (signal === 'SIGHUP') return
        killChildren()
        process.exit(exits.interrupted)
      }
      if (childrenRun())
        process.stderr.write('assay: stopping; press Ctrl-C again to end immediately\n')
      stop.abort(signal)
    })
  outliveFileSizeLimit()
  watchParent(process.env, () => stop.abort('SIGTERM'))
  process.on('exit', killChildren)
  let lost: NodeJS.ErrnoException | undefined
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (lost !== undefined) return
    lost = error
    stop.abort(error.code === 'EPIPE' ? closedPipe : lostOutput)
    if (error.code === 'EPIPE') return
    const explained = systemError(error)
    process.stderr.write(`assay: standard output: ${explained?.message ?? error.message}\n`)
    process.exitCode = exits.couldNotRun
  })
  // A closed terminal is no reason to stop.
  process.stderr.on('error', () => {})
  const draw = (text: string) => void process.stderr.write(text)
  const exit = await main(process.argv.slice(2), {
    out: (text) => {
      if (lost === undefined) process.stdout.write(text)
    },
    err: draw,
    draw,
    env: process.env,
    cwd: process.cwd(),
    input: () => process.stdin,
    interactive: process.stderr.isTTY,
    signal: stop.signal,
  })
  process.exitCode ??= exit
}
