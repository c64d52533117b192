import type { Language } from '../../reports/page/words.ts'
import { readSuiteRecord } from '../../reports/plan.ts'
import type { SuiteRecord } from '../../reports/plan.ts'
import type { Command } from '../command.ts'
import { shared } from '../command.ts'
import { exits, printJson, usageError } from '../io.ts'
import { typedPath } from '../paths.ts'
import { readRunFacts, writeReports } from '../reports.ts'
import { lastRunDirectory } from '../run-directory.ts'

interface Args {
  out: string | undefined
  lang: Language
  json: boolean
}

export const report: Command<Args> = {
  usage: 'report',
  summary: 'Rewrite the reports from the findings of the last run',
  options: {
    out: {
      ...shared.out,
      defaultDescription: 'the last run below reports/out',
      describe: 'Directory of a run',
    },
    lang: shared.lang,
    json: shared.json,
  },
  run: async (args, io) => {
    const out = lastRunDirectory(args.out, io)
    const record = recordIn(out)
    if (record === undefined)
      throw usageError(
        `no findings at ${typedPath(out, io.cwd)}: run \`assay check\` or \`assay certify\` first, or name the directory of a run with --out`,
      )
    const { findings, planned, notRun } = record
    const facts = await readRunFacts(out)
    const { written, missing, failed } = await writeReports(
      out,
      { facts, findings, planned, notRun },
      args.lang,
    )
    for (const line of [...missing, ...failed]) io.err(`${line}\n`)
    if (args.json) printJson(io, { written })
    else for (const line of written) io.out(`${typedPath(line, io.cwd)}\n`)
    return failed.length > 0 ? exits.couldNotRun : exits.conformant
  },
}

const recordIn = (out: string): SuiteRecord | undefined => {
  try {
    return readSuiteRecord(out)
  } catch (error) {
    throw usageError(`${out}: ${(error as Error).message}`)
  }
}
