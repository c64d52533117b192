#!/usr/bin/env node
import { realpathSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parse } from './parse.ts'
import { Explained, closedPipe, exits, lostOutput } from './io.ts'
import type { Io } from './io.ts'
import { systemError } from './system-error.ts'
import { runAtTerminal } from './terminal.ts'
import { visible } from '../lib/visible.ts'

/** What may come from a target is shown, not obeyed, whatever it holds. */
const showing = (io: Io): Io => ({
  ...io,
  out: (text) => io.out(visible(text)),
  err: (text) => io.err(visible(text)),
})

/** The exit code of a failure, after it has been explained on standard error. */
const explain = (error: unknown, io: Io): number => {
  const foreseen = error instanceof Explained ? error : systemError(error)
  if (foreseen !== undefined) {
    // The reader that closed the pipe has read enough; any other write error has been reported.
    if ([closedPipe, lostOutput].includes(io.signal.reason as string)) return foreseen.exit
    io.err(`assay: ${foreseen.message}\n`)
    // What an interruption left undone is no verdict.
    return io.signal.aborted ? exits.interrupted : foreseen.exit
  }
  io.err(
    `assay: internal error: ${error instanceof Error ? error.message : String(error)}\n` +
      'This is a fault of assay. Please report it with the command line; ASSAY_TRACE=1 adds the stack trace.\n',
  )
  if (io.env['ASSAY_TRACE'] && error instanceof Error) io.err(`${error.stack}\n`)
  return exits.couldNotRun
}

/**
 * The command line as a function: arguments in, exit code out. A failure that was foreseen becomes one message and
 * its exit code; anything else is a fault of the tool and is reported as one.
 */
export const main = async (argv: readonly string[], given: Io): Promise<number> => {
  const io = showing(given)
  try {
    const parsed = await parse(argv)
    if ('text' in parsed) {
      io.out(`${parsed.text}\n`)
      return exits.conformant
    }
    const { command, args, quiet } = parsed
    const exit = await command.run(args, quiet ? { ...io, err: () => {}, interactive: false } : io)
    if (!io.signal.aborted || io.signal.reason === closedPipe) return exit
    return command.runsUntilStopped === true ? exit : exits.interrupted
  } catch (error) {
    return explain(error, io)
  }
}

const startedDirectly = (): boolean => {
  const script = process.argv[1]
  return script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url)
}

if (startedDirectly()) await runAtTerminal(main)
