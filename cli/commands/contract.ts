import { dialects } from '../../contract/dialects.ts'
import { diffOpenApi } from '../contract/diff.ts'
import { openapi } from '../../contract/openapi.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { exits, printJson, usageError } from '../io.ts'
import type { Io } from '../io.ts'
import { dialectOf } from '../options.ts'
import { differenceHelp, remarksOf } from '../contract/findings.ts'
import { readDescriptionAt } from '../contract/read.ts'
import { annotateFiles } from '../github.ts'
import { sarif } from '../../reports/sarif.ts'
import type { SarifResult } from '../../reports/sarif.ts'
import { toolVersion } from '../version.ts'
import { counted } from '../../lib/words.ts'

interface Args {
  action: string
  description: string | undefined
  dialect: string | undefined
  json: boolean
  format: 'text' | 'json' | 'sarif'
}

const diff = async (args: Args, io: Io): Promise<number> => {
  if (args.description === undefined)
    throw usageError(
      'contract diff: expected the OpenAPI description, a file or a URL, received none',
    )
  const dialect = dialects[(dialectOf(args.dialect) ?? 'svc') as keyof typeof dialects]
  const { text, value } = await readDescriptionAt(args.description, io)
  const differences = diffOpenApi(value, dialect)
  const breaking = differences.filter((difference) => difference.breaking)
  const exit = breaking.length > 0 ? exits.failed : exits.conformant
  const results = remarksOf(differences, args.description, text)
  if (args.json || args.format === 'json')
    printJson(io, { differences, breaking: breaking.length, exit })
  else if (args.format === 'sarif') printSarif(results, io)
  else {
    annotateFiles(results, io)
    for (const { breaking: breaks, kind, where, expected, found, accepted } of differences) {
      const mark = breaks ? 'BREAKING' : accepted === undefined ? 'differs ' : 'accepted'
      io.out(
        `${mark} ${kind} at ${where}: contract ${expected ?? 'none'}, description ${found ?? 'none'}${accepted === undefined ? '' : ` (${accepted})`}\n`,
      )
    }
    io.out(`${counted(differences.length, 'difference')}, ${breaking.length} breaking\n`)
  }
  return exit
}

const printSarif = (results: readonly SarifResult[], io: Io): void => {
  const kinds = new Set(results.map(({ rule }) => rule))
  const help = new Map(Object.entries(differenceHelp).filter(([kind]) => kinds.has(kind)))
  printJson(io, sarif({ tool: 'assay contract diff', version: toolVersion(), help, results }))
}

export const contract: Command<Args> = {
  usage: 'contract <action> [description]',
  summary: 'Compare an OpenAPI description with the contract, or print the contract as one',
  positionals: {
    action: {
      choices: ['diff', 'openapi'] as const,
      demandOption: true,
      describe: 'diff: list the differences; openapi: print the contract as OpenAPI 3.1',
    },
    description: { type: 'string', describe: 'File or URL of the description, for diff' },
  },
  options: {
    dialect: { ...shared.dialect, group: groups.scope },
    format: {
      choices: ['text', 'json', 'sarif'] as const,
      default: 'text',
      group: groups.output,
      describe: 'Form of the differences; sarif is what code hosts and editors read',
    },
    json: { ...shared.json, describe: 'The same as --format json' },
  },
  run: async (args, io) => {
    if (args.action === 'diff') return diff(args, io)
    printJson(io, openapi(dialects[(dialectOf(args.dialect) ?? 'svc') as keyof typeof dialects]))
    return exits.conformant
  },
}
