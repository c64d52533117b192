import { readFileSync } from 'node:fs'
import path from 'node:path'
import { dialectOf as dialectNamed } from '../../contract/dialects.ts'
import { startsCommand } from '../../suites/client/driver.ts'
import type { Examination } from '../../suites/client/examination.ts'
import { examine as runExamination, exitOf, ordealsFor } from '../../suites/client/examination.ts'
import type { OrdealResult } from '../../suites/client/examiner.ts'
import { readHar } from '../../suites/client/har.ts'
import type { History, Step } from '../../suites/client/history.ts'
import type { OrdealId } from '../../suites/client/ordeals.ts'
import { ordeal, ordealIds } from '../../suites/client/ordeals.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { checkEvidence, evidenceOptions, writeEvidence } from '../evidence.ts'
import { byHand } from '../examine/by-hand.ts'
import { counted } from '../../lib/words.ts'
import { examinationLines, findingLine, stepLine } from '../examine/console.ts'
import { examinationEvidence } from '../examine/evidence.ts'
import { examinationRun } from '../examine/findings.ts'
import { examinationJson } from '../examine/json.ts'
import type { Examined } from '../examine/kept.ts'
import { keepExamination, keepResult, keptIn } from '../examine/kept.ts'
import { dialectNamed as recordedDialect, readHistory, report } from '../examine/recorded.ts'
import { tellGitHub } from '../github.ts'
import type { Io } from '../io.ts'
import { exits, printJson, usageError } from '../io.ts'
import { dialectOf, seedOf } from '../options.ts'
import { typedPath } from '../paths.ts'
import { parseDuration } from '../plan/duration.ts'
import { progress } from '../progress.ts'
import { openRunDirectory } from '../run-directory.ts'

interface Args {
  selectors: string[] | undefined
  '--': string[] | undefined
  seed: number | undefined
  dialect: string | undefined
  strict: boolean
  list: boolean
  history: string | undefined
  har: string | undefined
  workers: number | undefined
  manual: boolean
  for: string | undefined
  resume: string | undefined
  out: string | undefined
  json: boolean
  evidence: string | undefined
  sign: string | undefined
  subject: string | undefined
}

/** The history in the file that was named. */
function recordedHistory({ history, har, dialect }: Args, io: Io): History {
  const option = history === undefined ? 'har' : 'history'
  const file = path.resolve(io.cwd, history ?? har ?? '')
  try {
    const text = readFileSync(file, 'utf8')
    return option === 'har' ? readHar(text, recordedDialect(dialectOf(dialect))) : readHistory(text)
  } catch (error) {
    throw usageError(
      `--${option}: ${typedPath(file, io.cwd)} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

export const examine: Command<Args> = {
  usage: 'examine [selectors..]',
  summary: 'Examine a client: run it through faults, limits and changes, and assess what it does',
  takesCommand: true,
  positionals: {
    selectors: {
      type: 'string',
      array: true,
      describe: 'Ids of ordeals, client rules or their prefixes; all when absent',
    },
  },
  options: {
    list: {
      type: 'boolean',
      default: false,
      describe: 'List the ordeals and run nothing',
      group: groups.scope,
    },
    history: {
      type: 'string',
      group: groups.scope,
      describe: 'Assess a history that `assay record` wrote, and run nothing',
    },
    har: {
      type: 'string',
      group: groups.scope,
      describe: 'Assess a HAR file, and run nothing',
    },
    workers: {
      type: 'number',
      describe: 'Ordeals that run at the same time; 2.5 per core when absent',
      group: groups.repeat,
    },
    manual: {
      type: 'boolean',
      default: false,
      group: groups.scope,
      describe:
        'Open the service for a client that you start, and show what it does; quiet-day when no ordeal is named',
    },
    for: {
      type: 'string',
      group: groups.scope,
      describe:
        'How long each ordeal of --manual lasts, for example 60s; until Enter or Ctrl-D when absent',
    },
    resume: {
      type: 'string',
      group: groups.repeat,
      describe: 'Directory of an interrupted examination: run the ordeals that have not reported',
    },
    seed: shared.seed,
    dialect: shared.dialect,
    strict: shared.strict,
    out: shared.out,
    ...evidenceOptions,
    json: shared.json,
  },
  examples: {
    'examine -- node examples/client/main.js': 'examines the model client',
    'examine client.limits -- ./my-client --once': 'runs the ordeals about the rate limits',
    'examine --list': 'lists the ordeals',
    'examine --manual --dialect ksef': 'waits for a client that you start',
  },
  run: async (args, io) => {
    const chosen = chosenOrdeals(args)
    if (args.list) return list(chosen, args.json, io)
    if (args.history !== undefined || args.har !== undefined)
      return report(recordedHistory(args, io), args, io)
    checkEvidence(args, io)
    const { examined, results } = examinationOf(args, chosen, io)
    const { out, release } = openRunDirectory(args.resume ?? args.out, 'examine', io, {
      continues: args.resume !== undefined,
    })
    try {
      keepExamination(out, examined)
      const found = await runKept(examined, results, args, out, io)
      const exit = io.signal.aborted ? exits.interrupted : exitOf(found)
      if (exit === exits.interrupted)
        io.err(
          `interrupted: ${found.results.length} of ${examined.ordeals.length} ordeals reported; continue with \`assay examine --resume ${typedPath(out, io.cwd)}\`\n`,
        )
      tellGitHub(examinationRun(found, examined), io, args)
      writeEvidence(args, examinationEvidence(found, examined.command, examined.dialect, exit), io)
      if (args.json) printJson(io, examinationJson(found, examined.command, exit))
      else for (const line of examinationLines(found, examined.dialect, exit)) io.out(`${line}\n`)
      return exit
    } finally {
      release()
    }
  },
}

