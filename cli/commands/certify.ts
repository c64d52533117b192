import type { Language } from '../../reports/page/languages.ts'
import path from 'node:path'
import { outcomeOf } from '../../lib/outcome.ts'
import type { Finding } from '../../reports/finding.ts'
import { totalsLine, totalsOf } from '../../reports/finding.ts'
import { readSuiteRecord } from '../../reports/plan.ts'
import { conclusionOf, verdictLine } from '../../reports/run.ts'
import type { ProfileId } from '../../load/profiles.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { checkEvidence, evidenceOf, evidenceOptions, writeEvidence } from '../evidence.ts'
import type { EvidenceArgs } from '../evidence.ts'
import { examineModelClient, modelClientFindings } from '../examine/model-client.ts'
import { tellGitHub } from '../github.ts'
import { Explained, exits, printJson } from '../io.ts'
import type { Io } from '../io.ts'
import { namespaceOf, seedOf } from '../options.ts'
import { typedPath } from '../paths.ts'
import { brokenPart } from '../playwright.ts'
import { runCoverageLines } from '../../reports/run-coverage.ts'
import { coverageOfRun } from '../coverage/run.ts'
import { keepRunFacts, readRunFacts, writeFindings, writeReports } from '../reports.ts'
import { openRunDirectory } from '../run-directory.ts'
import { everyCheck } from '../check/arguments.ts'
import type { RunArgs } from '../check/arguments.ts'
import { runChecks, runOf } from '../check/run.ts'
import type { CheckResult } from '../check/run.ts'
import { printRun } from './check.ts'
import { loadFinding } from '../load/result.ts'
import type { LoadResult } from '../load/result.ts'
import { runLoad } from '../load/run.ts'

interface Args extends EvidenceArgs {
  profile: ProfileId
  target: string | undefined
  dialect: string | undefined
  seed: number | undefined
  namespace: string | undefined
  strict: boolean
  minVerified: readonly string[] | undefined
  lang: Language
  history: string | undefined
  out: string | undefined
  json: boolean
}

/** The load part: what it measured, why it could not run here, or how it failed. */
type LoadPart =
  | LoadResult
  | { readonly notRun: string }
  | { readonly failed: Finding; readonly notRun: string }

/** A load part that failed, as a finding: what went wrong counts, and so does everything found before. */
const failedLoad = (error: unknown): LoadPart => {
  const reason = error instanceof Error ? error.message : String(error)
  const verdict = outcomeOf(error)?.kind === 'inconclusive' ? 'inconclusive' : 'broken'
  const finding = { rule: 'sessions.online.ten-thousand', check: 'load', ms: 0, verdict } as const
  return { notRun: reason, failed: { ...finding, variant: 'load', reason: `load: ${reason}` } }
}

/** Directory of the load run, below that of the certificate. */
const loadFolder = 'load'

const loaded = (args: Args, out: string, io: Io): Promise<LoadResult> =>
  runLoad(
    {
      ...args,
      // Within the limits of a target, single invoices would take hours.
      scenario: args.target === undefined ? 'session-throughput' : 'batch-upload',
      out: path.join(out, loadFolder),
      count: undefined,
      rate: undefined,
      sessions: undefined,
      partBytes: 5_000_000,
      maxP95: undefined,
      limits: undefined,
    },
    io,
  )

const loadPart = async ({ load }: Parts, io: Io): Promise<LoadPart> => {
  if (io.signal.aborted) return { notRun: 'interrupted' }
  try {
    return await load()
  } catch (error) {
    return error instanceof Explained ? { notRun: error.message } : failedLoad(error)
  }
}

const findingsOf = (load: LoadPart): readonly Finding[] =>
  'failed' in load
    ? [load.failed]
    : 'notRun' in load
      ? []
      : [{ ...loadFinding(load), files: [`${loadFolder}/report.html`] }]

const loadLine = (load: LoadPart): string =>
  'notRun' in load
    ? `load         not run: ${load.notRun.split('\n')[0]}\n`
    : `load         ${load.verdict}: ${load.accepted} of ${load.account.planned} accepted, ${load.lost} lost, ${load.doubled} doubled, ${load.throughput.toFixed(1)}/s (limits ${load.limits})\n`

/** The parts of a certificate, in their order. */
export interface Parts {
  readonly check: () => Promise<CheckResult>
  readonly client: () => Promise<readonly Finding[]>
  readonly load: () => Promise<LoadResult>
}

/** The parts of a certificate for the arguments; it runs every check unless some are chosen. */
export const partsOf = (
  args: Args,
  out: string,
  io: Io,
  chosen: Pick<RunArgs, 'selectors' | 'quick'> = everyCheck,
): Parts => {
  const seed = seedOf(args.seed)
  return {
    check: () => runChecks({ ...args, ...everyCheck, ...chosen, seed }, out, io),
    client: async () => modelClientFindings(await examineModelClient(seed, args.strict, io)),
    load: () => loaded({ ...args, seed, namespace: `${namespaceOf(undefined)}-load` }, out, io),
  }
}

