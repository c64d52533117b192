import { taskScenarios } from '../../load/assignment.ts'
import { profiles } from '../../load/profiles.ts'
import type { Command } from '../command.ts'
import { groups, shared } from '../command.ts'
import { checkEvidence, evidenceOf, evidenceOptions, writeEvidence } from '../evidence.ts'
import type { EvidenceArgs } from '../evidence.ts'
import type { Io } from '../io.ts'
import { exits, printJson, usageError } from '../io.ts'
import { limitsOf } from '../limits.ts'
import { edgeText } from '../limits/edge-report.ts'
import { runEdge, storeEdge } from '../limits/edge.ts'
import { compareRuns } from '../load/compare.ts'
import { collectRun } from '../load/k8s/collect.ts'
import { emitForCluster, emittedText } from '../load/k8s/emit.ts'
import { loadFinding, loadText } from '../load/result.ts'
import type { LoadResult } from '../load/result.ts'
import { runLoad } from '../load/run.ts'
import { scenarios } from '../load/shape.ts'
import type { InvoiceLoadArgs, ScenarioId } from '../load/shape.ts'
import { placesOf } from '../load/setup.ts'
import { isTaskScenario, runTaskLoad, taskText } from '../load/task-load.ts'
import type { TaskScenario } from '../load/tasks.ts'
import { namespaceOf, seedOf } from '../options.ts'
import { takeDirectory } from '../run-directory.ts'

interface Args extends Omit<InvoiceLoadArgs, 'scenario'>, EvidenceArgs {
  readonly scenario: ScenarioId | TaskScenario | 'limit-edge' | 'compare' | 'collect'
  readonly rules: readonly string[]
  readonly realHour: boolean
  readonly runs: readonly string[]
  readonly emit: 'k8s' | undefined
  readonly json: boolean
}

/** Exit code of a verdict. */
const exitOf = (verdict: 'pass' | 'fail' | 'inconclusive', io: Io): number => {
  if (io.signal.aborted) return exits.interrupted
  if (verdict === 'pass') return exits.conformant
  return verdict === 'fail' ? exits.thresholdsCrossed : exits.couldNotRun
}

const loadTasks = async (
  args: Omit<Args, 'scenario'> & { readonly scenario: TaskScenario },
  io: Io,
): Promise<number> => {
  const result = await runTaskLoad(args, io)
  if (args.json) printJson(io, result)
  else io.out(taskText(result))
  return exitOf(result.verdict, io)
}

const probeLimits = async (args: Args, io: Io): Promise<number> => {
  const { target, dialect, rules, realHour, json } = args
  const limits = limitsOf(args.limits)
  const wanted = {
    target,
    seed: seedOf(args.seed),
    ...(dialect === undefined ? {} : { dialect }),
    ...(limits === undefined ? {} : { limits }),
  }
  const namespace = namespaceOf(args.namespace)
  const { result, trace } = await runEdge(wanted, { rules, realHour, namespace }, io)
  const places = placesOf(result.id, args, io)
  io.err(`report: ${await storeEdge(places, result, trace)}\n`)
  if (json) printJson(io, result)
  else io.out(edgeText(result))
  return exitOf(result.verdict, io)
}

/** Prints what a run of invoices found, and keeps its evidence. */
const loadInvoices = async (
  args: Args,
  run: () => Promise<LoadResult>,
  io: Io,
): Promise<number> => {
  checkEvidence(args, io)
  const result = await run()
  const { dialect, target = 'embedded reference' } = args
  const conclusion = { pass: 0, fail: 1 }[result.verdict as string] ?? 3
  const evidence = evidenceOf(
    'Load of a service',
    { ...result, target, dialect },
    [loadFinding(result)],
    conclusion,
  )
  writeEvidence(args, evidence, io)
  if (args.json) printJson(io, result)
  else io.out(loadText(result))
  return exitOf(result.verdict, io)
}

const runScenario = async (args: Args, io: Io): Promise<number> => {
  const { scenario } = args
  if (scenario === 'compare') return compareRuns(args.runs, args.json, io)
  if (scenario === 'collect') return loadInvoices(args, () => collectRun(args.runs, args, io), io)
  if (args.runs.length > 0)
    throw usageError(`load: expected one scenario, received also ${args.runs.join(' ')}`)
  if (scenario === 'limit-edge') {
    if (args.segments !== undefined && args.segments !== 1)
      throw usageError('--segments: probes of the limits run in one process; leave it out')
    return probeLimits(args, io)
  }
  if (isTaskScenario(scenario)) {
    if (args.emit !== undefined)
      throw usageError(`--emit: expected one of ${scenarios.join(', ')}, received ${scenario}`)
    return loadTasks({ ...args, scenario }, io)
  }
  if (args.emit !== undefined) {
    const emitted = await emitForCluster({ ...args, scenario }, io)
    if (args.json) printJson(io, emitted)
    else io.out(emittedText(emitted))
    return exits.conformant
  }
  return loadInvoices(args, () => runLoad({ ...args, scenario }, io), io)
}

