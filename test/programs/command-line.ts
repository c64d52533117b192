import process from 'node:process'
import yargs from 'yargs'
import type { InferredOptionTypes, Options } from 'yargs'

/** A program that people run by hand: what its `--help` states. */
export interface Program<O extends Readonly<Record<string, Options>>> {
  /** How it is started. */
  readonly command: string
  /** What it shows, in one or two sentences. */
  readonly shows: string
  /** What its arguments are, where it takes any. */
  readonly takes?: { readonly name: string; readonly describe: string }
  readonly options: O
}

export type Asked<O extends Readonly<Record<string, Options>>> = InferredOptionTypes<O> & {
  readonly arguments: readonly string[]
}

/** Rejects values that no option can have, but that yargs accepts. */
const reject = (options: Readonly<Record<string, Options>>, args: Record<string, unknown>) => {
  for (const [name, { type, array }] of Object.entries(options)) {
    const value = args[name]
    if (Array.isArray(value) && array !== true)
      throw new Error(`--${name}: expected one value, received ${value.length}`)
    if (type === 'number' && value !== undefined && !Number.isInteger(value))
      throw new Error(`--${name}: expected an integer, received another value`)
  }
}

/**
 * Reads the command line of a program. Handles `--help` and mistakes itself: then there is nothing to run, and the
 * exit code (0 or 2) is set.
 */
export const readCommandLine = async <O extends Readonly<Record<string, Options>>>(
  { command, shows, takes, options }: Program<O>,
  argv: readonly string[] = process.argv.slice(2),
): Promise<Asked<O> | undefined> => {
  const usage = `${command} ${takes === undefined ? '' : `[${takes.name}..] `}[options]\n\n${shows}`
  const described = takes === undefined ? usage : `${usage}\n\n${takes.name}: ${takes.describe}`
  try {
    let text = ''
    const args = await yargs()
      .scriptName(command)
      .usage(described)
      .options(options)
      .epilogue('Exit codes: 0 no difference found; 1 a difference found; 2 wrong usage.')
      .version(false)
      .help()
      .strictOptions()
      .exitProcess(false)
      .showHelpOnFail(false)
      .wrap(100)
      .fail((message, error) => {
        throw error ?? new Error(message)
      })
      .parseAsync([...argv], {}, (_error, _args, output) => {
        text = output
      })
    if (text !== '') {
      process.stdout.write(`${text}\n`)
      return undefined
    }
    if (takes === undefined && args._.length > 0)
      throw new Error(`unexpected argument ${JSON.stringify(args._[0])}`)
    reject(options, args)
    return { ...args, arguments: args._.map(String) } as unknown as Asked<O>
  } catch (error) {
    process.stderr.write(`${(error as Error).message}. \`${command} --help\` shows the options.\n`)
    process.exitCode = 2
    return undefined
  }
}