/**
 * The check part; one that fails after it has begun leaves its findings, and the other parts count all the same.
 * @throws what ended it before it had a plan: nothing was found
 */
const checkPart = async ({ check }: Parts, out: string, io: Io): Promise<CheckResult> => {
  try {
    return await check()
  } catch (error) {
    const record = readSuiteRecord(out)
    if (record === undefined) throw error
    const { findings, planned, notRun } = record
    const facts = await readRunFacts(out)
    return {
      ...facts,
      tool: `assay ${facts.version}`,
      finished: new Date().toISOString(),
      interrupted: io.signal.aborted,
      planned,
      notRun,
      findings: [...findings, brokenPart(error instanceof Error ? error.message : String(error))],
    }
  }
}

/** The client part; one that fails is a finding, and the parts before and after it count all the same. */
const clientPart = async ({ client }: Parts, io: Io): Promise<readonly Finding[]> => {
  if (io.signal.aborted) return []
  try {
    return await client()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const verdict = outcomeOf(error)?.kind === 'inconclusive' ? 'inconclusive' : 'broken'
    return [{ rule: 'suite', check: 'the model client is examined', ms: 0, verdict, reason }]
  }
}

/** Runs the parts, writes the reports over what they found, and gives the gravest exit code. */
export const certifyBy = async (
  parts: Parts,
  out: string,
  args: Omit<Args, 'seed'>,
  io: Io,
): Promise<number> => {
  io.err('1/4 conformance and limits\n')
  const result = await checkPart(parts, out, io)
  const { seed } = result
  io.err('2/4 model client\n')
  const client = await clientPart(parts, io)
  io.err('3/4 load\n')
  const load = await loadPart(parts, io)
  io.err('4/4 reports\n')
  const findings = [...result.findings, ...client, ...findingsOf(load)]
  const run = runOf({
    ...result,
    findings,
    finished: new Date().toISOString(),
    interrupted: io.signal.aborted,
  })
  await keepRunFacts(out, run.facts)
  await writeFindings(out, findings)
  const { written, missing, failed } = await writeReports(out, run, args, io)
  const notRun = [...('notRun' in load ? [load.notRun] : []), ...missing]
  const conclusion = conclusionOf(run)
  const unfinished = failed.length > 0 || (args.strict && notRun.length > 0)
  const exit =
    conclusion.exit === exits.conformant && unfinished ? exits.couldNotRun : conclusion.exit
  const verdict =
    conclusion.exit === exits.conformant && unfinished ? 'no verdict' : verdictLine(run)
  const { dialect } = args
  tellGitHub(run, io, args)
  writeEvidence(args, evidenceOf('Certificate', { ...run.facts, dialect }, findings, exit), io)
  if (args.json) {
    const totals = totalsOf(findings)
    printJson(io, {
      ...result,
      findings,
      totals,
      client,
      load,
      written,
      notRun,
      failed,
      verdict,
      exit,
    })
    return exit
  }
  printRun(run, io)
  const coverage = await coverageOfRun(out, run.findings, run.facts.dialect)
  for (const line of coverage ? runCoverageLines(coverage) : []) io.err(`${line}\n`)
  io.out('\n')
  io.out(`target       ${result.target}\n`)
  io.out(`conformance  ${totalsLine(result.findings)}\n`)
  io.out(`client       ${totalsLine(client)}\n`)
  io.out(loadLine(load))
  for (const line of [...missing, ...failed]) io.out(`report       ${line}\n`)
  for (const file of written) io.out(`written      ${typedPath(file, io.cwd)}\n`)
  io.out(`seed         ${seed}, namespace ${result.namespace}\n`)
  io.out(`verdict      ${verdict} (exit ${exit})\n`)
  return exit
}

export const certify: Command<Args> = {
  usage: 'certify',
  summary: 'Run everything: conformance, limits, load and reports',
  options: {
    profile: {
      choices: ['smoke', 'full'] as const,
      default: 'smoke',
      group: groups.scope,
      describe: 'Size of the load: smoke (300 invoices) or full (10,000)',
    },
    target: shared.target,
    dialect: shared.dialect,
    seed: shared.seed,
    namespace: shared.namespace,
    strict: shared.strict,
    'min-verified': shared.minVerified,
    lang: shared.lang,
    history: shared.history,
    out: shared.out,
    ...evidenceOptions,
    json: shared.json,
  },
  run: async (args, io) => {
    checkEvidence(args, io)
    const { out, release } = openRunDirectory(args.out, 'certify', io)
    try {
      return await certifyBy(partsOf(args, out, io), out, args, io)
    } finally {
      release()
    }
  },
}
