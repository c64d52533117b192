import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseFindings } from '../../reports/finding.ts'
import type { Command } from '../command.ts'
import { shared } from '../command.ts'
import { exits, printJson, usageError } from '../io.ts'
import { outDirectory } from '../options.ts'
import { readRunFacts, writeReports } from '../reports.ts'

interface Args {
  out: string
  json: boolean
}

export const report: Command<Args> = {
  usage: 'report',
  summary: 'Write the reports again from the findings of the last run',
  options: { out: shared.out, json: shared.json },
  run: async (args, io) => {
    const out = outDirectory(args.out, io)
    const file = path.join(out, 'findings.ndjson')
    const text = await readFile(file, 'utf8').catch(() => {
      throw usageError(
        `no findings at ${file}: run \`assay check\` or \`assay certify\` first, or name their directory with --out`,
      )
    })
    let findings
    try {
      findings = parseFindings(text)
    } catch (error) {
      throw usageError(`${file}: ${(error as Error).message}`)
    }
    const { written, missing } = await writeReports(out, findings, await readRunFacts(out))
    for (const line of missing) io.err(`${line}\n`)
    if (args.json) printJson(io, { written })
    else for (const line of written) io.out(`${line}\n`)
    return exits.conformant
  },
}
