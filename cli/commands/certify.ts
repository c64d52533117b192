import type { Finding } from '../../reports/finding.ts'
import { exitCodeOf, totalsOf } from '../../reports/finding.ts'
import { totalsLine } from '../../reports/console.ts'
import type { ProfileId } from '../../load/profiles.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { Explained, exits, printJson } from '../io.ts'
import type { Io } from '../io.ts'
import { namespaceOf, outDirectory, seedOf } from '../options.ts'
import { typedPath } from '../paths.ts'
import { keepRunFacts, writeFindings, writeReports } from '../reports.ts'
import { toolVersion } from '../version.ts'
import { printFindings, runChecks } from './check.ts'
import { loadFinding, runLoad } from './load.ts'
import type { LoadResult } from './load.ts'

interface Args {
  profile: ProfileId
  target: string | undefined
  dialect: string | undefined
  seed: number | undefined
  namespace: string | undefined
  strict: boolean
  out: string
  json: boolean
}

/** The load part, or why there is none. */
type LoadPart = LoadResult | { readonly notRun: string }

const loadPart = async (args: Args, io: Io): Promise<LoadPart> => {
  if (io.signal.aborted) return { notRun: 'interrupted' }
  try {
    return await runLoad(
      {
        ...args,
        scenario: 'session-throughput',
        invoices: undefined,
        perSecond: undefined,
        maxP95: undefined,
        limits: undefined,
      },
      io,
    )
  } catch (error) {
    if (error instanceof Explained) return { notRun: error.message }
    throw error
  }
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
    out: shared.out,
    json: shared.json,
  },
  run: async (args, io) => {
    const seed = seedOf(args.seed)
    const namespace = namespaceOf(args.namespace)
    const out = outDirectory(args.out, io)
    io.err('1/3 conformance and limits\n')
    const result = await runChecks(
      {
        ...args,
        seed,
        namespace,
        selectors: [],
        limits: undefined,
        baseline: undefined,
        invoices: undefined,
        unmodified: false,
        workers: undefined,
        report: false,
      },
      io,
    )
    io.err('2/3 load\n')
    const load = await loadPart({ ...args, seed, namespace: `${namespace}-load` }, io)
    io.err('3/3 reports\n')
    const findings: Finding[] = [
      ...result.findings,
      ...('notRun' in load ? [] : [loadFinding(load)]),
    ]
    const facts = { ...result, version: toolVersion() }
    await keepRunFacts(out, facts)
    await writeFindings(out, findings)
    const { written, missing } = await writeReports(out, findings, facts)
    const notRun = [...('notRun' in load ? [load.notRun] : []), ...missing]
    const verdict = exitCodeOf(totalsOf(findings))
    const exit = io.signal.aborted
      ? exits.interrupted
      : verdict === exits.conformant && args.strict && notRun.length > 0
        ? exits.couldNotRun
        : verdict
    if (args.json) {
      printJson(io, {
        ...result,
        findings,
        totals: totalsOf(findings),
        load,
        written,
        notRun,
        exit,
      })
      return exit
    }
    printFindings(
      findings.filter(({ verdict: found }) => found !== 'not-verifiable'),
      io,
    )
    io.out('\n')
    io.out(`target       ${result.target}\n`)
    io.out(`conformance  ${totalsLine(result.findings)}\n`)
    io.out(
      'notRun' in load
        ? `load         not run: ${load.notRun.split('\n')[0]}\n`
        : `load         ${load.verdict}: ${load.accepted} of ${load.requests} accepted, ${load.lost} lost, ${load.doubled} doubled, ${load.throughput.toFixed(1)}/s (limits ${load.limits})\n`,
    )
    for (const line of missing) io.out(`report       ${line}\n`)
    for (const file of written) io.out(`written      ${typedPath(file, io.cwd)}\n`)
    io.out(`seed         ${seed}, namespace ${namespace}\n`)
    io.out(
      `verdict      ${exit === exits.conformant ? 'conformant' : exit === exits.failed ? 'not conformant' : exit === exits.interrupted ? 'interrupted' : 'no verdict'} (exit ${exit})\n`,
    )
    return exit
  },
}