export const load: Command<Args> = {
  usage: 'load [scenario] [runs..]',
  summary: 'Load a service with k6 and account for every invoice by its number',
  positionals: {
    scenario: {
      choices: [...scenarios, ...taskScenarios, 'limit-edge', 'compare', 'collect'],
      default: 'session-throughput',
      describe:
        'Load scenario, limit-edge for probes of the rate limits, compare for two runs, or collect for one in a cluster',
    },
    runs: {
      type: 'string',
      array: true,
      default: [] as string[],
      describe:
        'compare: ids or directories of two runs, the earlier one first; collect: the emitted directory and logs of its pods',
    },
  },
  options: {
    profile: {
      choices: Object.keys(profiles),
      default: 'smoke',
      group: groups.scope,
      describe: `Shape of the load: ${Object.entries(profiles)
        .map(([id, { summary }]) => `${id} (${summary})`)
        .join('; ')}`,
    },
    count: {
      type: 'number',
      group: groups.scope,
      describe: 'Number of invoices; that of the profile when absent',
    },
    rate: {
      type: 'number',
      group: groups.scope,
      describe: 'Arrivals per second, constant; those of the profile when absent',
    },
    sessions: {
      type: 'number',
      group: groups.scope,
      describe:
        'Number of concurrent sessions, or of packages; one per 10,000 invoices when absent',
    },
    segments: {
      type: 'number',
      default: 1,
      group: groups.scope,
      describe:
        'Number of k6 processes that share the load; each has its own sessions and, where the target allows, its own context',
    },
    'part-bytes': {
      type: 'number',
      default: 5_000_000,
      group: groups.scope,
      describe: 'Size of a part of a package before encryption (batch-upload)',
    },
    'max-p95': {
      type: 'number',
      group: groups.verdict,
      describe: 'Maximum 95th percentile of the latency from the intended start, in milliseconds',
    },
    rules: {
      type: 'string',
      array: true,
      default: [] as string[],
      group: groups.scope,
      describe:
        'Rate rules to probe, for example invoiceSubmit; all of them when absent (limit-edge)',
    },
    'real-hour': {
      type: 'boolean',
      default: false,
      group: groups.scope,
      describe: 'Probe the hour in real time where the clock cannot be moved (limit-edge)',
    },
    target: shared.target,
    dialect: shared.dialect,
    limits: {
      ...shared.limits,
      describe:
        'Rate limits of the embedded reference; off when absent. A target reports its own; off ignores them',
    },
    seed: shared.seed,
    namespace: shared.namespace,
    out: {
      ...shared.out,
      defaultDescription: 'reports/out/load/<id>',
      describe: 'Directory of the stored run',
    },
    svg: {
      type: 'string',
      group: groups.output,
      describe: 'Directory for the pictures of the report as SVG files',
    },
    emit: {
      choices: ['k8s'] as const,
      group: groups.output,
      describe:
        'Write the load as manifests for k6-operator into --out instead of running it (session-throughput, batch-upload)',
    },
    'k6-out': {
      type: 'string',
      array: true,
      default: [] as string[],
      group: groups.output,
      describe:
        'Outputs of k6, for example experimental-prometheus-rw or opentelemetry; not for limit-edge',
    },
    'k6-dashboard': {
      type: 'boolean',
      default: false,
      group: groups.output,
      describe: "Export k6's own dashboard beside the report; not for limit-edge",
    },
    ...evidenceOptions,
    json: shared.json,
  },
  examples: {
    'load --profile full': '10,000 invoices into one session',
    'load compare BEFORE AFTER': 'what changed between two stored runs; exit 5 on a regression',
    'load limit-edge --target target.json': 'every row of the rate table at each threshold',
    'load --count 10000 --sessions 4': 'four concurrent sessions of 2,500',
    'load --profile full --segments 2': 'two k6 processes, one verdict',
    'load --segments 4 --emit k8s --out cluster --target target.json':
      'four pods of k6-operator; prints what to do next',
    'load batch-upload --profile full --target target.json': 'packages in parts, at a target',
  },
  run: async (args, io) => {
    const release = takeDirectory(args.out, io)
    try {
      return await runScenario(args, io)
    } finally {
      release()
    }
  },
}
