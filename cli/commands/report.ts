import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { ciBuildOf } from '../../reports/ci-build.ts'
import { compareRuns, comparisonLines } from '../../reports/compare.ts'
import type { Comparison } from '../../reports/compare.ts'
import { totalsLine } from '../../reports/finding.ts'
import { MergeError, mergeRuns } from '../../reports/merge.ts'
import type { Language } from '../../reports/page/languages.ts'
import { endFile, planFile, readSuiteRecord } from '../../reports/plan.ts'
import type { SuiteRecord } from '../../reports/plan.ts'
import { conclusionOf, coverageLine, verdictLine } from '../../reports/run.ts'
import type { Run } from '../../reports/run.ts'
import { mergeShown, readShown, shownFile } from '../../reports/shown-record.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { tellGitHub } from '../github.ts'
import { exits, printJson, usageError } from '../io.ts'
import type { Io } from '../io.ts'
import { earlierFindings } from '../check/selection.ts'
import { typedPath } from '../paths.ts'
import { keepRunFacts, readRunFacts, writeFindings, writeReports } from '../reports.ts'
import { lastRunDirectory, openRunDirectory } from '../run-directory.ts'

interface Args {
  merge: string[] | undefined
  compare: string | undefined
  out: string | undefined
  lang: Language
  history: string | undefined
  json: boolean
}

const recordIn = (out: string): SuiteRecord | undefined => {
  try {
    return readSuiteRecord(out)
  } catch (error) {
    throw usageError(`${out}: ${(error as Error).message}`)
  }
}

/** The record of a run in a directory. */
const recordOf = (out: string, io: Io): SuiteRecord => {
  const record = recordIn(out)
  if (record !== undefined) return record
  throw usageError(
    `no findings at ${typedPath(out, io.cwd)}: run \`assay check\` or \`assay certify\` first, or name the directory of a run with --out`,
  )
}

const writeAll = async (
  out: string,
  run: Run,
  args: Args & { readonly comparison: Comparison | undefined },
  io: Io,
) => {
  const { written, missing, failed } = await writeReports(out, run, args, io)
  for (const line of [...missing, ...failed]) io.err(`${line}\n`)
  return { written, exit: failed.length > 0 ? exits.couldNotRun : exits.conformant }
}

const comparisonOf = (run: Run, { compare }: Args, io: Io): Comparison | undefined =>
  compare === undefined ? undefined : compareRuns(earlierFindings('compare', compare, io), run)

const again = async (args: Args, io: Io): Promise<number> => {
  const out = lastRunDirectory(args.out, io)
  const { findings, planned, notRun } = recordOf(out, io)
  const run = { facts: await readRunFacts(out), findings, planned, notRun }
  const comparison = comparisonOf(run, args, io)
  const { written, exit } = await writeAll(out, run, { ...args, comparison }, io)
  if (args.json) printJson(io, { written, ...(comparison && { comparison }) })
  else {
    if (comparison) for (const line of comparisonLines(comparison)) io.out(`${line}\n`)
    for (const line of written) io.out(`${typedPath(line, io.cwd)}\n`)
  }
  return exit
}

const merged = async (names: readonly string[], io: Io): Promise<Run> => {
  const parts = await Promise.all(
    names.map(async (name) => {
      const directory = path.resolve(io.cwd, name)
      const record = recordOf(directory, io)
      return { name, record, facts: await readRunFacts(directory) }
    }),
  )
  try {
    return mergeRuns(parts)
  } catch (error) {
    if (error instanceof MergeError) throw usageError(`--merge: ${error.message}`)
    throw error
  }
}

/** The merged run is a run like any other: `report` repeats its reports, `check --since` continues from it. */
const keep = async (out: string, run: Run, names: readonly string[], io: Io): Promise<void> => {
  const planned = names.flatMap((name) => {
    const { plan } = recordOf(path.resolve(io.cwd, name), io)
    return plan
  })
  writeFileSync(planFile(out), `${JSON.stringify({ planned }, undefined, 1)}\n`)
  writeFileSync(endFile(out), `${JSON.stringify({ status: 'merged', errors: [] })}\n`)
  const shown = names.flatMap((name) => readShown(path.resolve(io.cwd, name)) ?? [])
  // What a part that was stopped had shown is not known.
  if (shown.length === names.length)
    writeFileSync(shownFile(out), `${JSON.stringify(mergeShown(shown))}\n`)
  await keepRunFacts(out, run.facts)
  await writeFindings(out, run.findings)
}

const join = async (names: readonly string[], args: Args, io: Io): Promise<number> => {
  const parts = await merged(names, io)
  const build = ciBuildOf(io.env)
  const run = build === undefined ? parts : { ...parts, facts: { ...parts.facts, build } }
  const comparison = comparisonOf(run, args, io)
  const { out, release } = openRunDirectory(args.out, 'merge', io)
  try {
    await keep(out, run, names, io)
    const { written, exit: reported } = await writeAll(out, run, { ...args, comparison }, io)
    const { verdict, exit } = conclusionOf(run)
    tellGitHub(run, io, args)
    if (args.json)
      printJson(io, { written, ...(comparison === undefined ? {} : { comparison }), verdict, exit })
    else {
      if (comparison !== undefined)
        for (const line of comparisonLines(comparison)) io.out(`${line}\n`)
      for (const line of written) io.out(`${typedPath(line, io.cwd)}\n`)
      io.out(`${coverageLine(run)}\n${totalsLine(run.findings)}\nverdict: ${verdictLine(run)}\n`)
    }
    return exit === exits.conformant ? reported : exit
  } finally {
    release()
  }
}

export const report: Command<Args> = {
  usage: 'report',
  summary: 'Rewrite the reports of the last run, or join the parts of one that was split',
  options: {
    merge: {
      type: 'string',
      array: true,
      group: groups.scope,
      describe:
        'Directories of all the parts of a run (`check --shard`): one verdict, one exit code',
    },
    compare: {
      type: 'string',
      group: groups.verdict,
      describe: 'Report what is new, fixed and still failing since this run',
    },
    out: {
      ...shared.out,
      defaultDescription: 'the last run below reports/out; with --merge a new directory there',
      describe: 'Directory of a run',
    },
    lang: shared.lang,
    history: shared.history,
    json: shared.json,
  },
  examples: { 'report --merge part-1 part-2': 'one verdict for a run on two machines' },
  run: (args, io) =>
    args.merge === undefined || args.merge.length === 0
      ? again(args, io)
      : join(args.merge, args, io),
}
