import type { Language } from '../../reports/page/words.ts'
import path from 'node:path'
import { stat, writeFile } from 'node:fs/promises'
import { rules } from '../../contract/rules.ts'
import type { Rule } from '../../contract/types.ts'
import { summary } from '../../reports/console.ts'
import { gapLines } from '../../reports/gap-outcomes.ts'
import { totalsOf } from '../../reports/finding.ts'
import type { Finding } from '../../reports/finding.ts'
import type { PlannedCheck } from '../../reports/plan.ts'
import { conclusionOf } from '../../reports/run.ts'
import type { Run, RunFacts } from '../../reports/run.ts'
import { expectBaseline } from '../baseline.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { checkEvidence, evidenceOf, evidenceOptions, writeEvidence } from '../evidence.ts'
import type { EvidenceArgs } from '../evidence.ts'
import { keepGaps } from '../gap-record.ts'
import { printJson, usageError } from '../io.ts'
import type { Io } from '../io.ts'
import { limitsOf } from '../limits.ts'
import { dialectOf, grepOf, runNamesLine, runNamesOf, seedOf, shareOf } from '../options.ts'
import type { RunNames } from '../options.ts'
import { typedPath } from '../paths.ts'
import { runSuite } from '../playwright.ts'
import { quickSelection } from '../quick.ts'
import { listedChecks } from '../registered.ts'
import { keepRunFacts, writeReports } from '../reports.ts'
import { openRunDirectory } from '../run-directory.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import { preflight, resolveTarget, writeProfile } from '../target.ts'
import { toolVersion } from '../version.ts'

export interface CheckArgs {
  selectors: string[]
  target: string | undefined
  dialect: string | undefined
  limits: string | undefined
  seed: number | undefined
  namespace: string | undefined
  strict: boolean
  baseline: string | undefined
  invoices: string | undefined
  unmodified: boolean
  documents: number | undefined
  quick: boolean
  workers: number | undefined
  report: boolean
  lang: Language
  minVerified: string | undefined
  out: string | undefined
  json: boolean
}

export interface CheckResult {
  readonly tool: string
  readonly seed: number
  readonly namespace: string
  readonly target: string
  readonly started: string
  readonly finished: string
  readonly interrupted: boolean
  readonly minVerified?: number
  readonly planned: number
  /** Planned checks that did not report. */
  readonly notRun: readonly PlannedCheck[]
  readonly findings: readonly Finding[]
}

/** The run as the reports see it. */
export const runOf = ({ findings, planned, notRun, ...result }: CheckResult): Run => ({
  facts: { ...result, version: toolVersion() },
  findings,
  planned,
  notRun,
})

const readable = async (option: string, file: string, io: Io): Promise<string> => {
  const full = path.resolve(io.cwd, file)
  await stat(full).catch(() => {
    throw usageError(`--${option}: ${typedPath(full, io.cwd)} does not exist; check the path`)
  })
  return full
}

/** A target whose profile the workers of the suite can read. */
interface WrittenTarget {
  readonly profile: TargetProfile
  readonly file: string
}

/** The baseline that the command line names, or else the profile. */
const baselineOf = async (
  { baseline }: Pick<CheckArgs, 'baseline'>,
  target: WrittenTarget | undefined,
  io: Io,
): Promise<string | undefined> => {
  const named = baseline ?? target?.profile.baseline
  if (named === undefined) return undefined
  const file = await readable('baseline', named, io)
  await expectBaseline(file)
  return file
}

/** Runs the suite and gives its findings: what `check` prints and `certify` goes on with. */
export const runChecks = async (
  args: Omit<CheckArgs, 'out'>,
  out: string,
  io: Io,
): Promise<CheckResult> => {
  const dialect = dialectOf(args.dialect)
  const run: Wanted = {
    out,
    seed: seedOf(args.seed),
    names: runNamesOf(args.namespace, { runsOn: args.target !== undefined }),
    dialect,
    grep: grepOf(args.selectors),
  }
  limitsOf(args.limits)
  shareOf('min-verified', args.minVerified)
  if (args.target === undefined) return runAt(undefined, run, args, io)
  const profile = await resolveTarget(
    { target: args.target, ...(dialect === undefined ? {} : { dialect }) },
    io,
  )
  await preflight(profile)
  const { file, dispose } = await writeProfile(profile)
  try {
    return await runAt({ profile, file }, run, args, io)
  } finally {
    await dispose()
  }
}

/** The number of generated documents, as the suite reads it. */
const documentsOf = (documents: number | undefined): string | undefined => {
  if (documents === undefined) return undefined
  if (Number.isInteger(documents) && documents > 0 && documents <= 2_000) return String(documents)
  throw usageError(
    `--documents: expected a whole number from 1 to 2000, received ${documents}; try \`--documents 100\``,
  )
}

/** Writes which checks a quick run makes; the path of the file. */
const writeQuick = async (out: string, seed: number): Promise<string> => {
  const file = path.join(out, 'quick.json')
  const chosen = quickSelection(await listedChecks(), seed)
  await writeFile(file, JSON.stringify(chosen.map(({ rule, variant }) => ({ rule, variant }))))
  return file
}

interface Wanted {
  readonly out: string
  readonly seed: number
  readonly names: RunNames
  readonly dialect: string | undefined
  readonly grep: string | undefined
}