function chosenOrdeals({ selectors = [], manual }: Args): OrdealId[] {
  for (const selector of selectors)
    if (ordealsFor([selector]).length === 0)
      throw usageError(
        `no ordeal is called ${JSON.stringify(selector)}, and no ordeal exercises such a rule: expected an id of \`assay examine --list\` or a client rule`,
      )
  return manual && selectors.length === 0 ? [...undisturbedDay] : ordealsFor(selectors)
}

/** What a person examines without naming an ordeal: nothing goes wrong. */
const undisturbedDay: readonly OrdealId[] = ['quiet-day']

function list(chosen: readonly OrdealId[], json: boolean, io: Io): number {
  const rows = chosen.map((id) => ({ id, title: ordeal(id).title, rules: ordeal(id).rules }))
  if (json) printJson(io, { ordeals: rows, totals: { ordeals: rows.length } })
  else {
    for (const { id, title } of rows) io.out(`${id.padEnd(30)} ${title}\n`)
    io.out(`${rows.length} of ${ordealIds.length} ordeals\n`)
  }
  return exits.conformant
}

/** What is to be examined: as the command line says, or as the examination that is continued was. */
function examinationOf(args: Args, ordeals: readonly OrdealId[], io: Io) {
  const command = args['--'] ?? []
  if (args.resume !== undefined) {
    if (command.length > 0 || (args.selectors ?? []).length > 0 || args.seed !== undefined)
      throw usageError(
        '--resume takes its command, ordeals and seed from the interrupted examination: leave them out',
      )
    return keptIn(args.resume, io)
  }
  if (args.manual !== (command.length === 0))
    throw usageError(
      args.manual
        ? '--manual waits for a client that you start: leave out the command after `--`'
        : 'no command: expected the command of your client after `--`, for example `assay examine -- node examples/client/main.js`, or --manual',
    )
  const examined: Examined = {
    command,
    cwd: io.cwd,
    dialect: dialectOf(args.dialect) ?? 'svc',
    seed: seedOf(args.seed),
    ordeals,
  }
  return { examined, results: [] }
}

/** Runs the ordeals that have not reported, and keeps each result as it comes. */
async function runKept(
  { command, cwd, dialect, seed, ordeals }: Examined,
  done: readonly OrdealResult[],
  args: Args,
  out: string,
  io: Io,
): Promise<Examination> {
  const [file, ...rest] = command
  const forMs = args.for === undefined ? undefined : parseDuration('for', args.for)
  const isManual = file === undefined
  io.err(
    `${counted(ordeals.length, 'ordeal')}, seed ${seed}${done.length === 0 ? '' : `; ${done.length} reported already`}\n`,
  )
  const shown = isManual
    ? undefined
    : progress(io, 'examine', { from: done.length, total: ordeals.length })
  let failures = 0
  const found = await runExamination({
    drive: isManual ? byHand(io, forMs) : startsCommand([file, ...rest], cwd),
    dialect: dialectNamed(dialect)!,
    seed,
    signal: io.signal,
    ordeals,
    done,
    strict: args.strict,
    ...(isManual && { deadline: Infinity, onStep: (step: Step) => io.err(`${stepLine(step)}\n`) }),
    workers: isManual ? 1 : args.workers,
    onResult: (result, reported, of) => {
      keepResult(out, result)
      const line = findingLine(result)
      if (line !== undefined) io.err(line)
      if (result.opinions.some(({ verdict }) => verdict === 'fail')) failures += 1
      shown?.at({ done: reported, total: of, failures })
    },
  })
  shown?.end()
  return found
}
