import yargs from 'yargs'
import type { Argv, Options } from 'yargs'
import { groups } from './command.ts'
import type { Command } from './command.ts'
import { commandNames, commandsFor } from './commands.ts'
import { argumentIds, words } from './completion.ts'
import { Explained, exitMeanings, exits, usageError } from './io.ts'
import { didYouMean } from './nearest.ts'
import { toolVersion } from './version.ts'

/** A command line that was understood: a command with its arguments, or a text that answers it (help, version). */
export type Parsed =
  | { readonly command: Command<never>; readonly args: never; readonly quiet: boolean }
  | { readonly text: string }

type Arguments = Record<string, unknown>

const globals = ['quiet', 'help', 'version']

/** The shell asks for words, of a line that need not be right yet. */
const completing = (argv: readonly string[]): boolean => argv[0] === '--get-yargs-completions'

const camel = (name: string): string => name.replace(/-(\w)/g, (_, c: string) => c.toUpperCase())

/** The option as the help shows it: a flag that is off and a list that is empty need no default there. */
const shown = ({ default: value, ...option }: Options): Options =>
  value === undefined || value === false || (Array.isArray(value) && value.length === 0)
    ? { group: groups.scope, ...option }
    : { group: groups.scope, ...option, default: value }

const described = (y: Argv, command: Command): Argv => {
  y.usage(`assay ${command.usage} [options]\n\n${command.summary}.`)
  for (const [name, positional] of Object.entries(command.positionals ?? {})) {
    const { default: value, ...rest } = positional
    const empty = Array.isArray(value) && value.length === 0
    y.positional(name, value === undefined || empty ? rest : positional)
  }
  for (const [name, option] of Object.entries(command.options)) y.option(name, shown(option))
  y.group(globals, 'Global options:')
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

/** Rejects what no option can mean: no value, a word for a number, one value after the other. */
const checkValues = (command: Command, args: Arguments, argv: readonly string[]): void => {
  for (const [name, { array, type, choices }] of Object.entries(command.options)) {
    const value = args[name]
    if (Array.isArray(value) && array !== true)
      throw usageError(`--${name}: expected one value, received ${value.length}`)
    if (value === '') throw usageError(`--${name}: expected a value, received none`)
    if (type === 'number' && Number.isNaN(value))
      throw usageError(`--${name}: expected a number, received ${asGiven(argv, name)}`)
    if (choices && value !== undefined && !choices.includes(value as string))
      throw usageError(
        `--${name}: expected one of ${choices.join(', ')}, received ${JSON.stringify(value)}.${didYouMean(typeof value === 'string' ? value : '', choices.map(String))}`,
      )
  }
}

const nameOf = ({ usage }: Command): string => usage.split(' ')[0] ?? usage

const rejectUnknown = (command: Command, args: Arguments): void => {
  const name = nameOf(command)
  const positionals = Object.keys(command.positionals ?? {})
  const known = [...Object.keys(command.options), ...globals]
  const accepted = new Set([...known, ...known.map(camel), ...positionals, '_', '$0', 'q'])
  if (args['--'] !== undefined && command.takesCommand !== true)
    throw usageError(
      `${name} takes nothing after \`--\`. \`assay ${name} --help\` shows its usage.`,
    )
  accepted.add('--')
  for (const given of Object.keys(args))
    if (!accepted.has(given) && !accepted.has(camel(given)))
      throw usageError(
        `${name} has no option ${given.length === 1 ? '-' : '--'}${given}.${didYouMean(given, known, '--')} \`assay ${name} --help\` lists its options.`,
      )
  const [, ...extra] = args['_'] as string[]
  if (extra.length > 0)
    throw usageError(
      `${name} takes no argument ${JSON.stringify(extra[0])}. \`assay ${name} --help\` shows its usage.`,
    )
}

/** Values of flags and lists that were not given. */
const completed = (command: Command, args: Arguments): Arguments => {
  const filled = { ...args }
  for (const [name, { default: value }] of Object.entries({
    ...command.options,
    ...command.positionals,
  }))
    if (value !== undefined && filled[camel(name)] === undefined) filled[camel(name)] = value
  return filled
}

const rejectCommand = (given: string | number | undefined): never => {
  const names = [...commandNames, 'completion']
  if (given === undefined) throw usageError('Name a command. `assay --help` lists the commands.')
  throw usageError(
    `${JSON.stringify(given)} is not a command.${didYouMean(String(given), names)} \`assay --help\` lists the commands.`,
  )
}

const epilogue = `Exit codes: ${Object.entries(exits)
  .map(([name, code]) => `${code} ${exitMeanings[name as keyof typeof exits]}`)
  .join('; ')}.`

/**
 * Understands a command line.
 * @throws {Explained} with what is wrong with it, and exit code 2
 */
export const parse = async (argv: readonly string[]): Promise<Parsed> => {
  let parsed: Parsed | undefined
  const parser = yargs([...argv])
    .scriptName('assay')
    .usage(
      'assay <command> [options]\n\nConformance and load testing of an invoice clearing service.',
    )
    .epilogue(epilogue)
    .option('quiet', {
      alias: 'q',
      type: 'boolean',
      describe: 'Print results and errors only, no progress',
    })
    .version('version', 'Print the version', toolVersion())
    .help('help', 'Print this help')
    .alias('help', 'h')
    .parserConfiguration({ 'strip-aliased': true, 'populate--': true })
    .exitProcess(false)
    .showHelpOnFail(false)
    .wrap(100)
    .fail((message, error) => {
      throw error ?? new Explained(exits.usage, `${message}. \`assay --help\` shows the usage.`)
    })
  for (const command of await commandsFor(argv))
    parser.command(
      command.usage,
      command.summary,
      (y) =>
        // Before yargs' own validation, which says less.
        described(y, command).middleware((args) => {
          // Where help is printed, yargs leaves the words behind the command unread.
          if (completing(argv) || args['help'] === true) return
          rejectUnknown(command, args)
          checkValues(command, args, argv)
        }, true),
      (args) => {
        parsed = {
          command: command as unknown as Command<never>,
          args: completed(command, args) as never,
          quiet: args['quiet'] === true,
        }
      },
    )
  const ids = completing(argv) ? await argumentIds() : {}
  parser.completion('completion', 'Print a completion script for bash, zsh or fish', words(ids))
  let text = ''
  // yargs prints help, version and completions through this callback, so that nothing bypasses `io`.
  const args = await parser.parseAsync([...argv], {}, (_error, _args, output) => {
    text = output
  })
  if (text !== '') return { text }
  return parsed ?? rejectCommand(args._[0])
}
