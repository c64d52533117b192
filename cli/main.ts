#!/usr/bin/env node
import { realpathSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import yargs from 'yargs'
import type { Argv } from 'yargs'
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { Explained, exits, usageError } from './io.ts'
import type { Io } from './io.ts'
import { toolVersion } from './version.ts'

const described = (y: Argv, command: Command): Argv => {
  for (const [name, positional] of Object.entries(command.positionals ?? {}))
    y.positional(name, positional)
  for (const [name, option] of Object.entries(command.options)) y.option(name, option)
  for (const [line, meaning] of Object.entries(command.examples ?? {}))
    y.example(`$0 ${line}`, meaning)
  return y
}

/** How the value of an option stands on the command line. */
const asGiven = (argv: readonly string[], name: string): string => {
  const at = argv.indexOf(`--${name}`)
  const joined = argv.find((argument) => argument.startsWith(`--${name}=`))
  return JSON.stringify(joined?.slice(name.length + 3) ?? argv[at + 1] ?? '')
}

/** Refuses what no option can mean: nothing, a word for a number, one value after the other. */
const checkValues = (
  command: Command,
  args: Readonly<Record<string, unknown>>,
  argv: readonly string[],
): void => {
  for (const [name, { array, type }] of Object.entries(command.options)) {
    const value = args[name]
    if (Array.isArray(value) && array !== true)
      throw usageError(`--${name}: expected one value, received ${value.length}`)
    if (value === '') throw usageError(`--${name}: expected a value, received none`)
    if (type === 'number' && Number.isNaN(value))
      throw usageError(`--${name}: expected a number, received ${asGiven(argv, name)}`)
  }
}

/**
 * The command line as a function: arguments in, exit code out. Whatever goes wrong in a way that was foreseen
 * becomes one message and its exit code; anything else is a fault of the tool and says so.
 */
export const main = async (argv: readonly string[], io: Io): Promise<number> => {
  let exit: number = exits.conformant
  let finished = false
  const parser = yargs([...argv])
    .scriptName('assay')
    .usage('$0 <command>\n\nConformance and load testing of an invoice clearing service.')
    .epilogue(
      'Exit codes: 0 conformant, 1 a rule failed, 2 usage or unreadable file, 3 could not run, 4 mutants survived, 5 thresholds crossed.',
    )
    .version(toolVersion())
    .strict()
    .demandCommand(1, 'Name a command; `assay --help` lists them.')
    .recommendCommands()
    .help()
    .exitProcess(false)
    .showHelpOnFail(false)
    .wrap(100)
    .fail((message, error) => {
      throw (
        error ??
        new Explained(exits.usage, `${message}\nRun \`assay --help\` for the commands and options.`)
      )
    })
  for (const command of commands as readonly Command[])
    parser.command(
      command.usage,
      command.summary,
      (y) => described(y, command),
      async (args) => {
        checkValues(command, args, argv)
        exit = await command.run(args, io)
        finished = true
      },
    )
  try {
    // yargs prints help and version through this callback, so that nothing bypasses `io`.
    await parser.parseAsync([...argv], {}, (_error, _args, output) => {
      if (output) io.out(`${output}\n`)
    })
    return exit
  } catch (error) {
    if (error instanceof Explained) {
      io.err(`assay: ${error.message}\n`)
      return error.exit
    }
    io.err(
      `assay: the tool itself went wrong${finished ? ' after the command' : ''}: ${error instanceof Error ? error.message : String(error)}\n` +
        'Please report this with the command line; set ASSAY_TRACE=1 to see where.\n',
    )
    if (io.env['ASSAY_TRACE'] && error instanceof Error) io.err(`${error.stack}\n`)
    return exits.couldNotRun
  }
}

const startedDirectly = (): boolean => {
  const script = process.argv[1]
  return script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url)
}

if (startedDirectly()) {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort(signal))
  process.exitCode = await main(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    interactive: process.stderr.isTTY,
    signal: stop.signal,
  })
}
