import path from 'node:path'
import { stat } from 'node:fs/promises'
import { rules } from '../../contract/rules.ts'
import type { Rule } from '../../contract/types.ts'
import { explain, totalsLine } from '../../reports/console.ts'
import { exitCodeOf, grouped, totalsOf } from '../../reports/finding.ts'
import type { Finding } from '../../reports/finding.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { printJson, usageError } from '../io.ts'
import type { Io } from '../io.ts'
import { limitsOf } from '../limits.ts'
import { dialectOf, grepOf, namespaceOf, outDirectory, seedOf } from '../options.ts'
import { typedPath } from '../paths.ts'
import { runSuite } from '../playwright.ts'
import { keepRunFacts, writeReports } from '../reports.ts'
import { preflight, resolveTarget } from '../target.ts'
import type { ResolvedTarget } from '../target.ts'
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
  workers: number | undefined
  report: boolean
  out: string
  json: boolean
}

export interface CheckResult {
  readonly tool: string
  readonly seed: number
  readonly namespace: string
  readonly target: string
  readonly started: string
  readonly finished: string
  readonly findings: readonly Finding[]
}

const readable = async (option: string, file: string, io: Io): Promise<string> => {
  const full = path.resolve(io.cwd, file)
  await stat(full).catch(() => {
    throw usageError(`--${option}: ${typedPath(full, io.cwd)} does not exist; check the path`)
  })
  return full
}

/** The baseline that the command line names, or else the profile. */
const baselineOf = async (
  { baseline }: CheckArgs,
  target: ResolvedTarget | undefined,
  io: Io,
): Promise<string | undefined> => {
  const named = baseline ?? target?.profile.baseline
  return named === undefined ? undefined : readable('baseline', named, io)
}

/** Runs the suite and gives its findings: what `check` prints and `certify` goes on with. */
export const runChecks = async (args: CheckArgs, io: Io): Promise<CheckResult> => {
  const dialect = dialectOf(args.dialect)
  const run: Run = {
    seed: seedOf(args.seed),
    namespace: namespaceOf(args.namespace),
    dialect,
    grep: grepOf(args.selectors),
  }
  limitsOf(args.limits)
  if (args.target === undefined) return runAt(undefined, run, args, io)
  const target = await resolveTarget(
    { target: args.target, ...(dialect === undefined ? {} : { dialect }) },
    io,
  )
  try {
    await preflight(target)
    return await runAt(target, run, args, io)
  } finally {
    // Its secrets lie in files.
    await target.dispose()
  }
}

interface Run {
  readonly seed: number
  readonly namespace: string
  readonly dialect: string | undefined
  readonly grep: string | undefined
}

const runAt = async (
  target: ResolvedTarget | undefined,
  { seed, namespace, dialect, grep }: Run,
  args: CheckArgs,
  io: Io,
): Promise<CheckResult> => {
  const out = outDirectory(args.out, io)
  const name = target?.profile.url ?? 'embedded reference'
  io.err(`seed ${seed}, namespace ${namespace}, target ${name}\n`)
  const started = new Date().toISOString()
  const findings = await runSuite(
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
        ASSAY_STRICT: args.strict ? '1' : undefined,
        ASSAY_LIMITS: args.limits,
        ASSAY_DIALECT: dialect,
        ASSAY_BASELINE: await baselineOf(args, target, io),
        ASSAY_INVOICES: args.invoices && (await readable('invoices', args.invoices, io)),
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
    findings,
  }
}

const clauseOf = (rule: string): string | undefined =>
  (rules as Readonly<Record<string, Rule>>)[rule]?.clause

export const printFindings = (findings: readonly Finding[], io: Io): void => {
  for (const finding of findings)
    if (['fail', 'broken', 'inconclusive', 'warn'].includes(finding.verdict))
      io.out(`${explain(finding, clauseOf(finding.rule))}\n\n`)
  const unverified = grouped(
    findings.filter(({ verdict }) => verdict === 'not-verifiable'),
    ({ reason }) => reason ?? '',
  )
  for (const [reason, group] of unverified) io.out(`not verifiable (${group.length}): ${reason}\n`)
  io.out(`${totalsLine(findings)}\n`)
}

export const check: Command<CheckArgs> = {
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
      describe: 'Send them byte for byte; otherwise seller, number and date are adapted',
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
      describe: 'Also write Allure, JUnit and the requirement matrix',
    },
    out: shared.out,
    json: shared.json,
  },
  examples: { 'check auth --target http://127.0.0.1:8080/api/v2': 'check authentication only' },
  run: async (args, io) => {
    const result = await runChecks(args, io)
    const totals = totalsOf(result.findings)
    const exit = exitCodeOf(totals)
    const out = outDirectory(args.out, io)
    const facts = { ...result, version: toolVersion() }
    await keepRunFacts(out, facts)
    if (args.report) {
      const { written, missing } = await writeReports(out, result.findings, facts)
      for (const line of missing) io.err(`${line}\n`)
      for (const file of written) io.err(`written ${typedPath(file, io.cwd)}\n`)
    }
    if (args.json) printJson(io, { ...result, totals, exit })
    else printFindings(result.findings, io)
    return exit
  },
}
