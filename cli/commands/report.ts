import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseFindings } from '../../reports/finding.ts'
import type { Command } from '../command.ts'
import { shared } from '../command.ts'
import { exits, printJson, usageError } from '../io.ts'
import { outDirectory } from '../options.ts'
import { typedPath } from '../paths.ts'
import { readRunFacts, writeReports } from '../reports.ts'

interface Args {
  out: string
  json: boolean
}

export const report: Command<Args> = {
  usage: 'report',
  summary: 'Rewrite the reports from the findings of the last run',
  options: { out: shared.out, json: shared.json },
  run: async (args, io) => {
    const out = outDirectory(args.out, io)
    const file = path.join(out, 'findings.ndjson')
    const text = await readFile(file, 'utf8').catch(() => {
      throw usageError(
        `${typedPath(file, io.cwd)} does not exist: run \`assay check\` or \`assay certify\` first, or name the directory of a run with --out`,
      )
    })
    let findings
    try {
      findings = parseFindings(text)
    } catch (error) {
      throw usageError(`${typedPath(file, io.cwd)}: ${(error as Error).message}`)
    }
    const { written, missing } = await writeReports(out, findings, await readRunFacts(out))
    for (const line of missing) io.err(`${line}\n`)
    if (args.json) printJson(io, { written })
    else for (const line of written) io.out(`${typedPath(line, io.cwd)}\n`)
    return exits.conformant
  },
}