const runAt = async (
  target: WrittenTarget | undefined,
  { out, seed, names, dialect, grep }: Wanted,
  args: Omit<CheckArgs, 'out'>,
  io: Io,
): Promise<CheckResult> => {
  const { namespace, run } = names
  const minVerified = shareOf('min-verified', args.minVerified)
  const name = target?.profile.url ?? 'embedded reference'
  io.err(`seed ${seed}, ${runNamesLine(names)}, target ${name}\n`)
  const started = new Date().toISOString()
  const facts: RunFacts = {
    started,
    finished: started,
    seed,
    namespace,
    target: name,
    version: toolVersion(),
  }
  await keepRunFacts(out, facts)
  const suite = await runSuite(
    {
      label: 'check',
      out,
      ...(grep === undefined ? {} : { grep }),
      ...(args.workers === undefined ? {} : { workers: args.workers }),
      options: {
        ASSAY_TARGET: target?.file,
        ASSAY_TARGET_NAME: args.target,
        ASSAY_SEED: String(seed),
        ASSAY_NAMESPACE: namespace,
        ASSAY_RUN: run,
        ASSAY_STRICT: args.strict ? '1' : undefined,
        ASSAY_LIMITS: args.limits,
        ASSAY_DIALECT: dialect,
        ASSAY_BASELINE: await baselineOf(args, target, io),
        ASSAY_INVOICES: args.invoices && (await readable('invoices', args.invoices, io)),
        ASSAY_DOCUMENTS: documentsOf(args.documents),
        ASSAY_ONLY: args.quick ? await writeQuick(out, seed) : undefined,
        ASSAY_UNMODIFIED: args.unmodified ? '1' : undefined,
      },
    },
    io,
  )
  const finished = new Date().toISOString()
  io.err(`seed ${seed}\n`)
  return {
    tool: `assay ${toolVersion()}`,
    seed,
    namespace,
    target: name,
    started,
    finished,
    interrupted: io.signal.aborted,
    ...(minVerified === undefined ? {} : { minVerified }),
    ...suite,
  }
}

const clauseOf = (rule: string): string | undefined =>
  (rules as Readonly<Record<string, Rule>>)[rule]?.clause

export const printRun = (run: Run, io: Io): void => {
  for (const line of summary(run, clauseOf)) io.out(`${line}\n`)
}

export const check: Command<CheckArgs & EvidenceArgs> = {
  usage: 'check [selectors..]',
  summary: 'Check a service against the contract',
  positionals: {
    selectors: {
      type: 'string',
      array: true,
      default: [] as string[],
      defaultDescription: 'every rule',
      describe: 'An area (auth), a prefix (auth.status) or a rule id',
    },
  },
  options: {
    target: shared.target,
    dialect: shared.dialect,
    limits: shared.limits,
    seed: shared.seed,
    namespace: shared.namespace,
    strict: shared.strict,
    baseline: {
      type: 'string',
      group: groups.verdict,
      describe: 'File of known failures: their checks still run, and must still fail',
    },
    invoices: {
      type: 'string',
      group: groups.documents,
      describe: 'Directory of your own invoices, used for the valid cases',
    },
    unmodified: {
      type: 'boolean',
      default: false,
      group: groups.documents,
      describe: 'Send your invoices byte for byte, without adapting seller, number and date',
    },
    documents: {
      type: 'number',
      group: groups.documents,
      describe: 'Generated invoices of each schema that are sent; 25 when absent',
    },
    quick: {
      type: 'boolean',
      default: false,
      group: groups.scope,
      describe: 'One check of each variant and family, drawn by the seed',
    },
    'min-verified': shared.minVerified,
    workers: {
      type: 'number',
      group: groups.repeat,
      describe: 'Checks that run in parallel; 2 when absent, 1 on a shared target',
    },
    report: {
      type: 'boolean',
      default: false,
      group: groups.output,
      describe: 'Also write the report page, Allure, JUnit and the requirement matrix',
    },
    lang: shared.lang,
    out: shared.out,
    ...evidenceOptions,
    json: shared.json,
  },
  examples: { 'check auth --target http://127.0.0.1:8080/api/v2': 'check authentication only' },
  run: async ({ out: named, ...args }, io) => {
    checkEvidence(args, io)
    const { out, release } = openRunDirectory(named, 'check', io)
    try {
      const result = await runChecks(args, out, io)
      const run = runOf(result)
      const { verdict, exit } = conclusionOf(run)
      await keepRunFacts(out, run.facts)
      const { gaps, changes } = keepGaps(out, run)
      if (args.report) {
        const { written, missing, failed } = await writeReports(out, run, args.lang)
        for (const line of [...missing, ...failed]) io.err(`${line}\n`)
        for (const file of written) io.err(`written ${typedPath(file, io.cwd)}\n`)
      }
      const { dialect } = args
      writeEvidence(
        args,
        evidenceOf('Check of a service', { ...result, dialect }, result.findings, exit),
        io,
      )
      if (args.json) printJson(io, { ...result, totals: totalsOf(result.findings), verdict, exit })
      else {
        printRun(run, io)
        for (const line of gapLines(gaps, changes)) io.err(`${line}\n`)
        io.err(`findings ${typedPath(out, io.cwd)}\n`)
      }
      return exit
    } finally {
      release()
    }
  },
}
