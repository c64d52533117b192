import type { Language } from '../../reports/page/languages.ts'
import { rules } from '../../contract/rules.ts'
import type { Rule } from '../../contract/types.ts'
import { compareRuns, comparisonLines } from '../../reports/compare.ts'
import { summary } from '../../reports/console.ts'
import { gapLines } from '../../reports/gap-outcomes.ts'
import { totalsOf } from '../../reports/finding.ts'
import { conclusionOf } from '../../reports/run.ts'
import type { Run } from '../../reports/run.ts'
import { runCoverageLines } from '../../reports/run-coverage.ts'
import type { RunArgs } from '../check/arguments.ts'
import { planChecks, runChecks, runOf } from '../check/run.ts'

import { earlierFindings } from '../check/selection.ts'
import type { Command } from '../command.ts'
import { coverageOfRun } from '../coverage/run.ts'
import { groups, ruleSelectors, shared } from '../command.ts'
import { checkEvidence, evidenceOf, evidenceOptions, writeEvidence } from '../evidence.ts'
import type { EvidenceArgs } from '../evidence.ts'
import { keepGaps } from '../gap-record.ts'
import { tellGitHub } from '../github.ts'
import type { RegisteredCheck } from '../registered.ts'
import { exits, printJson } from '../io.ts'
import type { Io } from '../io.ts'
import { typedPath } from '../paths.ts'
import { keepRunFacts, writeReports } from '../reports.ts'
import { openRunDirectory } from '../run-directory.ts'

interface CheckArgs extends RunArgs, EvidenceArgs {
  readonly dryRun: boolean
  readonly list: boolean
  readonly compare: string | undefined
  readonly report: boolean
  readonly lang: Language
  readonly history: string | undefined
  readonly out: string | undefined
  readonly json: boolean
}

const clauseOf = (rule: string): string | undefined =>
  (rules as Readonly<Record<string, Rule>>)[rule]?.clause

export const printRun = (run: Run, io: Io): void => {
  for (const line of summary(run, clauseOf)) io.out(`${line}\n`)
}

const namesOf = (checks: readonly RegisteredCheck[]) =>
  checks.map(({ rule, variant }) => ({ rule, variant }))

const planRun = async (args: CheckArgs, io: Io): Promise<number> => {
  const { plan, lines } = await planChecks(args, io)
  if (args.json)
    printJson(io, {
      ...plan,
      runs: namesOf(plan.runs),
      notRun: plan.notRun.map(({ reason, checks }) => ({
        reason,
        checks: checks.length,
        names: namesOf(checks),
      })),
    })
  else for (const line of lines) io.out(`${line}\n`)
  return exits.conformant
}

/** What to choose and in what order: the same for `--dry-run` and for a run. */
const selectionOptions = {
  grep: {
    type: 'string',
    group: groups.scope,
    describe: 'Only checks whose title matches this regular expression',
  },
  'only-must': {
    type: 'boolean',
    default: false,
    group: groups.scope,
    describe: 'Only checks of requirements that MUST hold',
  },
  since: {
    type: 'string',
    group: groups.scope,
    describe: 'Only what an earlier run left open: its findings.ndjson, or its directory',
  },
  shard: {
    type: 'string',
    group: groups.scope,
    describe: 'Part i of n of the checks, for example 2/5; `report --merge` joins the parts',
  },
  'dry-run': {
    type: 'boolean',
    default: false,
    group: groups.scope,
    describe: 'Print what would run on the target, what would not and why, and how long it takes',
  },
  list: {
    type: 'boolean',
    default: false,
    group: groups.scope,
    describe: 'With --dry-run: name each check that would run, and each that would not',
  },
} as const satisfies Command['options']

export const check: Command<CheckArgs> = {
  usage: 'check [selectors..]',
  summary: 'Check a service against the contract',
  positionals: {
    selectors: ruleSelectors,
  },
  options: {
    ...selectionOptions,
    target: shared.target,
    dialect: shared.dialect,
    patience: {
      type: 'string',
      group: groups.target,
      describe:
        'Time to wait for room within the rate limits, for example 3h; important checks first',
    },
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
    compare: {
      type: 'string',
      group: groups.verdict,
      describe: 'Report what is new, fixed and still failing since this run',
    },
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
    history: shared.history,
    har: {
      type: 'boolean',
      default: false,
      group: groups.output,
      describe: 'Write the exchanges of every check, passed ones too, as HAR files; redacted',
    },
    out: shared.out,
    ...evidenceOptions,
    evidence: {
      ...evidenceOptions.evidence,
      describe: `${evidenceOptions.evidence.describe}; \`full\` stands for --har`,
    },
    json: shared.json,
  },
  examples: { 'check auth --target http://127.0.0.1:8080/api/v2': 'check authentication only' },
  run: async ({ out: named, ...given }, io) => {
    const args = given.evidence === 'full' ? { ...given, evidence: undefined, har: true } : given
    if (args.dryRun) return planRun({ ...args, out: named }, io)
    checkEvidence(args, io)
    const since = args.compare ?? args.since
    const earlier =
      since === undefined
        ? undefined
        : earlierFindings(args.compare === undefined ? 'since' : 'compare', since, io)
    const { out, release } = openRunDirectory(named, 'check', io)
    try {
      const result = await runChecks(args, out, io)
      const run = runOf(result)
      const { verdict, exit } = conclusionOf(run)
      await keepRunFacts(out, run.facts)
      const { gaps, changes } = keepGaps(out, run)
      const comparison = earlier && compareRuns(earlier, run)
      const coverage = await coverageOfRun(out, result.findings, result.dialect)
      if (args.report) {
        const { written, missing, failed } = await writeReports(
          out,
          run,
          { ...args, comparison },
          io,
        )
        for (const line of [...missing, ...failed]) io.err(`${line}\n`)
        for (const file of written) io.err(`written ${typedPath(file, io.cwd)}\n`)
      }
      const { dialect } = args
      writeEvidence(
        args,
        evidenceOf('Check of a service', { ...result, dialect }, result.findings, exit),
        io,
      )
      if (args.json)
        printJson(io, {
          ...result,
          totals: totalsOf(result.findings),
          ...(coverage === undefined ? {} : { coverage }),
          ...(comparison === undefined ? {} : { comparison }),
          verdict,
          exit,
        })
      else {
        if (comparison !== undefined)
          for (const line of comparisonLines(comparison)) io.out(`${line}\n`)
        printRun(run, io)
        for (const line of coverage ? runCoverageLines(coverage) : []) io.err(`${line}\n`)
        for (const line of gapLines(gaps, changes)) io.err(`${line}\n`)
        io.err(`findings ${typedPath(out, io.cwd)}\n`)
      }
      tellGitHub(run, io, args)
      return exit
    } finally {
      release()
    }
  },
}
