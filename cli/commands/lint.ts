import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { lintInvoice } from '../../lint/lint.ts'
import { isDay } from '../../generators/invoice/dates.ts'
import { invoiceSchemasByNamespace } from '../../generators/schema/contract.ts'
import type { Command } from '../command.ts'
import { shared } from '../command.ts'
import { exits, printJson, usageError } from '../io.ts'

interface Args {
  files: string[]
  today: string | undefined
  json: boolean
}

/** What stands in a file, or comes through standard input. */
const bytesOf = async (file: string, cwd: string): Promise<Uint8Array> =>
  file === '-' ? readFileSync(0) : readFile(path.resolve(cwd, file))

export const lint: Command<Args> = {
  usage: 'lint <files..>',
  summary: 'Say what the service would refuse in a document, and what looks wrong beyond',
  positionals: {
    files: {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'invoices, XML; - reads one from standard input',
    },
  },
  options: {
    today: {
      type: 'string',
      describe: 'day of receipt, for example 2026-06-15; today when absent',
    },
    json: shared.json,
  },
  examples: { 'lint invoice.xml': 'errors are refused by the service, warnings are not' },
  run: async (args, io) => {
    if (args.today !== undefined && !isDay(args.today))
      throw usageError(`--today: expected a date such as 2026-06-15, received ${args.today}`)
    const schemas = invoiceSchemasByNamespace()
    const documents = []
    // The parser swallows a lone dash.
    for (const file of args.files.length > 0 ? args.files : ['-']) {
      const bytes = await bytesOf(file, io.cwd).catch((cause: unknown) => {
        throw usageError(`${file} cannot be read: ${(cause as Error).message}`)
      })
      const findings = lintInvoice(new Uint8Array(bytes), {
        schemas,
        ...(args.today === undefined ? {} : { today: args.today }),
      })
      documents.push({ file, findings })
    }
    const all = documents.flatMap(({ findings }) => findings)
    const errors = all.filter(({ severity }) => severity === 'error').length
    const exit = errors > 0 ? exits.failed : exits.conformant
    if (args.json) {
      printJson(io, { documents, errors, warnings: all.length - errors, exit })
      return exit
    }
    for (const { file, findings } of documents)
      for (const { severity, rule, line, column, path: place, message, advice } of findings)
        io.out(
          `${file}:${line}:${column}: ${severity} ${rule}${place ? ` at ${place}` : ''}: ${message}\n    ${advice}\n`,
        )
    io.out(`${documents.length} documents, ${errors} errors, ${all.length - errors} warnings\n`)
    return exit
  },
}
