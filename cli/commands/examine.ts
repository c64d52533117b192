import { readFileSync } from 'node:fs'
import path from 'node:path'
import { dialectOf as dialectNamed } from '../../contract/dialects.ts'
import { startsCommand } from '../../suites/client/driver.ts'
import { examine as runExamination, exitOf, ordealsFor } from '../../suites/client/examination.ts'
import { ordeal, ordealIds } from '../../suites/client/ordeals.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { examinationLines, progressLine } from '../examine/console.ts'
import { examinationEvidence } from '../examine/evidence.ts'
import { checkEvidence, evidenceOptions, writeEvidence } from '../evidence.ts'
import { examinationJson } from '../examine/json.ts'
import { dialectNamed as recordedDialect, readHistory, report } from '../examine/recorded.ts'
import type { History } from '../../suites/client/history.ts'
import { readHar } from '../../suites/client/har.ts'
import { typedPath } from '../paths.ts'
import type { Io } from '../io.ts'
import { printJson, usageError } from '../io.ts'
import { dialectOf, seedOf } from '../options.ts'

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
    seed: shared.seed,
    dialect: shared.dialect,
    strict: shared.strict,
    ...evidenceOptions,
    json: shared.json,
  },
  examples: {
    'examine -- node examples/client/main.js': 'examines the model client',
    'examine client.limits -- ./my-client --once': 'runs the ordeals about the rate limits',
    'examine --list': 'lists the ordeals',
  },
  run: async (args, io) => {
    const chosen = ordealsFor(args.selectors ?? [])
    for (const selector of args.selectors ?? [])
      if (ordealsFor([selector]).length === 0)
        throw usageError(
          `no ordeal is called ${JSON.stringify(selector)}, and no ordeal exercises such a rule: expected an id of \`assay examine --list\` or a client rule`,
        )
    if (args.list) {
      const rows = chosen.map((id) => ({ id, title: ordeal(id).title, rules: ordeal(id).rules }))
      if (args.json) printJson(io, { ordeals: rows, totals: { ordeals: rows.length } })
      else {
        for (const { id, title } of rows) io.out(`${id.padEnd(30)} ${title}\n`)
        io.out(`${rows.length} of ${ordealIds.length} ordeals\n`)
      }
      return 0
    }
    if (args.history !== undefined || args.har !== undefined)
      return report(recordedHistory(args, io), args, io)
    const [file, ...rest] = args['--'] ?? []
    if (file === undefined)
      throw usageError(
        'no command: expected the command of your client after `--`, for example `assay examine -- node examples/client/main.js`',
      )
    checkEvidence(args, io)
    const seed = seedOf(args.seed)
    const dialect = dialectNamed(dialectOf(args.dialect) ?? 'svc')!
    io.err(`${chosen.length} ordeals, seed ${seed}\n`)
    const found = await runExamination({
      drive: startsCommand([file, ...rest], io.cwd),
      dialect,
      seed,
      signal: io.signal,
      ordeals: chosen,
      strict: args.strict,
      workers: args.workers,
      onResult: (result, done, of) => io.err(progressLine(result, done, of)),
    })
    const exit = io.signal.aborted ? 130 : exitOf(found)
    writeEvidence(args, examinationEvidence(found, [file, ...rest], dialect.id, exit), io)
    if (args.json) printJson(io, examinationJson(found, [file, ...rest], exit))
    else for (const line of examinationLines(found, exit)) io.out(`${line}\n`)
    return exit
  },
}
