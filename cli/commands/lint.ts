import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { lintInvoice } from '../../lint/lint.ts'
import { isDay } from '../../generators/invoice/dates.ts'
import { invoiceSchemasByNamespace } from '../../generators/schema/contract.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { exits, printJson, usageError } from '../io.ts'
import type { Io } from '../io.ts'
import type { LintFinding } from '../../lint/finding.ts'
import { sarif } from '../../reports/sarif.ts'
import type { SarifResult } from '../../reports/sarif.ts'
import { annotateFiles } from '../github.ts'
import { toolVersion } from '../version.ts'
import { systemError } from '../system-error.ts'
import { counted } from '../../lib/words.ts'

interface Args {
  files: string[]
  today: string | undefined
  json: boolean
  format: 'text' | 'json' | 'sarif'
}

/** What stands in a file, or comes through standard input. */
const bytesOf = async (file: string, cwd: string): Promise<Uint8Array> =>
  file === '-' ? readFileSync(0) : readFile(path.resolve(cwd, file))

interface LintedDocument {
  readonly file: string
  readonly findings: readonly LintFinding[]
}

const remarksOf = (documents: readonly LintedDocument[]): SarifResult[] =>
  documents.flatMap(({ file, findings }) =>
    findings.map(({ severity, path: place, occurrences, rule, message, line, column }) => ({
      rule,
      level: severity,
      message,
      file,
      line,
      column,
      ...(place === '' ? {} : { place: { name: place, kind: 'element' } }),
      ...(occurrences === undefined ? {} : { occurrences }),
    })),
  )

const printSarif = (documents: readonly LintedDocument[], io: Io): void => {
  const help = new Map(
    documents.flatMap(({ findings }) =>
      findings.map(({ rule, advice }): [string, string] => [rule, advice]),
    ),
  )
  const results = remarksOf(documents)
  printJson(io, sarif({ tool: 'assay lint', version: toolVersion(), help, results }))
}

export const lint: Command<Args> = {
  usage: 'lint <files..>',
  summary: 'Report what the service would reject in an invoice, and what looks wrong',
  positionals: {
    files: {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'Invoices in XML; - reads one from standard input',
    },
  },
  options: {
    today: {
      type: 'string',
      group: groups.scope,
      describe: 'Date of receipt, for example 2026-06-15; the current date when absent',
    },
    format: {
      choices: ['text', 'json', 'sarif'] as const,
      default: 'text',
      group: groups.output,
      describe: 'Form of the findings; sarif is what code hosts and editors read',
    },
    json: { ...shared.json, describe: 'The same as --format json' },
  },
  examples: { 'lint invoice.xml': 'the service rejects errors, and accepts warnings' },
  run: async (args, io) => {
    if (args.today !== undefined && !isDay(args.today))
      throw usageError(`--today: expected a date such as 2026-06-15, received ${args.today}`)
    const schemas = invoiceSchemasByNamespace()
    const documents = []
    // The parser swallows a lone dash.
    for (const file of args.files.length > 0 ? args.files : ['-']) {
      const bytes = await bytesOf(file, io.cwd).catch((cause: unknown) => {
        throw (
          systemError(cause) ?? usageError(`${file} cannot be read: ${(cause as Error).message}`)
        )
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
    if (args.json || args.format === 'json') {
      printJson(io, { documents, errors, warnings: all.length - errors, exit })
      return exit
    }
    if (args.format === 'sarif') {
      printSarif(documents, io)
      return exit
    }
    annotateFiles(remarksOf(documents), io)
    for (const { file, findings } of documents)
      for (const {
        severity,
        rule,
        line,
        column,
        path: place,
        message,
        advice,
        occurrences,
      } of findings)
        io.out(
          `${file}:${line}:${column}: ${severity} ${rule}${place ? ` at ${place}` : ''}: ${message}${occurrences === undefined ? '' : ` (${occurrences} times; this is the first)`}\n    ${advice}\n`,
        )
    io.out(
      `${counted(documents.length, 'document')}, ${counted(errors, 'error')}, ${counted(all.length - errors, 'warning')}\n`,
    )
    return exit
  },
}
